"""A concrete range of text in one file."""

from __future__ import annotations

from kohort.dataclass import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of text; lines and columns count from 1, columns in characters (not bytes)."""

    line: int
    column: int
    end_line: int
    end_column: int
