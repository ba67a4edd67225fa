"""From which queue the next victim comes under fair sharing: down from the root, always to the largest share.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/fairsharing` (ordering.go, least_common_ancestor.go). Only what holds
candidates takes part: what holds none can win here without effect, and is left out then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heapreplace
from typing import Final

from kohort.semantics.preemption.candidates import Entry, Line
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.sharing.drs import Share, ShareKey, share
from kohort.semantics.state import Queue
from kohort.semantics.tree import TreeNode
from kohort.semantics.work import Work

Standing = tuple[int, float, tuple[bool, bool, int, int, str], tuple[bool, str], TreeNode]
"""Share key, negated; what Kueue orders the next candidate by; what makes that unique; the queue."""

_NOBODY: Final[ShareKey] = (0, -1.0)  # below every share


class Tournament:
    """Queues with candidates, best victim first. `next` picks a queue; `take` or `drop` must follow, so it ends."""

    def __init__(self, trial: Trial, candidates: Mapping[TreeNode, Line]) -> None:
        self._trial = trial
        self._own = trial.queue.node
        self._lines = candidates
        self._members: dict[TreeNode, dict[TreeNode, None]] = {}  # what may still win, by cohort
        self._shares: dict[TreeNode, Share] = {}
        self._heaps: dict[TreeNode, list[Standing]] = {}  # queues by standing, by cohort
        for node in candidates:
            while node.parent is not None and node not in self._members.setdefault(node.parent, {}):
                self._members[node.parent][node] = None
                node = node.parent  # noqa: PLW2901 - climbs
        self._ancestors: dict[TreeNode, TreeNode] = {}  # of the preemptor: cohort → the node below it
        below = self._own
        while below is not None and below.parent is not None:
            self._ancestors[below.parent] = below
            below = below.parent
        self._root = below

    def next(self) -> Queue | None:
        """The queue whose next candidate is to be looked at; None when nobody is left."""
        if self._own is None or self._root is None:
            return None
        if self._root is self._own:
            return self._trial.queue if self.waiting(self._trial.queue) else None
        cohort = self._root
        while True:
            queue, queue_key = self._best_queue(cohort)
            child, child_key = self._best_cohort(cohort)
            if child is not None and child_key >= queue_key:
                cohort = child
            elif queue is not None:
                return self._trial.state.queue_at[queue]
            elif cohort is self._root or cohort.parent is None:
                return None
            else:
                del self._members[cohort.parent][cohort]
                cohort = self._root

    def waiting(self, queue: Queue) -> bool:
        """Whether the queue has candidates left."""
        candidates = self._lines.get(queue.node) if queue.node is not None else None
        return candidates is not None and candidates.head is not None

    def take(self, queue: Queue) -> Entry:
        """The queue's next candidate, which is none any more."""
        assert queue.node is not None
        return self._lines[queue.node].take()

    def drop(self, queue: Queue) -> None:
        """Look at no more candidates of this queue."""
        assert queue.node is not None
        self._lines[queue.node].close()

    def lift(self, work: Work) -> None:
        """Take a victim out of the ledger; shares up its path count anew."""
        self._trial.state.lift(work)
        node = self._trial.state.queues[work.cluster_queue].node
        while node is not None:
            self._shares.pop(node, None)
            node = node.parent

    def sides(self, queue: Queue) -> tuple[TreeNode, TreeNode]:
        """The two nodes just below the lowest cohort that holds both: the preemptor's side, and the queue's."""
        assert queue.node is not None
        node = queue.node
        while node.parent is not None and node.parent not in self._ancestors:
            node = node.parent
        assert node.parent is not None
        return self._ancestors[node.parent], node

    def share(self, node: TreeNode) -> Share:
        """The share of a node as things stand in the trial."""
        found = self._shares.get(node)
        if found is None:
            found = self._shares[node] = share(self._trial.state.ledger, node)
        return found

    def share_without(self, node: TreeNode, work: Work) -> Share:
        """The share of a node if this work were gone."""
        self._trial.state.lift(work)
        found = share(self._trial.state.ledger, node)
        self._trial.state.put_back(work)
        return found

    def _best_queue(self, cohort: TreeNode) -> tuple[TreeNode | None, ShareKey]:
        """The queue of the largest share right below; of equals the one whose next candidate comes first.

        Shares only fall and candidates only get worse, so what stands first in the heap and is still true is the best.
        """
        heap = self._heaps.get(cohort)
        if heap is None:
            standings = [self._standing(node) for node in self._members.get(cohort, ()) if node.is_queue]
            heap = self._heaps[cohort] = [each for each in standings if each is not None]
            heapify(heap)
        while heap:
            node = heap[0][-1]
            now = self._standing(node)
            if now is None:
                heappop(heap)
            elif now[:-1] != heap[0][:-1]:
                heapreplace(heap, now)
            else:
                if self._trial.ties is not None:
                    self._note_equals(heap)
                return node, (-now[0], -now[1])
        return None, _NOBODY

    def _standing(self, node: TreeNode) -> Standing | None:
        """Where a queue stands among its siblings; None when it takes no part any more."""
        head = self._lines[node].head
        found = self.share(node)
        if head is None or not (found.borrowed or node is self._own):
            return None
        above, value = found.key
        return -above, -value, (head[0], node is self._own, *head[1:4]), head[4:6], node

    def _note_equals(self, heap: list[Standing]) -> None:
        """Collect the next candidates of queues that only a UID keeps apart from the best."""
        assert self._trial.ties is not None
        nodes = [each[-1] for each in heap if (now := self._standing(each[-1])) and now[:3] == heap[0][:3]]
        if len(nodes) > 1:
            self._trial.ties |= {head[-1] for node in nodes if (head := self._lines[node].head)}

    def _best_cohort(self, cohort: TreeNode) -> tuple[TreeNode | None, ShareKey]:
        """The cohort of the largest share right below. Kueue leaves equals to the order of a Go map."""
        best: list[TreeNode] = []
        best_key = _NOBODY
        members = self._members.get(cohort, {})
        for node in [member for member in members if not member.is_queue]:
            found = self.share(node)
            if not (found.borrowed or node in self._ancestors):
                del members[node]
                continue
            if found.key > best_key:
                best, best_key = [node], found.key
            elif found.key == best_key:
                best.append(node)
        return self._by_chance(best), best_key

    def _by_chance(self, equals: list[TreeNode]) -> TreeNode | None:
        """One of equals: those with a preferred candidate come first, then the last in the tree's order."""
        if len(equals) < 2:
            return equals[0] if equals else None
        options = equals[::-1]
        wanted = self._trial.preferred
        if wanted:
            options.sort(key=lambda node: not any(work.key in wanted for work in self._works(node)))
        return options[self._trial.decide(len(options))]

    def _works(self, node: TreeNode) -> Iterator[Work]:
        """The candidates left below a node."""
        for leaf in self._leaves(node):
            yield from (entry[-1] for entry in self._lines[leaf].left())

    def _leaves(self, node: TreeNode) -> list[TreeNode]:
        """The queues below that may still win."""
        found, open_nodes = [], [node]
        while open_nodes:
            each = open_nodes.pop()
            if each.is_queue:
                found.append(each)
            open_nodes.extend(self._members.get(each, ()))
        return found
