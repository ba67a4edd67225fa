"""The largest job that each queue can run: for sure, by reclaiming, and by borrowing when others are idle.

Source: Kueue 0.19 preemption policies. What is lent out comes back at once only with `reclaimWithinCohort`; with a
`borrowWithinCohort` policy a queue may preempt even while it borrows.
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.capacity.promises import Promises
from kohort.capacity.supply import FlavorSupply
from kohort.capacity.words import by_weight
from kohort.dataclass import dataclass
from kohort.objects.kueue import ClusterQueue
from kohort.semantics import TreeNode

_NEVER = "Never"


@dataclass(frozen=True, slots=True)
class LargestJob:
    """Sizes in Kueue's units of the flavor's main resource (its weightiest), never more than healthy nodes hold.

    `guaranteed` is there whatever others run: the nominal quota if it can be reclaimed, else only what is never lent.
    `reclaim` is the most it gets by preempting others, `borrowing` the most it gets when all others are idle.
    """

    queue: str
    flavor: str
    resource: str
    guaranteed: int
    reclaim: int
    borrowing: int


def largest_jobs(promises: Promises, supplies: Mapping[str, FlavorSupply] | None) -> tuple[LargestJob, ...]:
    """One entry per queue and flavor, in order of declaration.

    Nodes limit nothing where `supplies` is None (none are known) and what is elastic, virtual or unbounded.
    """
    return tuple(job for node in promises.tree.queues.values() for job in _of_queue(node, promises, supplies))


def _of_queue(
    node: TreeNode, promises: Promises, supplies: Mapping[str, FlavorSupply] | None
) -> list[LargestJob]:
    if not isinstance(node.source, ClusterQueue):
        return []
    jobs = []
    for flavor in node.source.flavors:
        resources = [r for f, r in node.limits if f == flavor]
        if not resources:
            continue
        # beside other flavors a queue may list what this one has nothing of, such as GPUs of cpu nodes
        resource = by_weight([r for r in resources if node.potential((flavor, r)) > 0] or resources)[0]
        pair = (flavor, resource)
        most = node.potential(pair)
        own = min(node.nominal(pair), most)
        reclaims = node.source.preemption.reclaim_within_cohort != _NEVER
        guaranteed = own if reclaims or node.parent is None else min(own, node.local(pair))
        pushes = node.source.preemption.borrow_within_cohort != _NEVER
        sizes = (guaranteed, most if reclaims and pushes else guaranteed, most)
        free = (
            resource in promises.virtual
            or pair in promises.unbounded
            or (node.name, flavor) in promises.skipped
        )
        if supplies is not None and not free:
            there = supplies[flavor].healthy.get(resource, 0) if flavor in supplies else 0
            sizes = (min(sizes[0], there), min(sizes[1], there), min(sizes[2], there))
        jobs.append(LargestJob(node.name, flavor, resource, *sizes))
    return jobs
