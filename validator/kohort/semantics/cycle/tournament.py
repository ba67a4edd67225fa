"""In which order the nominated heads of one tree are processed under fair sharing.

Source: Kueue 0.19.1 `pkg/scheduler/fair_sharing_iterator.go`. Before each pop every cohort, from the leaves up, sends its
best candidate to its parent: whose child borrows nothing of what is asked for, then whose child has the smaller share with
the candidate's own usage counted in, then priority, then age. So every admission changes who is next.

Kueue computes all shares anew for every pop. A share depends on the usage of the node alone, so here only those are computed
anew that lie above the queue whose usage changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.semantics.cycle.entry import Entry
from kohort.semantics.sharing.drs import Share, share
from kohort.semantics.state import State
from kohort.semantics.tree import TreeNode

Strength = tuple[bool, tuple[int, float], int, int]
Rank = tuple[Strength, bool, str]


def tournament(entries: list[Entry], state: State, ties: list[list[Entry]]) -> Iterator[Entry]:
    """The entries of one tree in order; each is chosen only when it is asked for. Equals are added to `ties`."""
    contest = _Contest(entries, state, ties)
    while contest.left:
        winner = contest.pop()
        yield winner
        if winner.changed_usage:
            contest.usage_changed(winner)


class _Contest:
    """Ranks of the entries in every cohort above them, and each cohort's champion as long as it is known."""

    def __init__(self, entries: list[Entry], state: State, ties: list[list[Entry]]) -> None:
        self.left: dict[TreeNode, Entry] = {}
        self._state = state
        self._ties = ties
        self._ranks: dict[tuple[TreeNode, TreeNode], Rank] = {}
        self._champions: dict[TreeNode, Entry | None] = {}
        self._told: dict[TreeNode, Strength] = {}
        for entry in entries:
            assert entry.queue.node is not None
            self.left[entry.queue.node] = entry
            self._judge(entry)
        some = next(iter(self.left), None)
        self._root = some.root() if some is not None else None
        # Cohorts before queues, each in the order of declaration: the last resort among equals.
        self._contenders = {
            node: sorted(node.children, key=_is_queue)
            for node in (self._root.below() if self._root is not None else ())
            if not node.is_queue
        }

    def pop(self) -> Entry:
        """Take out who goes first now."""
        root = self._root
        assert root is not None
        if root.is_queue:
            return self.left.pop(root)
        for cohort in reversed(self._contenders):  # parents stand before their children
            if cohort not in self._champions:
                self._champions[cohort] = self._champion(cohort)
        winner = self._champions[root]
        assert winner is not None
        assert winner.queue.node is not None
        del self.left[winner.queue.node]
        for cohort in _above(winner.queue.node):
            self._champions.pop(cohort, None)
        return winner

    def usage_changed(self, of: Entry) -> None:
        """Judge anew who shares a cohort below the root with this entry's queue."""
        assert of.queue.node is not None
        path = {cohort for cohort in _above(of.queue.node) if cohort.parent is not None}
        if not path:
            return
        for node, entry in self.left.items():
            if not path.isdisjoint(_above(node)):
                self._judge(entry)
                for cohort in _above(node):
                    self._champions.pop(cohort, None)
                    self._told.pop(cohort, None)

    def _champion(self, cohort: TreeNode) -> Entry | None:
        best: Entry | None = None
        best_rank: Rank | None = None
        equals: list[Entry] = []
        for child in self._contenders[cohort]:
            entry = self.left.get(child) if child.is_queue else self._champions[child]
            if entry is None:
                continue
            assert entry.queue.node is not None
            rank = self._ranks[cohort, entry.queue.node]
            if best_rank is None or rank[0] < best_rank[0]:
                equals = [entry]
            elif rank[0] == best_rank[0]:
                equals.append(entry)
            if best_rank is None or rank < best_rank:
                best, best_rank = entry, rank
        if len(equals) > 1 and best_rank is not None and self._told.get(cohort) != best_rank[0]:
            self._told[cohort] = best_rank[0]  # what is left of these equals needs no telling again
            self._ties.append(equals)
        return best

    def _judge(self, entry: Entry) -> None:
        """Rank an entry in every cohort above it: by the child of the cohort that it comes from, its usage counted in."""
        node = entry.queue.node
        assert node is not None
        assert entry.assignment is not None
        usage = entry.assignment.usage
        unloved = entry.work.key not in self._state.preferred
        entry.queue.add(usage)
        child = node
        while child.parent is not None:
            found = share(self._state.ledger, child)
            self._ranks[child.parent, node] = (self._strength(entry, found), unloved, entry.work.uid)
            child = child.parent
        entry.queue.remove(usage)

    def _strength(self, entry: Entry, found: Share) -> Strength:
        assert entry.assignment is not None
        settings = self._state.settings
        borrows = False
        if found.borrowed and settings.on("FairSharingPrioritizeNonBorrowing"):
            usage = entry.assignment.usage
            borrows = any(pair in usage for pair in found.borrowed)
        priority = -entry.work.priority if settings.on("PrioritySortingWithinCohort") else 0
        return borrows, found.key, priority, entry.work.order_time


def _above(node: TreeNode) -> Iterator[TreeNode]:
    """The cohorts above a node, the nearest first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _is_queue(node: TreeNode) -> bool:
    return node.is_queue
