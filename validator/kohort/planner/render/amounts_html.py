"""The amounts of a page: a group of rows for each holder; of a crowd the ranges, and all of it folded below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.planner.render.escaped import escaped
from kohort.planner.render.gathering import Crowd
from kohort.planner.render.view import Block, Row

MOST: Final = 2_000  # lines of folded tables on a page
_HEAD: Final = (
    '<thead><tr><th scope="col">amount</th><th scope="col" class="n">before</th><th scope="col" class="n">after</th>'
    '<th scope="col" class="n">change</th><th scope="col">typed</th></tr></thead>'
)


def amounts(parts: Sequence[Block | Crowd]) -> Iterator[str]:
    """The heading, the table, and the folded ones; nothing without amounts."""
    if not parts:
        return
    yield "<h2>Amounts</h2>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Amounts">'
    yield f"<table>{_HEAD}"
    for part in parts:
        if isinstance(part, Crowd):
            yield _crowd(part)
            yield from map(_group, part.asking)
        else:
            yield _group(part)
    yield "</table></div>"
    room = MOST
    for part in parts:
        if isinstance(part, Crowd):
            yield from _everybody(part, room)
            room = max(0, room - len(part.blocks))


def _group(block: Block) -> str:
    rows = "".join(f"\n{_row(row)}" for row in block.rows)
    behind = (
        f'\n<tr><td colspan="5" class="behind">behind it: {escaped(block.behind_it())}</td></tr>'
        if block.behind
        else ""
    )
    return f"<tbody>{_title(block.title)}{rows}{behind}</tbody>"


def _crowd(crowd: Crowd) -> str:
    rows = "".join(
        f"\n{_cells(each.what, each.unit, each.before, each.after, each.change, each.whose)}"
        for each in crowd.spreads()
    )
    return f"<tbody>{_title(crowd.title)}{rows}</tbody>"


def _title(text: str) -> str:
    return f'<tr><th scope="rowgroup" colspan="5">{escaped(text)}</th></tr>'


def _row(row: Row) -> str:
    return _cells(row.what, row.unit, row.before, row.after, row.delta, row.place)


def _cells(what: str, unit: str, before: str, after: str, delta: str, place: str) -> str:
    return (
        f'<tr><th scope="row">{escaped(what)}, {escaped(unit)}</th><td class="n">{escaped(before)}</td>'
        f'<td class="n">{escaped(after)}</td><td class="n d">{escaped(delta)}</td><td class="place">{escaped(place)}</td></tr>'
    )


def _everybody(crowd: Crowd, room: int) -> Iterator[str]:
    """All holders of a crowd, a line each, a column a measure."""
    name = f"All {crowd.title}"
    heads = "".join(
        f'<th scope="col" class="n">{escaped(row.what)}, {escaped(row.unit)}</th>'
        for row in crowd.blocks[0].rows
    )
    yield f"<details><summary>{escaped(name)}</summary>"
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{escaped(name)}">'
    yield f'<table><thead><tr><th scope="col">{escaped(crowd.blocks[0].kind)}</th>{heads}</tr></thead><tbody>'
    for block in crowd.blocks[:room]:
        cells = "".join(
            f'<td class="n">{escaped(row.before)} → {escaped(row.after)}</td>' for row in block.rows
        )
        yield f'<tr><th scope="row">{escaped(block.name)}</th>{cells}</tr>'
    yield "</tbody></table></div>"
    left = len(crowd.blocks) - room
    if left > 0:
        yield f"<p>… and {left} more: <code>kohort plan --format json</code> has all.</p>"
    yield "</details>"
