"""Where the entries of a mapping or list stand in the text: what an edit removes, moves or writes behind."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kohort.source.extent import begin, extent
from kohort.source.layout import Layout
from kohort.source.node import Node

_GAP = re.compile(r"(?:\s|(?<!\S)#[^\r\n]*)*")


@dataclass(frozen=True, slots=True)
class Slot:
    """The text of one entry: from its key or dash to its last character; `line_end` is where that line ends."""

    start: int
    end: int
    line_end: int
    alone: bool  # nothing stands before it on its first line


def slots(layout: Layout, node: Node) -> list[Slot]:
    """The entries of a collection in order."""
    text, result = layout.text, []
    behind = begin(text, node) + (1 if node.style else 0)
    for key, value in node.entries:
        start, end = extent(layout, value)
        if key is not None:
            start, end = key.start, max(end, key.end)
        elif not node.style:
            start = _dash(text, behind)
            end = max(end, start + 1)
        behind = end
        result.append(
            Slot(start, end, line_end(text, end), not text[line_start(text, start) : start].strip())
        )
    return result


def _dash(text: str, index: int) -> int:
    gap = _GAP.match(text, index)
    return gap.end() if gap is not None else index


def line_start(text: str, index: int) -> int:
    """Index of the first character of the line that holds `index`."""
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def line_end(text: str, index: int) -> int:
    """Index of the line break behind `index`, or of the end of the text."""
    ends = [found for found in (text.find("\n", index), text.find("\r", index)) if found >= 0]
    return min(ends, default=len(text))


def behind_break(text: str, index: int) -> int:
    """Index behind the line break at `index`."""
    return index + 2 if text.startswith("\r\n", index) else min(index + 1, len(text))


def with_comments(text: str, slot: Slot) -> int:
    """Where the slot begins together with the comment lines directly above it."""
    start = slot.start
    while slot.alone:
        line = line_start(text, start)
        if line == 0:
            break
        above = line_start(text, line - 1 - (1 if text.startswith("\r\n", line - 2) else 0))
        content = text[above:line]
        if not content.lstrip().startswith("#"):
            break
        start = above + len(content) - len(content.lstrip())
    return start
