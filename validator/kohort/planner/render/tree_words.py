"""A cohort tree in words: what each row says to whoever does not see the bars."""

from __future__ import annotations

from typing import Final

from kohort.capacity.words import amount, number, unit
from kohort.diagnostics.count import count_of
from kohort.planner.trees.tree import Branch, Fold, Mark, Tree
from kohort.semantics import UNLIMITED

SIGNS: Final[dict[Mark, str]] = {
    "": "",
    "reach": "",
    "sum": "",
    "changed": "~",
    "moved": "→",
    "added": "+",
    "removed": "-",
    "loop": "!",
}
_WORDS: Final[dict[Mark, str]] = {
    "": "",
    "reach": "may borrow otherwise",
    "sum": "sum changes",
    "changed": "changed",
    "added": "added",
    "removed": "removed",
    "loop": "left out: its cohorts run in a circle",
}


def title(tree: Tree) -> str:
    """`h100 on pokprod, in GPUs`."""
    on = f" on {tree.cluster}" if tree.cluster else ""
    return f"{tree.flavor or 'all flavors'}{on}, in {unit(tree.resource)}"


def summary(tree: Tree) -> str:
    """`2 of 40 queues and cohorts change, and with them the sums of 3 cohorts.`: the sentence below the title."""
    many = count_of(tree.nodes, "queue or cohort", "queues and cohorts")
    sums = f", and with {'it' if tree.changed == 1 else 'them'} the sums of {count_of(tree.sums, 'cohort')}"
    if not tree.changed:
        return f"None of {many} changes by itself."
    verb = "changes" if tree.changed == 1 else "change"
    return f"{tree.changed} of {many} {verb}{sums if tree.sums else ''}."


def who(row: Branch) -> str:
    """`queue blue`."""
    return "slack" if row.kind == "slack" else row.kind


def mark(row: Branch) -> str:
    """`changed`, `moved from research`; empty where nothing happens."""
    return f"moved from {row.came_from}" if row.mark == "moved" else _WORDS[row.mark]


def amounts(row: Branch, resource: str) -> list[tuple[str, str]]:
    """What the row has: the word, and before and after where they differ."""
    was, now = row.before, row.after
    first = "slack" if row.kind == "slack" else "guarantee"
    return [
        (word, change(None if was is None else was[i], None if now is None else now[i], resource))
        for i, word in enumerate((first, "may borrow", "lends up to"))
    ]


def change(was: int | None, now: int | None, resource: str) -> str:
    """`8`, `8 → 16 (+8)`, `– → 16`."""
    if was == now:
        return "–" if now is None else number(now, resource)
    ends = " → ".join("–" if units is None else number(units, resource) for units in (was, now))
    if was is None or now is None or UNLIMITED in (was, now):
        return ends
    return f"{ends} ({'+' if now > was else '-'}{number(abs(now - was), resource)})"


def sentence(row: Branch | Fold, resource: str) -> str:
    """A whole row: `queue blue of team blue, in research, changed: guarantee 8 → 16 (+8), may borrow …`."""
    if isinstance(row, Fold):
        return folded(row, resource)
    team = f" of team {row.team}" if row.team and row.team != row.name else ""
    above = f", in {row.above}" if row.above else ""
    said = f", {mark(row)}" if mark(row) else ""
    numbers = ", ".join(f"{word} {text}" for word, text in amounts(row, resource))
    return f"{who(row)} {row.name}{team}{above}{said}: {numbers}"


def folded(row: Fold, resource: str) -> str:
    """`996 queues and 12 cohorts are unchanged, guaranteed 7968 GPUs together`."""
    counts = [count_of(n, word) for n, word in ((row.queues, "queue"), (row.cohorts, "cohort")) if n]
    many = " and ".join(counts)
    together = f"guaranteed {amount(row.guarantee, resource)}{'' if row.queues == 1 else ' together'}"
    if row.changed:
        return f"{many} more, of which {row.changed} change, {together}: under Amounts"
    one = row.queues + row.cohorts == 1
    are = "is" if one else "are"
    if row.reach is None:
        return f"{many} {are} unchanged, {together}"
    least, most = (f"{'+' if n > 0 else '-' if n < 0 else ''}{number(abs(n), resource)}" for n in row.reach)
    by = least if least == most else f"{least} to {most}"
    borrow = f"what it may borrow ({by})" if one else f"what they may borrow ({by} each)"
    return f"{many} {are} unchanged but for {borrow}, {together}"
