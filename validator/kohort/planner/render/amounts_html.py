"""The amounts of a page: one table, a group of rows for each holder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from kohort.diagnostics.visible import visible
from kohort.planner.render.view import Block, Row

_HEAD: Final = (
    '<thead><tr><th scope="col">amount</th><th scope="col" class="n">before</th><th scope="col" class="n">after</th>'
    '<th scope="col" class="n">change</th><th scope="col">typed</th></tr></thead>'
)


def amounts(blocks: Sequence[Block]) -> Iterator[str]:
    """The heading and the table; nothing without amounts."""
    if not blocks:
        return
    yield "<h2>Amounts</h2>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Amounts">'
    yield f"<table>{_HEAD}"
    yield from map(_group, blocks)
    yield "</table></div>"


def _group(block: Block) -> str:
    rows = "".join(f"\n{_row(row)}" for row in block.rows)
    behind = (
        f'\n<tr><td colspan="5" class="behind">behind it: {_text(block.behind_it())}</td></tr>'
        if block.behind
        else ""
    )
    name = _text(block.title)
    return f'<tbody><tr><th scope="rowgroup" colspan="5">{name}</th></tr>{rows}{behind}</tbody>'


def _row(row: Row) -> str:
    return (
        f'<tr><th scope="row">{_text(row.what)}, {_text(row.unit)}</th><td class="n">{_text(row.before)}</td>'
        f'<td class="n">{_text(row.after)}</td><td class="n d">{_text(row.delta)}</td>'
        f'<td class="place">{_text(row.place)}</td></tr>'
    )


def _text(text: str) -> str:
    return escape(visible(text))
