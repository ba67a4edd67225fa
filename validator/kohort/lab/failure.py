"""The one exception of the lab."""

from __future__ import annotations


class LabError(Exception):
    """The lab could not do what was asked; the text says what and where to look."""
