"""One cluster before and after a change with what runs on it, and who would give way there first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property

from kohort.capacity import assess
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.objects.kueue.queue import Preemption
from kohort.planner.reclaiming import active, beyond_guarantee, queues_below, reclaiming
from kohort.planner.state import State, Work
from kohort.rules.workloads.configuration import fair_sharing
from kohort.semantics import FlavorResource, TreeNode
from kohort.semantics.amount import add

_NEVER, _LOWER = "Never", "LowerPriority"


@dataclass(frozen=True)
class Scene:
    """One cluster before and after, and what runs there."""

    name: str
    before: Cluster | None
    after: Cluster | None
    state: State
    rooms: dict[tuple[str, bool, str, str], int | None] = field(default_factory=dict, repr=False)
    victims: dict[tuple[str, str, str], tuple[Work, ...]] = field(default_factory=dict, repr=False)

    def queue_of(self, work: Work) -> str:
        """The ClusterQueue of a workload: where it reserves, else where its LocalQueue led before the change."""
        if work.queue or self.before is None:
            return work.queue
        local = self.before.local_queues.get((work.namespace, work.local_queue))
        return local.cluster_queue if local is not None else ""

    def running(self, queue: str) -> Iterator[Work]:
        """Work that holds quota of a queue."""
        return iter(self._running.get(queue, ()))

    @cached_property
    def _running(self) -> dict[str, list[Work]]:
        found: dict[str, list[Work]] = {}
        for work in self.state.works:
            if work.running:
                found.setdefault(work.queue, []).append(work)
        return found

    def pending(self, queues: Iterable[str]) -> Iterator[Work]:
        """Work that waits in some queues."""
        for queue in dict.fromkeys(queues):
            yield from self._waiting.get(queue, ())

    @cached_property
    def _waiting(self) -> dict[str, list[Work]]:
        found: dict[str, list[Work]] = {}
        for work in self.state.works:
            if not work.running:
                found.setdefault(self.queue_of(work), []).append(work)
        return found

    def waiting_of(self, namespace: str) -> Iterator[Work]:
        """What waits in a namespace."""
        return (work for work in self.state.works if not work.running and work.namespace == namespace)

    def waiting_in(self, namespace: str, local_queue: str, *, reserved: bool = False) -> Iterator[Work]:
        """What waits and names a LocalQueue; with `reserved` also what has quota and waits for its checks."""
        for work in self.state.works:
            if (work.namespace, work.local_queue) == (namespace, local_queue) and (
                not work.running or (reserved and not work.admitted)
            ):
                yield work

    def node(self, name: str, *, after: bool = True, cohort: bool = False) -> TreeNode | None:
        """A queue or cohort in the quota tree of a side."""
        side = self.after if after else self.before
        if side is None:
            return None
        tree = assess(side).tree
        return (tree.cohorts if cohort else tree.queues).get(name)

    def members(self, name: str, *, cohort: bool, after: bool = True) -> list[str]:
        """Names of the queues below a cohort; a queue is its own only member."""
        return _queues(self.node(name, after=after, cohort=cohort))

    def tree(self, name: str, *, cohort: bool, after: bool = True) -> list[str]:
        """Names of all queues that share a root with a queue or cohort."""
        node = self.node(name, after=after, cohort=cohort)
        return _queues(node.root() if node is not None else None)

    def preemption(self, queue: str) -> Preemption | None:
        """Whom a queue may preempt after the change."""
        node = self.node(queue)
        return node.source.preemption if node is not None and isinstance(node.source, ClusterQueue) else None

    def above(self, queue: str, pair: FlavorResource) -> int:
        """How much a queue uses beyond its guarantee after the change."""
        node = self.node(queue)
        used = self.state.usage.get(queue, {}).get(pair, 0)
        return max(0, used - (node.nominal(pair) if node is not None else 0))

    def takers(self, queue: str, pair: FlavorResource) -> list[Work]:
        """The workloads that use a flavor's resource in a queue, newest first."""
        found = [work for work in self.running(queue) if work.uses.get(pair)]
        return sorted(found, key=lambda work: (work.since, work.namespace, work.name), reverse=True)

    def giving_way(self, queue: str, pair: FlavorResource) -> Iterator[Work]:
        """Who in a queue would lose its place if all that it uses above its guarantee were taken back.

        Kueue 0.19.1 takes the lowest priority first, of equal ones the newest, and nothing more from a queue that is
        within its guarantee (kueue.md 6.1 and 6.2; played in the lab).
        """
        over = self.above(queue, pair)
        for work in sorted(self.takers(queue, pair), key=lambda work: work.priority):
            if over <= 0:
                return
            over -= work.uses[pair]
            yield work

    def pushed_aside(self, queue: str, pair: FlavorResource) -> Iterator[Work]:
        """What runs in a queue and gives way to work that asked for more than the queue could have before, and fits now.

        All other work that waits had its chance to preempt it before.
        """
        was, now, policy = self.node(queue, after=False), self.node(queue), self.preemption(queue)
        if was is None or now is None or policy is None or policy.within_cluster_queue == _NEVER:
            return
        could, can = was.potential(pair) if pair in was.limits else 0, now.potential(pair)
        fits = [work for work in self.pending([queue]) if could < work.asks.get(pair[1], 0) <= can]
        if not fits:
            return
        most = max(work.priority for work in fits)
        equals = policy.within_cluster_queue != _LOWER
        for work in self.takers(queue, pair):
            if work.priority < most or (equals and work.priority == most):
                yield work

    def outgrows(self, queue: str, pair: FlavorResource) -> bool:
        """Whether there is anybody to be pushed aside."""
        return any(True for _ in self.pushed_aside(queue, pair))

    def borrowers(self, queues: Iterable[str], pair: FlavorResource | None = None) -> Iterator[Work]:
        """Who would give way in each of some queues to those that take back what others borrowed, for one or any flavor."""
        for queue in queues:
            for one in (pair,) if pair is not None else tuple(self.state.usage.get(queue, {})):
                key = (queue, *one)
                if key not in self.victims:  # many changes ask for the same queues
                    some = self.giving_way(queue, one) if self.threatened(queue, one) else ()
                    self.victims[key] = tuple(some)
                yield from self.victims[key]

    def threatened(self, queue: str, pair: FlavorResource) -> bool:
        """Whether another queue may take back what this one borrowed: all guarantees together need what is in use.

        Work of a stopped queue is not preempted, as its queue is not looked at (kueue.md 2.11).
        """
        node = self.node(queue)
        if node is None or self.after is None or not active(node):
            return False
        root = node.root()
        takers = reclaiming(self.after, root, pair)
        if not takers or takers == {queue}:
            return False
        room = self._room(root, pair)
        if room is None:
            return True
        # the queue itself asks nobody to give way to it here: of it only counts what it has
        used = self.state.usage.get(queue, {}).get(pair, 0)
        own = max(used, node.nominal(pair)) - max(used, node.local(pair)) if queue in takers else 0
        return room + own < 0

    def _room(self, root: TreeNode, pair: FlavorResource) -> int | None:
        """How much of a flavor's resource is left in a tree when all that take back have their guarantees.

        Only said of one cohort with queues that preempt for no more than that; else somebody may always be asked for more.
        """
        key = (root.name, root.is_queue, *pair)
        if key not in self.rooms:
            queues = list(queues_below(root))
            open_ = (
                self.after is None
                or fair_sharing(self.after) is not False
                or any(map(beyond_guarantee, queues))
            )
            nested = any(not child.is_queue for child in root.children)
            self.rooms[key] = None if open_ or nested else self._left(root, queues, pair)
        return self.rooms[key]

    def _left(self, root: TreeNode, queues: list[TreeNode], pair: FlavorResource) -> int:
        assert self.after is not None, "asked where there is a cluster"
        takers = reclaiming(self.after, root, pair)
        wanted = 0
        for node in queues:
            kept = node.nominal(pair) if node.name in takers else node.local(pair)
            wanted = add(wanted, max(self.state.usage.get(node.name, {}).get(pair, 0), kept))
        return sum(node.nominal(pair) for node in root.below()) - wanted


def _queues(node: TreeNode | None) -> list[str]:
    return [one.name for one in queues_below(node)]
