"""What a finding says besides its message and excerpt: the arithmetic, help, consequence, and where to read more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kohort.diagnostics.finding import Finding, Term
from kohort.diagnostics.places import Places, locate
from kohort.diagnostics.render.located import address
from kohort.diagnostics.render.words import CONSEQUENCES, explain
from kohort.diagnostics.visible import visible, width


@dataclass(frozen=True, slots=True)
class Note:
    """`= label: lines`. A table keeps its columns; other lines may be wrapped."""

    label: str
    lines: tuple[str, ...]
    table: bool = False

    def as_text(self) -> str:
        """The note for places without a gutter: further lines are indented by two."""
        return f"{self.label}: " + "\n  ".join(self.lines)


def notes(finding: Finding, places: Places, *, show_help: bool) -> Iterator[Note]:
    """All notes of a finding in their order; their text is visible."""
    about = [visible(finding.subject), visible(finding.field)]
    if any(about):
        yield Note("object", (", ".join(part for part in about if part),))
    yield from arithmetic(finding.terms, places)
    if show_help:
        for text in finding.help:
            yield Note("help", _lines(text))
        if finding.fix is not None:
            kind = "safe" if finding.fix.safe else "unsafe"
            yield Note(f"fix ({kind})", _lines(finding.fix.title))
    if finding.clusters:
        yield Note("clusters", (", ".join(visible(name) for name in finding.clusters),))
    if show_help:
        yield Note("consequence", (f"{finding.consequence.value} — {CONSEQUENCES[finding.consequence]}",))
        yield Note("explain", (explain(finding),))


def arithmetic(terms: tuple[Term, ...], places: Places) -> Iterator[Note]:
    """The terms with an amount as one table, then those that only say something."""
    counted = [term for term in terms if term.amount]
    amounts = [visible(term.amount) for term in counted]
    widest = max((width(amount) for amount in amounts), default=0)
    rows = []
    for term, amount in zip(counted, amounts, strict=True):
        place = address(term.origin, locate(places, term.origin)) if term.origin else ""
        padding = " " * (widest - width(amount))
        text = f"{term.sign} {padding}{amount}  {visible(term.text)}{f' ({place})' if place else ''}"
        rows.append(text.rstrip())
    if rows:
        yield Note("sum", tuple(rows), table=True)
    for term in terms:
        if not term.amount and term.text:
            label, colon, rest = visible(term.text).partition(": ")
            yield (
                Note("derived", (rest,))
                if colon and label == "derived"
                else Note("note", (visible(term.text),))
            )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(visible(line) for line in text.splitlines()) or ("",)
