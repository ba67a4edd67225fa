"""Preemption: a team agrees when others come to preempt its work, or when it can no longer take back what it lends.

Source: Kueue 0.19.1, `spec.preemption` of a ClusterQueue (kueue.md 5). Work within a guarantee is never preempted for another
queue; work beyond it is, by `reclaimWithinCohort` of who takes back and by `borrowWithinCohort` of who borrows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, Literal

from kohort.capacity.words import listed
from kohort.objects.kueue import ClusterQueue, Preemption
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need
from kohort.planner.authority.reach import Standing
from kohort.semantics import FlavorResource, TreeNode
from kohort.spans import Origin

_STRENGTH: Final = {"Never": 0, "LowerPriority": 1, "LowerOrNewerEqualPriority": 2, "Any": 3}


def protection(change: Change) -> Iterator[Need]:
    """One need per team and cluster for each of the two."""
    for name, old, new in change.standings():
        yield from _weaker(change, name, old, new)
        yield from _stronger(change, name, old, new)


def _weaker(change: Change, cluster: str, base: Standing, head: Standing) -> Iterator[Need]:
    """A queue that lends and took back what it lent, and does so no longer, or only from less important work."""
    for name, queue in head.cluster.queues.items():
        before, team = base.cluster.queues.get(name), head.owners.get(name, "")
        node = head.tree.queues.get(name)
        if before is None or node is None or not team or not _lends(node):
            continue
        was, now = before.preemption.reclaim_within_cohort, queue.preemption.reclaim_within_cohort
        if _rank(now) < _rank(was):
            yield Need(
                f"queue {name} on {cluster} takes back less of what it lends: reclaimWithinCohort {was} to {now}",
                "protection",
                team=change.before(team),
                cluster=cluster,
                origin=queue.obj.at("spec", "preemption", "reclaimWithinCohort"),
                or_admins=True,
            )


def _stronger(change: Change, cluster: str, base: Standing, head: Standing) -> Iterator[Need]:
    """Queues whose preemption became stronger, or which came with one that preempts in order to borrow."""
    found: dict[tuple[str, str], dict[str, Origin]] = defaultdict(dict)
    for name, node in head.tree.queues.items():
        queue = node.source
        if not isinstance(queue, ClusterQueue) or node.parent is None or name in head.cluster.slack_queues:
            continue
        before = base.tree.queues.get(name)
        for what, who in _grown(before, node):
            for team in _borrowers(change, head, node, before, who):
                found[team, what].setdefault(name, queue.obj.at("spec", "preemption"))
    for (team, what), queues in found.items():
        yield Need(
            f"{'queue' if len(queues) == 1 else 'queues'} {listed(queues)} on {cluster} may preempt more of its work "
            f"beyond its guarantee: {what}",
            "protection",
            team=team,
            cluster=cluster,
            origin=next(iter(queues.values())),
            or_admins=True,
        )


_Whom = Literal["all", "beside", "new"]
"""Teams of the tree: all, those that were beside the queue before, those that were not."""


def _grown(before: TreeNode | None, node: TreeNode) -> Iterator[tuple[str, _Whom]]:
    """What became stronger in words, and for whom. Who comes with a guarantee takes back no more than it brings."""
    now = _policy(node)
    was = _policy(before) if before is not None else Preemption()
    if _rank(now.reclaim_within_cohort) > _rank(was.reclaim_within_cohort):
        yield f"reclaimWithinCohort {was.reclaim_within_cohort} to {now.reclaim_within_cohort}", "beside"
    if now.borrow_within_cohort == "Never":
        return
    if was.borrow_within_cohort == "Never":
        yield f"borrowWithinCohort Never to {now.borrow_within_cohort}", "all"
    elif _bound(now) > _bound(was):
        yield f"borrowWithinCohort up to priority {_priority(was)} to {_priority(now)}", "all"
    else:
        yield f"borrowWithinCohort {now.borrow_within_cohort}", "new"


def _borrowers(
    change: Change, head: Standing, node: TreeNode, before: TreeNode | None, whom: _Whom
) -> Iterator[str]:
    """Teams of the base, by their names there, that may borrow what the queue has quota of."""
    own = head.owners.get(node.name, "")
    old = {other.name for other in before.root().below() if other.is_queue} if before is not None else set()
    for other in node.root().below():
        team = head.owners.get(other.name, "") if other.is_queue else ""
        if not team or team == own or change.before(team) not in change.base.teams:
            continue
        if whom != "all" and (other.name in old) is not (whom == "beside"):
            continue
        if any(pair in node.limits and _borrows(other, pair) for pair in other.limits):
            yield change.before(team)


def _borrows(node: TreeNode, pair: FlavorResource) -> bool:
    return node.limits[pair].borrowing != 0


def _lends(node: TreeNode) -> bool:
    return any(node.lends(pair) > 0 for pair in node.limits)


def _policy(node: TreeNode) -> Preemption:
    return node.source.preemption if isinstance(node.source, ClusterQueue) else Preemption()


def _rank(word: str) -> int:
    return _STRENGTH.get(word, 0)


def _bound(policy: Preemption) -> float:
    """The highest priority that it preempts."""
    return float("inf") if policy.max_priority_threshold is None else policy.max_priority_threshold


def _priority(policy: Preemption) -> str:
    return "any" if policy.max_priority_threshold is None else str(policy.max_priority_threshold)
