"""A declared overcommit is in use.

Why:
    Promising more than the hardware is sometimes wanted. It is then declared with a bound and a reason, and it stays
    visible.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata:
      name: default
      annotations: {kohort.dev/unbounded: "cpu"}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: builds}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: default
          resources: [{name: cpu, nominalQuota: 1000}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {cpu: "64"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: builds}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: default
          resources: [{name: cpu, nominalQuota: 64}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {cpu: "64"}}

Source:
    Kohort: `overcommit` of a cluster declaration, annotation `kohort.dev/unbounded` on a ResourceFlavor.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import Assessment, assess
from kohort.capacity.promises import annotated
from kohort.capacity.words import by_weight, number
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Allowance, Cluster
from kohort.rules.base import Rule, Stage
from kohort.spans import Origin

RULE = Rule("CAP916", "overcommit-in-use", Consequence.NOTE, stage=Stage.CAPACITY)
_FULL = 100


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One remark per declared place without which promises would not fit."""
    assessment = assess(cluster)
    if not assessment.judged:
        return
    broken = {flavor for shortage in assessment.shortages for flavor in shortage.flavors}
    together: dict[tuple[Origin, str], tuple[Allowance, dict[str, str]]] = {}
    for allowance in [*cluster.allowances, *annotated(cluster)]:
        used = _used(allowance, assessment)
        if used and allowance.flavor not in broken:
            together.setdefault((allowance.origin, allowance.flavor), (allowance, {}))[1].update(used)
    for allowance, used in together.values():
        bound = "without bound" if allowance.percent is None else f"up to {allowance.percent} %"
        reason = f" ({allowance.reason})" if allowance.reason else ""
        yield RULE.finding(
            f"flavor {allowance.flavor} is overcommitted on purpose, {bound}{reason}: {'; '.join(used[r] for r in by_weight(used))}",
            allowance.origin,
            subject=f"ResourceFlavor {allowance.flavor}",
            cluster=cluster,
        )


def _used(allowance: Allowance, assessment: Assessment) -> dict[str, str]:
    """Resource → what is promised beyond healthy capacity."""
    supply = assessment.supplies.get(allowance.flavor)
    if supply is None:
        return {}
    found = {}
    pairs = {pair for node in assessment.tree.nodes() for pair in node.limits if pair[0] == allowance.flavor}
    for resource in {r for _, r in pairs if allowance.resource in {"", r}}:
        promised = sum(
            node.nominal((allowance.flavor, resource))
            for node in assessment.tree.nodes()
            if (node.name if node.is_queue else "", allowance.flavor) not in assessment.promises.skipped
        )
        there = supply.healthy.get(resource, 0)
        if promised > there and resource in assessment.advertised:
            found[resource] = (
                f"{resource} {number(promised, resource)} promised, {number(there, resource)} healthy"
            )
    return found
