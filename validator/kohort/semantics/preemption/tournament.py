"""From which queue the next victim comes under fair sharing: down from the root, always to the largest share.

Source: Kueue 0.19.1 `pkg/scheduler/preemption/fairsharing` (ordering.go, least_common_ancestor.go). Only what holds
candidates takes part: what holds none can win here without effect, and is left out then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.semantics.preemption.candidates import Rank, rank
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.sharing.drs import Share, ShareKey, share
from kohort.semantics.state import Queue
from kohort.semantics.tree import TreeNode
from kohort.semantics.work import Work


class Tournament:
    """Queues with candidates, best victim first. `next` picks a queue; `take` or `drop` must follow, so it ends."""

    def __init__(self, trial: Trial, candidates: Mapping[TreeNode, list[Work]]) -> None:
        self._trial = trial
        self._own = trial.queue.node
        self._left = {node: works[::-1] for node, works in candidates.items()}
        self._members: dict[TreeNode, dict[TreeNode, None]] = {}  # what may still win, by cohort
        self._shares: dict[TreeNode, Share] = {}
        for node in self._left:
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
            return self._trial.queue if self._left.get(self._own) else None
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
        return queue.node is not None and bool(self._left.get(queue.node))

    def take(self, queue: Queue) -> Work:
        """The queue's next candidate, which is none any more."""
        assert queue.node is not None
        return self._left[queue.node].pop()

    def drop(self, queue: Queue) -> None:
        """Look at no more candidates of this queue."""
        assert queue.node is not None
        self._left[queue.node].clear()

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
        """The queue of the largest share right below; of equals the one whose next candidate comes first."""
        best: TreeNode | None = None
        best_key, best_head = (0, -1.0), _LAST
        members = self._members.get(cohort, {})
        for node in [member for member in members if member.is_queue]:
            if not self._left[node] or not (self.share(node).borrowing or node is self._own):
                del members[node]
                continue
            key, head = self.share(node).key, self._head(node)
            if best is not None and key == best_key and head[0] == best_head[0]:
                self._note(node, best)
            if key > best_key or (key == best_key and head < best_head):
                best, best_key, best_head = node, key, head
        return best, best_key

    def _best_cohort(self, cohort: TreeNode) -> tuple[TreeNode | None, ShareKey]:
        """The cohort of the largest share right below. Kueue leaves equals to the order of a Go map."""
        best: list[TreeNode] = []
        best_key = (0, -1.0)
        members = self._members.get(cohort, {})
        for node in [member for member in members if not member.is_queue]:
            found = self.share(node)
            if not (found.borrowing or node in self._ancestors):
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
            yield from self._left[leaf]

    def _leaves(self, node: TreeNode) -> list[TreeNode]:
        """The queues below that may still win."""
        found, open_nodes = [], [node]
        while open_nodes:
            each = open_nodes.pop()
            if each.is_queue:
                found.append(each)
            open_nodes.extend(self._members.get(each, ()))
        return found

    def _head(self, node: TreeNode) -> tuple[Rank, bool, str]:
        work = self._left[node][-1]
        return rank(self._trial, work), work.key not in self._trial.preferred, work.key

    def _note(self, *queues: TreeNode) -> None:
        """Remember that chance decides between the next candidates of these queues."""
        if self._trial.ties is not None:
            self._trial.ties.update(self._left[queue][-1] for queue in queues)


_LAST: tuple[Rank, bool, str] = ((True, True, 2**63, 2**63, "\U0010ffff"), True, "")
