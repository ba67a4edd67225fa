"""Played loads on the plan's page: who is hurt, the changes of the waits with their intervals, a table, what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kohort.planner.played import Played
from kohort.planner.render.played import CHART, HEADS, METHOD, rows, title, told
from kohort.simulator.reports.html.forest import forest


def played_html(played: Sequence[Played]) -> Iterator[str]:
    """The section, a part for each load; at least one."""
    yield "<h2>Played before and after</h2>"
    for number, one in enumerate(played, 1):
        yield f"<h3>{escape(_first_up(title(one)))}</h3>\n<ul>"
        yield from (f"<li>{escape(line)}</li>" for line in told(one))
        yield "</ul>"
        if one.measures:
            waits = [each for each in one.measures if each.kind == "time"]
            yield from _wide(f"Chart {number} of the waits", forest(waits, CHART))
            yield from _wide(f"Table {number} of the measures", _table(one))


def _wide(name: str, inside: str) -> Iterator[str]:
    """What narrow screens scroll, reached by the keyboard."""
    yield f'<div class="wide played" tabindex="0" role="region" aria-label="{name}">'
    yield inside
    yield "</div>"


def _table(one: Played) -> str:
    names = ("measure", *HEADS[1:-1], "verdict")
    head = "".join(
        f'<th scope="col"{_of_numbers(place)}>{escape(name)}</th>' for place, name in enumerate(names)
    )
    body = "\n".join(map(_row, rows(one)))
    return (
        f"<table>\n<caption>{escape(_first_up(METHOD))}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table>"
    )


def _of_numbers(place: int) -> str:
    return ' class="n"' if 0 < place < len(HEADS) - 1 else ""


def _row(row: Sequence[str]) -> str:
    name, *numbers, verdict = row
    cells = "".join(f'<td class="n">{escape(number)}</td>' for number in numbers)
    return f'<tr><th scope="row">{escape(name)}</th>{cells}<td>{escape(verdict)}</td></tr>'


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
