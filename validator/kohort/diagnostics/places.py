"""Where findings stand: the seam to the source layer, and places that are only a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kohort.spans import Origin, Span

_LINE = "#line"


class Places(Protocol):
    """Turns symbolic places into ranges of text and gives the text for excerpts."""

    def span(self, origin: Origin) -> Span | None:
        """Lines and columns of a key or value; None when the file has no such text (any more)."""

    def lines(self, file: str) -> Sequence[str]:
        """The lines of a file without their ends; empty when it cannot be shown."""


def line_origin(file: str, line: int, column: int = 1, end_column: int = 0) -> Origin:
    """A place that no key or value holds, such as a comment or a syntax error.

    `line` and `column` count from 1; without `end_column` the place reaches to the end of the line.
    """
    return Origin(file, 0, (_LINE, line, column, end_column))


def is_line(origin: Origin) -> bool:
    """Whether the place was made by `line_origin`."""
    return origin.path[:1] == (_LINE,)


def locate(places: Places, origin: Origin) -> Span | None:
    """The range of text of any place."""
    if not origin.file:
        return None
    if not is_line(origin):
        return places.span(origin)
    line, column, end = (step if isinstance(step, int) else 1 for step in origin.path[1:4])
    if not end:
        lines = places.lines(origin.file)
        end = len(lines[line - 1].rstrip()) + 1 if 0 < line <= len(lines) else column
    return Span(line, column, line, max(end, column))
