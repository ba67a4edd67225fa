"""All that a decision may read: queues with their cells and the work that uses quota. The only owner of usage.

`reserve` and `release` are final; `lift` and `put_back` try a world without some work and restore it, in reverse order.
Source of the rules: Kueue 0.19.1 `pkg/cache/scheduler` (ClusterQueue, snapshot). Nothing here knows time passing: `now`
is set by whoever drives it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kohort.objects.kueue import ClusterQueue, Cohort, Flavor, LocalQueue, ResourceGroup
from kohort.semantics.assignment import Assignment
from kohort.semantics.ledger import Cell, Cells, Ledger
from kohort.semantics.settings import Settings
from kohort.semantics.topology.assigning import count_pods
from kohort.semantics.topology.forest import Forest
from kohort.semantics.tree import FlavorResource, QuotaTree, TreeNode
from kohort.semantics.work import Phase, Work

_NONE: Final = 2**63  # above every priority


@dataclass(eq=False, slots=True)
class Queue:
    """A ClusterQueue at work.

    `node` is None when a cohort cycle excludes the queue. `inactive` is Kueue's reason (Stopped, FlavorNotFound, …),
    empty while it is active. `works` holds what uses its quota, by key, in order of reservation.
    """

    name: str
    spec: ClusterQueue
    node: TreeNode | None
    cells: Cells
    groups: tuple[ResourceGroup, ...]
    group_of: Mapping[str, ResourceGroup]  # resource → its group
    inactive: str = ""
    inactive_detail: str = ""
    works: dict[str, Work] = field(default_factory=dict)
    generation: int = 0  # grows with every change of quota in its tree and of its own usage
    ledger: Ledger | None = None
    plans: dict[Any, Any] = field(default_factory=dict)  # kept by `flavors/`: shape of work → what to search
    ranked: dict[Any, Any] = field(
        default_factory=dict
    )  # kept by `preemption/`: what is needed → users in order
    strays: dict[FlavorResource, Cell] = field(
        default_factory=dict
    )  # pairs in use that have no quota any more
    lowest: tuple[int, int] = (-1, 0)  # generation, and the lowest priority of its works then
    reach: tuple[int, int] | None = None  # kept by `preemption/`: whom its work may preempt at all

    def lowest_priority(self) -> int:
        """The lowest priority of all that uses its quota; larger than any where nothing does."""
        if self.lowest[0] != self.generation:
            least = min((work.priority for work in self.works.values()), default=_NONE)
            self.lowest = (self.generation, least)
        return self.lowest[1]

    def cell(self, pair: FlavorResource) -> Cell | None:
        """The cell of a pair, also of one without quota here; None only for a queue outside the tree."""
        cell = self.cells.get(pair) or self.strays.get(pair)
        if cell is None and self.ledger is not None and self.node is not None:
            cell = self.strays[pair] = self.ledger.stray(self.node, pair)
        return cell

    def add(self, usage: Mapping[FlavorResource, int]) -> None:
        """Count usage here and above."""
        for pair, units in usage.items():
            cell = self.cells.get(pair) or self.cell(pair)
            if cell is not None:
                cell.add(units)

    def remove(self, usage: Mapping[FlavorResource, int]) -> None:
        """Give usage back."""
        for pair, units in usage.items():
            cell = self.cells.get(pair) or self.cell(pair)
            if cell is not None:
                cell.remove(units)

    def fits(self, usage: Mapping[FlavorResource, int]) -> bool:
        """Whether all of it may still be taken now."""
        for pair, units in usage.items():
            cell = self.cells.get(pair) or self.cell(pair)
            if units > (cell.room() if cell is not None else 0):
                return False
        return True


@dataclass(eq=False)
class State:
    """Queues, cohorts, flavors and the work that uses them, at the moment `now` (milliseconds).

    `rebuild` is called after every edit of queues, cohorts, flavors, topologies or settings: edits are rare,
    decisions are not.
    """

    settings: Settings
    specs: dict[str, ClusterQueue] = field(default_factory=dict)
    cohorts: dict[str, Cohort] = field(default_factory=dict)
    flavors: dict[str, Flavor] = field(default_factory=dict)
    local_queues: dict[tuple[str, str], LocalQueue] = field(default_factory=dict)
    namespaces: dict[str, Mapping[str, str]] = field(default_factory=dict)  # name → labels
    topologies: dict[str, tuple[str, ...]] = field(default_factory=dict)  # name → levels, the widest first
    forests: dict[str, Forest] = field(
        default_factory=dict
    )  # flavor → its nodes by topology; only where nodes are known
    now: int = 0
    local_usage: dict[tuple[str, str], float] = field(
        default_factory=dict
    )  # (namespace, LocalQueue) → score of
    # admission fair sharing; only where its ClusterQueue uses it
    preferred: frozenset[str] = (
        frozenset()
    )  # keys of work that goes first where the real system decides by chance
    queues: dict[str, Queue] = field(default_factory=dict)
    queue_at: dict[TreeNode, Queue] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=lambda: Ledger(QuotaTree.of({}, {})))

    def rebuild(self) -> None:
        """Make tree, cells and queues anew from the specs, and count again what the work uses.

        Work of a queue that no longer exists keeps its assignment but counts nowhere.
        """
        before = self.queues
        tree = QuotaTree.of(self.specs, self.cohorts)
        self.ledger = Ledger(tree)
        self.queues, self.queue_at = {}, {}
        for name, spec in self.specs.items():
            node = tree.queues.get(name)
            queue = Queue(
                name,
                spec,
                node,
                self.ledger.queue(name),
                spec.groups,
                {resource: group for group in reversed(spec.groups) for resource in group.covered},
                ledger=self.ledger,
            )
            self.queues[name] = queue
            if node is not None:
                self.queue_at[node] = queue
            old = before.get(name)
            if old is not None:
                queue.inactive, queue.inactive_detail = old.inactive, old.inactive_detail
                queue.generation = old.generation + 1
                queue.works = old.works
                for work in queue.works.values():
                    queue.add(work.usage)

    def queue_of(self, work: Work) -> Queue | None:
        """The ClusterQueue that the work's LocalQueue leads to, or None."""
        local = self.local_queues.get((work.namespace, work.queue))
        return None if local is None else self.queues.get(local.cluster_queue)

    def reserve(self, work: Work, queue: Queue, assignment: Assignment) -> None:
        """Give the work its quota: it is RESERVED now."""
        work.assignment = assignment
        work.usage = dict(assignment.usage)
        work.cluster_queue = queue.name
        work.phase = Phase.RESERVED
        work.reserved_at = self.now
        work.eviction = None
        work.plan = None
        queue.works[work.key] = work
        queue.add(work.usage)
        if self.forests:
            count_pods(self, work, assignment, 1)
        self.touch(queue)

    def release(self, work: Work) -> None:
        """Take back what the work uses; its phase is the caller's business. Nothing happens if it uses none."""
        queue = self.queues.get(work.cluster_queue)
        if queue is not None and queue.works.pop(work.key, None) is not None:
            queue.remove(work.usage)
            if self.forests and work.assignment is not None:
                count_pods(self, work, work.assignment, -1)
            self.touch(queue)
        work.assignment = None
        work.usage = {}
        work.cluster_queue = ""

    def touch(self, queue: Queue) -> None:
        """Note that work of the queue came, went or changed its standing (eviction, priority).

        What its pending work tried before is out of date, and so is the order of its candidates.

        Only the queue's own: in Kueue usage moves the generation of one queue, and quota that of its whole tree.
        """
        queue.generation += 1

    def lift(self, work: Work) -> None:
        """Try the world without this work's usage; `put_back` in reverse order restores it."""
        self.queues[work.cluster_queue].remove(work.usage)
        if self.forests and work.assignment is not None:
            count_pods(self, work, work.assignment, -1)

    def put_back(self, work: Work) -> None:
        """Undo `lift`."""
        self.queues[work.cluster_queue].add(work.usage)
        if self.forests and work.assignment is not None:
            count_pods(self, work, work.assignment, 1)

    def below(self, node: TreeNode) -> Iterator[Queue]:
        """The queues at or below a node, in the tree's order."""
        for each in node.below():
            queue = self.queue_at.get(each)
            if queue is not None:
                yield queue

    def tree_of(self, queue: Queue) -> Iterator[Queue]:
        """All queues of the queue's whole tree, itself included."""
        return iter((queue,)) if queue.node is None else self.below(queue.node.root())

    def cell(self, node: TreeNode, pair: FlavorResource) -> Cell | None:
        """The cell of any node, None where the pair has no quota at or below it."""
        return self.ledger.cells(node).get(pair)
