"""In which order the nominated heads of one tree are processed under fair sharing.

Source: Kueue 0.19.1 `pkg/scheduler/fair_sharing_iterator.go`. Before each pop every cohort, from the leaves up, sends its
best candidate to its parent: whose child borrows nothing of what is asked for, then whose child has the smaller share with
the candidate's own usage counted in, then priority, then age. So every admission changes who is next.
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
    """The entries of one tree in order; each is chosen only when it is asked for. Pairs of equals are added to `ties`."""
    left = {entry.queue.node: entry for entry in entries}
    shares: dict[tuple[TreeNode, TreeNode], Share] = {}
    stale = True
    while left:
        if stale:
            shares = _shares(left, state)
        winner = _winner(left, shares, state, ties)
        assert winner.queue.node is not None
        del left[winner.queue.node]
        yield winner
        stale = winner.changed_usage


def _winner(
    left: dict[TreeNode | None, Entry],
    shares: dict[tuple[TreeNode, TreeNode], Share],
    state: State,
    ties: list[list[Entry]],
) -> Entry:
    champions: dict[TreeNode, Entry] = {}
    some = next(iter(left.values()))
    assert some.queue.node is not None
    root = some.queue.node.root()
    if not root.children:
        return some
    levels = [node for node in root.below() if not node.is_queue]
    for cohort in reversed(levels):
        best: Entry | None = None
        rank: Rank | None = None
        for child in sorted(cohort.children, key=_cohorts_first):
            entry = left.get(child) if child.is_queue else champions.get(child)
            if entry is None:
                continue
            strength = _strength(entry, shares[cohort, entry.queue.node], state)  # type: ignore[index]
            mine = (strength, entry.work.key not in state.preferred, entry.work.uid)
            if best is not None and rank is not None and rank[0] == strength:
                ties.append([best, entry])
            if rank is None or mine < rank:
                best, rank = entry, mine
        if best is not None:
            champions[cohort] = best
    return champions[root]


def _strength(entry: Entry, found: Share, state: State) -> Strength:
    assert entry.assignment is not None
    borrows = False
    if state.settings.on("FairSharingPrioritizeNonBorrowing"):
        usage = entry.assignment.usage
        borrows = any(pair in usage for pair in found.borrowed)
    priority = -entry.work.priority if state.settings.on("PrioritySortingWithinCohort") else 0
    return (borrows, found.key, priority, entry.work.order_time)


def _shares(left: dict[TreeNode | None, Entry], state: State) -> dict[tuple[TreeNode, TreeNode], Share]:
    """(cohort, queue) → share of the cohort's child on the queue's path, with the entry's usage in it."""
    found: dict[tuple[TreeNode, TreeNode], Share] = {}
    for node, entry in left.items():
        assert node is not None
        assert entry.assignment is not None
        entry.queue.add(entry.assignment.usage)
        child = node
        while child.parent is not None:
            found[child.parent, node] = share(state.ledger, child)
            child = child.parent
        entry.queue.remove(entry.assignment.usage)
    return found


def _cohorts_first(node: TreeNode) -> bool:
    return node.is_queue
