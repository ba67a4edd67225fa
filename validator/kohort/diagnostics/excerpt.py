"""Source lines with marks under them, cut to a width, with carets that stay under what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from kohort.dataclass import dataclass
from kohort.diagnostics.visible import TAB, escaped, runner_commands, shows, visible, width, wrap
from kohort.spans import Span

_CUT = "…"
_LEAST = 20  # columns of source that are shown however narrow the terminal is


@dataclass(frozen=True, slots=True)
class Mark:
    """A range of text to underline, and what to say about it."""

    span: Span
    text: str = ""
    primary: bool = False


class RowKind(Enum):
    """What one row of an excerpt is."""

    SOURCE = "source"
    MARK = "mark"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of an excerpt; `number` is set for source lines. Text is visible: nothing in it acts."""

    kind: RowKind
    text: str
    number: int | None = None
    primary: bool = False


def excerpt(lines: Sequence[str], marks: Sequence[Mark], columns: int) -> tuple[Row, ...]:
    """Rows of the marked lines, each followed by its underlines. `columns` is the room for text.

    A range over several lines is underlined on its first. Marks on lines that do not exist are left out. Between
    lines that are not neighbours stands a gap, or the one line that would be left out.
    """
    return tuple(_rows(lines, marks, max(columns, _LEAST)))


def _rows(lines: Sequence[str], marks: Sequence[Mark], columns: int) -> Iterator[Row]:
    by_line: dict[int, list[Mark]] = {}
    for mark in sorted(set(marks), key=lambda m: (m.span, not m.primary, m.text)):
        if 0 < mark.span.line <= len(lines):
            by_line.setdefault(mark.span.line, []).append(mark)
    last = 0
    for number, here in by_line.items():
        if last and number == last + 2:
            yield Row(RowKind.SOURCE, _Line(lines[last], 1, 1, columns).text, last + 1)
        elif last and number > last + 1:
            yield Row(RowKind.GAP, "...")
        last = number
        here.sort(key=lambda m: (not m.primary, m.span.column))
        line = _Line(lines[number - 1], here[0].span.column, _end(here[0].span, lines[number - 1]), columns)
        yield Row(RowKind.SOURCE, line.text, number)
        for mark in here:
            yield from _underline(line, mark, _end(mark.span, lines[number - 1]), columns)


def _end(span: Span, text: str) -> int:
    """The column after the marked part of the first line."""
    end = span.end_column if span.end_line == span.line else len(text.rstrip()) + 1
    return max(end, span.column + 1)


def _underline(line: _Line, mark: Mark, end: int, columns: int) -> Iterator[Row]:
    start = line.offset(mark.span.column)
    length = max(1, line.offset(end) - start)
    drawn = " " * start + ("^" if mark.primary else "-") * length
    label = visible(mark.text)
    if not label:
        yield Row(RowKind.MARK, drawn, None, mark.primary)
    elif len(drawn) + 1 + width(label) <= columns:
        yield Row(RowKind.MARK, f"{drawn} {label}", None, mark.primary)
    else:
        yield Row(RowKind.MARK, drawn, None, mark.primary)
        indent = min(start, columns // 2)
        for part in wrap(label, columns - indent):
            yield Row(RowKind.MARK, " " * indent + part, None, mark.primary)


class _Line:
    """A source line as it is drawn: cut to `columns` around one range, tabs expanded, the rest made visible."""

    def __init__(self, source: str, column: int, end: int, columns: int) -> None:
        source = source.rstrip("\r\n")
        # Only the neighbourhood is drawn: a line may hold a hundred megabytes.
        self._first = max(0, min(column - 1, len(source)) - columns)
        cells = _cells(source[self._first : self._first + 3 * columns], self._first)
        more = len(source) > self._first + 3 * columns
        starts = [0]
        for cell in cells:
            starts.append(starts[-1] + width(cell))
        left, right = 0, len(cells)
        cut_left = self._first > 0
        if cut_left or more or starts[-1] > columns:
            left, right = _window(starts, self._index(column, cells), self._index(end, cells), columns)
            cut_left = cut_left or left > 0
        self.text = (_CUT if cut_left else "") + "".join(cells[left:right])
        if more or right < len(cells):
            self.text += _CUT
        shift = (1 if cut_left else 0) - starts[left]
        self._offsets = [start + shift for start in starts[left : right + 1]]
        self._left = left

    def _index(self, column: int, cells: list[str]) -> int:
        return max(0, min(column - 1 - self._first, len(cells)))

    def offset(self, column: int) -> int:
        """Where a column of the source begins in the drawn text; clamped to what is drawn."""
        index = column - 1 - self._first - self._left
        return max(0, self._offsets[max(0, min(index, len(self._offsets) - 1))])


def _window(starts: list[int], start: int, end: int, columns: int) -> tuple[int, int]:
    """Cells to draw so that the range is seen, with text around it on both sides where there is any."""
    room = columns - 2  # for the two cuts
    left = start
    wanted = room - min(starts[end] - starts[start], room)
    before = min(wanted, max(room // 3, wanted - (starts[-1] - starts[end])))
    while left > 0 and starts[start] - starts[left - 1] <= before:
        left -= 1
    right = left
    while right < len(starts) - 1 and starts[right + 1] - starts[left] <= room:
        right += 1
    return left, right


def _cells(text: str, first: int) -> list[str]:
    """One drawn text per character."""
    cells: list[str] = []
    column = first
    for char in text:
        if char == "\t":
            cell = " " * (TAB - column % TAB)
        elif not cells and width(char) == 0:
            cell = escaped(char)  # a mark without the letter it belongs to
        else:
            cell = char if shows(char) else escaped(char)
        cells.append(cell)
        column += width(cell)
    for index in runner_commands(text):
        cells[index] = escaped(text[index])
    return cells
