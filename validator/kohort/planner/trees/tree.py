"""A cohort tree of one flavor and resource, both sides in one: rows in the order of reading, parents before children."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from kohort.dataclass import dataclass


class Stand(NamedTuple):
    """What a queue or cohort has on one side, in Kueue's units; `UNLIMITED` stands for no bound.

    `guarantee` is what it and all below it are promised, without slack (of a slack queue its slack), `borrow` the most
    beyond that when all others are idle, `lend` how much of it others may use while it is idle.
    """

    guarantee: int
    borrow: int
    lend: int


NodeKind: TypeAlias = Literal["cohort", "queue", "slack"]
Mark: TypeAlias = Literal["", "reach", "sum", "changed", "moved", "added", "removed", "loop"]
"""What a change does to a node, in rising weight.

`reach`: only what it may borrow differs, since others changed; `sum`: a cohort whose members changed; `loop`: it
is there, but the parents of its cohort run in a circle, so that Kueue leaves it out.
"""


@dataclass(frozen=True, slots=True)
class Branch:
    """One node. `above` is the cohort that it stands in, `came_from` the one before where it moved."""

    kind: NodeKind
    name: str
    team: str
    depth: int
    before: Stand | None
    after: Stand | None
    mark: Mark
    above: str = ""
    came_from: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Nodes that are not drawn: those that are alike or differ in reach alone, or more changed ones than fit.

    `guarantee` is that of the queues together, after the change. `reach` are the least and the most that what a queue
    may borrow changes, None where it does not; `changed` how many of them change by themselves.
    """

    depth: int
    queues: int
    cohorts: int
    guarantee: int
    reach: tuple[int, int] | None = None
    changed: int = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """All trees of a cluster for one flavor and resource. `nodes` are all of them.

    `changed` counts those that change by themselves, `sums` the cohorts above them whose sums do.
    """

    cluster: str
    flavor: str
    resource: str
    rows: tuple[Branch | Fold, ...]
    nodes: int
    changed: int
    sums: int = 0
