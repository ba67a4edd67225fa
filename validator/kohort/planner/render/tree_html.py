"""The cohort trees of a page: each node a line of a list with its bars; what the bars show stands beside them in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kohort.diagnostics.count import count_of
from kohort.planner.render.bar_svg import STYLE as BARS
from kohort.planner.render.bar_svg import drawing
from kohort.planner.render.escaped import escaped
from kohort.planner.render.tree_bars import Bar, bars, scale_of
from kohort.planner.render.tree_words import SIGNS, amounts, folded, mark, summary, title, who
from kohort.planner.render.view import listed
from kohort.planner.trees.tree import Branch, Fold, Tree

DEEPEST: Final = 10  # levels that are set in; deeper ones stand at the same place and say what they are in
MOST: Final = 400  # rows of a page
OPEN: Final = 60  # rows that are open; what comes after the first tree and is beyond them is folded

STYLE: Final = (
    BARS
    + """
.rows{list-style:none;margin:0;padding:0}
.row{display:grid;grid-template-columns:minmax(11rem,1fr) minmax(9rem,1.1fr) minmax(15rem,1.6fr);gap:0 1rem;align-items:center;margin:0;border-bottom:1px solid var(--line)}
.who{padding:.35rem 0 .35rem calc(var(--d)*1.15rem);background:repeating-linear-gradient(to right,var(--line) 0 2px,transparent 2px 1.15rem) no-repeat;background-size:calc(var(--d)*1.15rem) 100%;overflow-wrap:anywhere;align-self:stretch}
.d0{--d:0}.d1{--d:1}.d2{--d:2}.d3{--d:3}.d4{--d:4}.d5{--d:5}.d6{--d:6}.d7{--d:7}.d8{--d:8}.d9{--d:9}.d10{--d:10}
.mark{display:inline-block;border:1px solid var(--soft);border-radius:3px;padding:0 .35em;font-size:.8em;color:var(--ink)}
.changed .mark,.moved .mark,.added .mark,.removed .mark,.loop .mark{border-color:var(--ink);font-weight:600}
.removed .name{text-decoration:line-through}
.fold{grid-template-columns:1fr;color:var(--soft)}
.say{color:var(--soft);font-size:.9em;font-variant-numeric:tabular-nums}
.say b{color:var(--ink)}
.bars{display:block;width:100%}.bars,.say{margin:.35rem 0}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.3rem 0 .8rem;padding:0;list-style:none;font-size:.9em;color:var(--soft)}
.key li{display:flex;align-items:center;margin:0}
.key svg{flex:none;width:46px;height:16px;margin:0 .5em 0 0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:640px){.row{grid-template-columns:1fr;padding-bottom:.35rem}.who{padding-bottom:.1rem}.bars,.say{margin:.1rem 0 .1rem calc(min(var(--d),3)*1.15rem)}.bars{width:calc(100% - min(var(--d),3)*1.15rem)}}
"""
)


def trees(found: Sequence[Tree], alike: Sequence[str] = ()) -> Iterator[str]:
    """The legend and each tree; what is beyond the rows of a page is named with its counts.

    `alike` are clusters that change elsewhere than in their trees.
    """
    if not found and not alike:
        return
    yield "<h2>Cohort tree</h2>"
    if alike:
        yield f"<p>No queue or cohort changes on {escaped(listed(alike))}.</p>"
    if not found:
        return
    yield _KEY
    room = MOST
    left: list[Tree] = []
    for tree in found:
        if room <= 0 or (left and len(tree.rows) > room):
            left.append(tree)
            continue
        told = MOST - room
        room -= len(tree.rows)
        yield from _tree(tree, folded_=told > 0 and told + len(tree.rows) > OPEN)
    if left:
        yield f"<h3>{count_of(len(left), 'more tree')}</h3>\n<ul>"
        yield from (f"<li>{escaped(title(tree))}: {escaped(summary(tree))}</li>" for tree in left)
        yield "</ul>"


def _tree(tree: Tree, *, folded_: bool) -> Iterator[str]:
    if folded_:
        yield f"<details><summary><b>{escaped(title(tree))}</b> {escaped(summary(tree))}</summary>"
    else:
        yield f"<h3>{escaped(title(tree))}</h3>\n<p>{escaped(summary(tree))}</p>"
    yield '<ul class="rows" role="list">'
    scale = scale_of(tree.rows)
    for row in tree.rows:
        depth = f"d{min(row.depth, DEEPEST)}"
        if isinstance(row, Fold):
            yield f'<li class="row fold {depth}"><div class="who">… {escaped(folded(row, tree.resource))}</div></li>'
        else:
            yield _branch(row, tree.resource, scale, depth)
    yield "</ul></details>" if folded_ else "</ul>"


def _branch(row: Branch, resource: str, scale: int, depth: str) -> str:
    said = mark(row)
    badge = f' <span class="mark">{escaped(f"{SIGNS[row.mark]} {said}".strip())}</span>' if said else ""
    team = f" <small>team {escaped(row.team)}</small>" if row.team and row.team != row.name else ""
    above = f'<span class="hidden">, in {escaped(row.above)}</span>' if row.above else ""
    numbers = ", ".join(
        f"{word} <b>{escaped(text)}</b>" if "→" in text else f"{word} {escaped(text)}"
        for word, text in amounts(row, resource)
    )
    return (
        f'<li class="row {row.mark or "alike"} {depth}"><div class="who">{who(row)} <b class="name">{escaped(row.name)}</b>'
        f'{above}{team}{badge}</div>{drawing(bars(row, scale))}<div class="say">{numbers}</div></li>'
    )


def _key() -> str:
    bars_ = (
        (Bar("was", 1, 1, 1, cut=False), "before"),
        (Bar("now", 1, 1, 1, cut=False), "after, or both where they are alike"),
        (Bar("now", 0.5, 1, 0.5, cut=False), "dashed: what it may borrow on top"),
        (Bar("now", 1, 1, 0.5, cut=False), "underlined: what others may use while it is idle"),
        (Bar("now", 1, 1, 1, cut=True), "longer than drawn"),
    )
    items = "".join(f"<li>{drawing([bar])}{words}</li>" for bar, words in bars_)
    return f'<ul class="key" role="list">{items}</ul>'


_KEY: Final = _key()
