"""Which nodes of a tree are drawn, and how the rest is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kohort.planner.trees.node import Node
from kohort.planner.trees.tree import Branch, Fold
from kohort.semantics import UNLIMITED
from kohort.semantics.amount import add, sub

WHOLE: Final = 30  # a tree of so many nodes is drawn as it is
MOST: Final = 150  # rows of one tree; more is no picture
OWN: Final = frozenset(
    {"changed", "moved", "added", "removed", "loop"}
)  # marks of nodes that change by themselves
_QUIET: Final = frozenset({"", "reach"})


def rows(nodes: Sequence[Node]) -> tuple[Branch | Fold, ...]:
    """The rows of a tree, given its nodes with parents before children.

    A small tree is whole. Of a large one, what changes is drawn with all above it; below each cohort what is quiet,
    with everything under it, is one row.
    """
    if len(nodes) <= WHOLE:
        return tuple(_branch(node) for node in nodes)
    loud = {id(node) for node in nodes if node.mark not in _QUIET}
    for node in reversed(nodes):
        if any(id(child) in loud for child in node.children):
            loud.add(id(node))
    found: list[Branch | Fold] = []
    cut: list[Node] = []
    roots = [node for node in nodes if node.depth == 0]
    # What is quiet below a cohort follows its last drawn descendant, so rows are collected as a stack of steps.
    waiting: list[Node | list[Node]] = [*_steps(roots, loud)]
    while waiting:
        step = waiting.pop()
        if isinstance(step, list):
            found.append(_fold(step))
            continue
        if len(found) >= MOST:
            cut.append(step)
            continue
        found.append(_branch(step))
        waiting.extend(_steps(step.children, loud))
    if cut:
        found.append(_fold(cut))
    return tuple(found)


def _steps(children: Sequence[Node], loud: set[int]) -> list[Node | list[Node]]:
    """What comes below a node, the last first: its quiet children together, after the others."""
    quiet = [child for child in children if id(child) not in loud]
    shown: list[Node | list[Node]] = [child for child in reversed(children) if id(child) in loud]
    return [quiet, *shown] if quiet else shown


def _below(nodes: Iterable[Node]) -> list[Node]:
    waiting, found = list(nodes), []
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children)
    return found


def _fold(tops: Sequence[Node]) -> Fold:
    every = _below(tops)
    queues = [node for node in every if node.kind != "cohort"]
    guarantee = 0
    for node in (node for node in queues if node.kind == "queue"):
        guarantee = add(guarantee, node.after.guarantee if node.after is not None else 0)
    changes = [
        sub(node.after.borrow, node.before.borrow)
        for node in queues
        if node.before is not None
        and node.after is not None
        and UNLIMITED not in (node.before.borrow, node.after.borrow)
    ]
    reach = (min(changes), max(changes)) if any(changes) else None
    changed = sum(node.mark in OWN for node in every)
    return Fold(tops[0].depth, len(queues), len(every) - len(queues), guarantee, reach, changed)


def _branch(node: Node) -> Branch:
    moved = node.mark == "moved"
    return Branch(
        node.kind,
        node.name,
        node.team,
        node.depth,
        node.before,
        node.after,
        node.mark,
        node.above,
        (node.came_from or "no cohort") if moved else "",
    )
