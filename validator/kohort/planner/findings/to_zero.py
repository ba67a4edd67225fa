"""A queue that is stopped by its quota."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.capacity import assess
from kohort.diagnostics import Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue, read_cluster_queue
from kohort.planner.findings.told import told
from kohort.planner.plan import FieldChange, ObjectChange
from kohort.rules.plan_codes import TO_ZERO

_HOLD: Final = (
    "stopPolicy: Hold has the same effect and keeps the number",
    "stopPolicy: HoldAndDrain also evicts what runs",
)
_HELD: Final = ("its stopPolicy stops it already: leave the quota as it is, and the number is kept",)


def to_zero(change: ObjectChange, cluster: Cluster | None) -> Iterator[Finding]:
    """Stopping a queue by its quota forgets the number, and leaves what runs."""
    if change.ref.kind != "ClusterQueue" or cluster is None or change.before is None or change.after is None:
        return
    before, after = read_cluster_queue(change.before), read_cluster_queue(change.after)
    lost = [
        field
        for field in change.fields
        if field.rule == "quota" and field.direction == "lowered" and _is_zero(after, field)
    ]
    node = assess(cluster).tree.queues.get(after.name)
    # in a cohort it may still run on what others leave idle
    if not lost or node is None or any(node.potential(pair) for pair in node.limits):
        return
    what = ", ".join(
        f"{field.resource} {before.quotas[field.flavor, field.resource].nominal} → 0"
        for field in lost
        if (field.flavor, field.resource) in before.quotas
    )
    yield told(
        TO_ZERO,
        f"ClusterQueue {change.ref.name}: {what}: nothing is admitted any more, what runs stays",
        change,
        lost[0].origin,
        _HELD if after.stop_policy != "None" else _HOLD,
    )


def _is_zero(queue: ClusterQueue, field: FieldChange) -> bool:
    quota = queue.quota(field.flavor, field.resource)
    return quota is not None and not quota.nominal
