"""A path on the command line that names something: an empty one is a variable that was not set, and not this folder."""

from __future__ import annotations

import os
from typing import Any

import click


class NamedPath(click.Path):
    """`click.Path` that takes no empty text, which `pathlib` would read as the working directory."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The path as `click.Path` makes it."""
        if isinstance(value, str) and not value:
            self.fail("it is empty, so it names nothing (a variable that was not set?)", param, ctx)
        return super().convert(value, param, ctx)
