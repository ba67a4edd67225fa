"""The one door to libyaml: events of a text, whose marks count characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from yaml._yaml import CParser


def events(text: str) -> Callable[[], Any]:
    """A function that gives the next event of the text, and None behind the last. Raises yaml.YAMLError."""
    next_event: Callable[[], Any] = CParser(text).get_event
    return next_event
