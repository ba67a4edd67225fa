"""For people at a terminal: message, excerpt with carets, arithmetic, what to do and what happens otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics.excerpt import Mark, Row, RowKind, excerpt
from kohort.diagnostics.finding import Label
from kohort.diagnostics.places import Places
from kohort.diagnostics.render.located import Located, address, located
from kohort.diagnostics.render.notes import Note, notes
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.render.palette import Palette
from kohort.diagnostics.report import Report, Unchecked
from kohort.diagnostics.visible import visible, without_leading_commands, wrap
from kohort.spans import Span

_MOST_RELATED = 6


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """All findings, then what was not checked. Totals are not part of it: they go to stderr."""
    blocks = [describe(one, places, options) for one in located(report, places)]
    if report.unchecked:
        blocks.append("".join(f"{line}\n" for line in not_checked(report.unchecked)))
    return without_leading_commands("\n".join(blocks))


def describe(one: Located, places: Places, options: RenderOptions) -> str:
    """One finding as a block of lines."""
    finding = one.finding
    palette = Palette(options.color)
    head = palette.severity(finding.severity, f"{finding.severity.value}[{visible(finding.code)}]")
    lines = [f"{head}{palette.strong(f': {visible(finding.message)}')}"]
    lines += _Block(one, places, options, palette).lines()
    return "".join(f"{line}\n" for line in lines)


def not_checked(unchecked: tuple[Unchecked, ...]) -> list[str]:
    """One line per thing that was seen but not judged."""
    return [
        f"not checked: {visible(one.what)}: {visible(one.why)}{f' ({visible(one.file)})' if one.file else ''}"
        for one in unchecked
    ]


class _Block:
    """The lines under the message, behind one gutter."""

    def __init__(self, one: Located, places: Places, options: RenderOptions, palette: Palette) -> None:
        self._one = one
        self._places = places
        self._options = options
        self._palette = palette
        related = one.related if len(one.related) <= _MOST_RELATED else one.related[: _MOST_RELATED - 1]
        self._more = len(one.related) - len(related)
        self._places_drawn = frozenset(
            label.origin for label, _ in [(one.finding.primary, one.span), *related]
        )
        self._groups = _by_file([(one.finding.primary, one.span), *related])
        numbers = [span.line for group in self._groups.values() for _, span in group if span]
        self._gutter = len(str(max(numbers, default=0)))
        self._drawn = False  # whether any source line was shown

    def lines(self) -> Iterator[str]:
        """The excerpts file by file, the primary place first."""
        blank = " " * self._gutter
        for index, group in enumerate(self._groups.values()):
            yield from self._group(group, first=index == 0)
        if self._drawn:
            yield self._palette.frame(f"{blank} |")
        if self._more:
            yield from self._note(Note("note", (f"and {self._more} more places",)))
        help_too, drawn = self._options.show_help, self._places_drawn
        for note in notes(self._one.finding, self._places, show_help=help_too, drawn=drawn):
            yield from self._note(note)

    def _group(self, group: list[tuple[Label, Span | None]], *, first: bool) -> Iterator[str]:
        """The excerpt of one file: the first is the primary place's."""
        (label, span), blank = group[0], " " * self._gutter
        if not label.origin.file:
            return
        rows = self._excerpt(label.origin.file, group, first=first)
        arrow = self._palette.frame(f"{blank}-->" if first else f"{blank}:::")
        # What cannot be shown under the line is said beside the address.
        said = f" ({visible(label.text)})" if label.text and not rows else ""
        if self._drawn:
            yield self._palette.frame(f"{blank} |")
        yield f"{arrow} {address(label.origin, span)}{said}"
        if rows:
            self._drawn = True
            yield self._palette.frame(f"{blank} |")
        yield from rows

    def _excerpt(self, file: str, group: list[tuple[Label, Span | None]], *, first: bool) -> list[str]:
        marks = [
            Mark(span, label.text, primary=first and index == 0)
            for index, (label, span) in enumerate(group)
            if span is not None
        ]
        room = self._options.width - self._gutter - 3
        return [self._row(row) for row in excerpt(self._places.lines(file), marks, room)]

    def _row(self, row: Row) -> str:
        blank = " " * self._gutter
        if row.kind is RowKind.GAP:
            return self._palette.frame("...")
        if row.kind is RowKind.SOURCE:
            frame = self._palette.frame(f"{row.number:>{self._gutter}} |")
            return f"{frame} {row.text}".rstrip()
        frame = self._palette.frame(f"{blank} |")
        start = len(row.text) - len(row.text.lstrip())
        text = row.text[start:]
        paint = self._palette
        drawn = paint.severity(self._one.finding.severity, text) if row.primary else paint.frame(text)
        return f"{frame} {row.text[:start]}{drawn}"

    def _note(self, note: Note) -> Iterator[str]:
        frame = f"{' ' * self._gutter} = "
        head = f"{note.label}: "
        room = max(self._options.width - len(frame) - len(head), 30)
        lines = [part for line in note.lines for part in ([line] if note.table else wrap(line, room))]
        indent = " " * (len(frame) + len(head))
        for index, line in enumerate(lines):
            if index:
                yield f"{indent}{line}".rstrip()
            else:
                yield f"{self._palette.frame(frame)}{self._palette.strong(head)}{line}".rstrip()


def _by_file(
    labels: list[tuple[Label, Span | None]],
) -> dict[str, list[tuple[Label, Span | None]]]:
    """Labels by file, the files as they first appear."""
    groups: dict[str, list[tuple[Label, Span | None]]] = {}
    for label, span in labels:
        groups.setdefault(label.origin.file, []).append((label, span))
    return groups
