"""What a finding says besides its message and excerpt: the arithmetic, help, consequence, and where to read more."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.dataclass import dataclass
from kohort.diagnostics.finding import Finding, Term
from kohort.diagnostics.places import Places, locate
from kohort.diagnostics.render.located import address
from kohort.diagnostics.render.words import explain, what_happens
from kohort.diagnostics.visible import visible, width
from kohort.spans import Origin

_MOST_SUMMANDS = 20


@dataclass(frozen=True, slots=True)
class Note:
    """`= label: lines`. A table keeps its columns; other lines may be wrapped."""

    label: str
    lines: tuple[str, ...]
    table: bool = False

    def as_text(self) -> str:
        """The note for places without a gutter: further lines are indented by two."""
        return f"{self.label}: " + "\n  ".join(self.lines)


def notes(
    finding: Finding, places: Places, *, show_help: bool, drawn: frozenset[Origin] = frozenset()
) -> Iterator[Note]:
    """All notes of a finding in their order; their text is visible. `drawn` places need no address any more."""
    about = [visible(finding.subject), visible(finding.field)]
    if any(about):
        yield Note("object", (", ".join(part for part in about if part),))
    yield from arithmetic(finding.terms, places, drawn)
    if show_help:
        for text in finding.help:
            yield Note("help", _lines(text))
        if finding.fix is not None:
            kind = "safe" if finding.fix.safe else "unsafe"
            yield Note(f"fix ({kind})", _lines(finding.fix.title))
    if finding.clusters:
        yield Note("clusters", (", ".join(visible(name) for name in finding.clusters),))
    if show_help:
        yield Note("consequence", (f"{finding.consequence.value} — {what_happens(finding)}",))
        yield Note("explain", (explain(finding),))


def arithmetic(
    terms: tuple[Term, ...], places: Places, drawn: frozenset[Origin] = frozenset()
) -> Iterator[Note]:
    """The terms with an amount as tables, then those that only say something.

    A plus behind a result begins another sum: it gets a table of its own, with the same columns.
    """
    counted = [term for term in terms if term.amount]
    widest = max((width(visible(term.amount)) for term in counted), default=0)
    table: list[Term] = []
    for term in (*counted, None):
        if table and (term is None or (term.sign == "+" and table[-1].sign == "=")):
            yield Note("sum", tuple(_rows(table, places, widest, drawn)), table=True)
            table = []
        if term is not None:
            table.append(term)
    for term in terms:
        if not term.amount and term.text:
            label, colon, rest = visible(term.text).partition(": ")
            yield (
                Note("derived", (rest,))
                if colon and label == "derived"
                else Note("note", (visible(term.text),))
            )


def _rows(table: list[Term], places: Places, widest: int, drawn: frozenset[Origin]) -> Iterator[str]:
    """The rows of one sum. Of very many summands only the first are told, and how many there are besides."""
    summands = sum(term.sign in "+-" for term in table)
    left = summands if summands <= _MOST_SUMMANDS else _MOST_SUMMANDS - 1
    untold = summands - left
    for term in table:
        if term.sign in "+-":
            left -= 1
            if left < 0:
                continue
        elif untold:
            yield f"  {' ' * widest}  … and {untold} more rows"
            untold = 0
        yield _row(term, places, widest, drawn)
    if untold:
        yield f"  {' ' * widest}  … and {untold} more rows"


def _row(term: Term, places: Places, widest: int, drawn: frozenset[Origin]) -> str:
    amount = visible(term.amount)
    place = ""
    if term.origin is not None and term.origin not in drawn:
        place = address(term.origin, locate(places, term.origin))
    padding = " " * (widest - width(amount))
    return f"{term.sign} {padding}{amount}  {visible(term.text)}{f' ({place})' if place else ''}".rstrip()


def _lines(text: str) -> tuple[str, ...]:
    return tuple(visible(line) for line in text.splitlines()) or ("",)
