"""Played loads on the plan's page: a table, who is hurt, what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kohort.planner.played import Played
from kohort.planner.render.played import HEADS, METHOD, rows, title, told


def played_html(played: Sequence[Played]) -> Iterator[str]:
    """The section, a part for each load; nothing without any."""
    if played:
        yield "<h2>Played before and after</h2>"
    for one in played:
        yield f"<h3>{escape(_first_up(title(one)))}</h3>\n<ul>"
        yield from (f"<li>{escape(line)}</li>" for line in told(one))
        yield "</ul>"
        if one.measures:
            head = "".join(
                f'<th scope="col">{escape(name)}</th>' for name in ("measure", *HEADS[1:-1], "verdict")
            )
            yield f'<div class="wide" tabindex="0" role="region" aria-label="{escape(title(one))}">\n<table>'
            yield f"<caption>{escape(_first_up(METHOD))}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>"
            yield from (_row(row) for row in rows(one))
            yield "</tbody></table></div>"


def _row(row: Sequence[str]) -> str:
    name, *numbers, verdict = row
    cells = "".join(f'<td class="n">{escape(number)}</td>' for number in numbers)
    return f'<tr><th scope="row">{escape(name)}</th>{cells}<td>{escape(verdict)}</td></tr>'


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
