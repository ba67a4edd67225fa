"""The amounts of a page: a group of rows for each holder; of a crowd the ranges, and all of it folded below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.planner.render.escaped import escaped
from kohort.planner.render.gathering import FEW, Crowd
from kohort.planner.render.view import Block

MOST: Final = 2_000  # lines of folded tables on a page
_HEAD: Final = (
    '<thead><tr><th scope="col">amount</th><th scope="col" class="n">before</th><th scope="col" class="n">after</th>'
    '<th scope="col" class="n">change</th></tr></thead>'
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
            if len(part.asking) <= FEW:
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
    units = {row.unit for row in block.rows}
    rows = "".join(
        f"\n{_cells(row.what, '' if len(units) == 1 else row.unit, row.before, row.after, row.delta)}"
        for row in block.rows
    )
    behind = (
        f'\n<tr><td colspan="4" class="behind">behind it: {escaped(block.behind_it())}</td></tr>'
        if block.behind
        else ""
    )
    places = ", ".join(dict.fromkeys(row.place for row in block.rows if row.place))
    return f"<tbody>{_title(block.title, units, places)}{rows}{behind}</tbody>"


def _crowd(crowd: Crowd) -> str:
    spreads = list(crowd.spreads())
    units = {each.unit for each in spreads}
    rows = "".join(
        f"\n{_cells(each.what, '' if len(units) == 1 else each.unit, each.before, each.after, each.change, each.whose)}"
        for each in spreads
    )
    return f"<tbody>{_title(crowd.title, units)}{rows}</tbody>"


def _title(text: str, units: set[str], places: str = "") -> str:
    """`team blue, h100 on pokprod, in GPUs`, with where it was typed."""
    unit = f", in {escaped(min(units))}" if len(units) == 1 else ""
    typed = f' <span class="place">{escaped(places)}</span>' if places else ""
    return f'<tr><th scope="rowgroup" colspan="4">{escaped(text)}{unit}{typed}</th></tr>'


def _cells(what: str, unit: str, before: str, after: str, delta: str, whose: str = "") -> str:
    """A row; `unit` only where the group has several."""
    name = f"{escaped(what)}{f', {escaped(unit)}' if unit else ''}"
    note = f' <span class="place">{escaped(whose)}</span>' if whose else ""
    return (
        f'<tr><th scope="row">{name}{note}</th><td class="n">{escaped(before)}</td>'
        f'<td class="n">{escaped(after)}</td><td class="n d">{escaped(delta)}</td></tr>'
    )


def _everybody(crowd: Crowd, room: int) -> Iterator[str]:
    """All holders of a crowd, a line each, a column a measure; first those whose change somebody must agree to."""
    asking = {id(block) for block in crowd.asking}
    ordered = sorted(crowd.blocks, key=lambda block: id(block) not in asking)
    name = f"All {crowd.title}"
    heads = "".join(
        f'<th scope="col" class="n">{escaped(row.what)}, {escaped(row.unit)}</th>'
        for row in crowd.blocks[0].rows
    )
    yield f"<details><summary>{escaped(name)}</summary>"
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{escaped(name)}">'
    yield f'<table><thead><tr><th scope="col">{escaped(crowd.blocks[0].kind)}</th>{heads}</tr></thead><tbody>'
    for block in ordered[:room]:
        cells = "".join(
            f'<td class="n">{escaped(row.before)} → {escaped(row.after)}</td>' for row in block.rows
        )
        mark = ' <span class="place">needs agreement</span>' if id(block) in asking else ""
        yield f'<tr><th scope="row">{escaped(crowd.name_of(block))}{mark}</th>{cells}</tr>'
    yield "</tbody></table></div>"
    left = len(crowd.blocks) - room
    if left > 0:
        yield f"<p>… and {left} more: <code>kohort plan --format json</code> has all.</p>"
    yield "</details>"
