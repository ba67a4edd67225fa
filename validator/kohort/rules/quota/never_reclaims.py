"""A queue lends its quota and can never get it back in time: reclaimWithinCohort is Never.

Why:
    Never is the default. Borrowers keep lent quota until their jobs finish, so the owner's jobs wait behind them, for
    days if need be, although the quota is theirs.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: other}
    spec:
      namespaceSelector: {}
      cohortName: org
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: other}
    spec:
      namespaceSelector: {}
      cohortName: org
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.preemption.reclaimWithinCohort, default Never
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.objects.quantity import human
from kohort.rules.base import Rule
from kohort.rules.quota.lending import borrowers, is_used
from kohort.rules.references.index import is_missing_flavor, quota_tree
from kohort.rules.references.wording import listed
from kohort.semantics import FlavorResource, TreeNode

RULE = Rule("QTA509", "never-reclaims", Consequence.DISRUPTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per queue in use that lends something to somebody."""
    for name, node in quota_tree(cluster).queues.items():
        queue = cluster.queues[name]
        if (
            node.parent is None
            or queue.preemption.reclaim_within_cohort != "Never"
            or not is_used(cluster, queue)
        ):
            continue
        if queue.obj.is_poisoned(("spec", "preemption")):
            continue  # already reported
        lent = list(_lent(cluster, queue, node))
        if lent:
            yield _finding(cluster, queue, node, lent)


def _lent(cluster: Cluster, queue: ClusterQueue, node: TreeNode) -> Iterator[tuple[FlavorResource, int, str]]:
    """(pair, units that may be away, one who may take them)."""
    root = id(node.root())
    for pair in node.limits:
        units = node.nominal(pair) - node.local(pair)
        if units <= 0 or is_missing_flavor(cluster, pair[0]):
            continue
        taker = next((other for other in borrowers(cluster).get((root, pair), ()) if other != queue.name), "")
        if taker:
            yield pair, units, taker


def _finding(
    cluster: Cluster, queue: ClusterQueue, node: TreeNode, lent: list[tuple[FlavorResource, int, str]]
) -> Finding:
    amounts = listed((f"{human(units, pair[1])} {pair[1]} of {pair[0]}" for pair, units, _ in lent), 3)
    stated = queue.obj.get("spec", "preemption", "reclaimWithinCohort") is not None
    path: tuple[str, ...] = ("spec", "preemption", "reclaimWithinCohort") if stated else ("spec",)
    cohort = node.parent.name if node.parent is not None else ""
    return RULE.at(
        queue.obj,
        path,
        f"{queue.obj.ref} lends up to {amounts} to cohort {cohort} and never reclaims: reclaimWithinCohort "
        f"{'is' if stated else 'defaults to'} Never",
        cluster=cluster,
        part="value" if stated else "key",
        label=f"ClusterQueue {lent[0][2]} may keep it until its jobs finish",
        help=(
            "set preemption.reclaimWithinCohort to Any or LowerPriority, or lendingLimit to what may be away",
        ),
    )
