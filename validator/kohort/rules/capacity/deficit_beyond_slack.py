"""More nodes are lost than slack can absorb: guarantees of teams no longer hold.

Why:
    Slack is quota that is set aside so that guarantees survive failures. Once the teams' quotas alone are more than
    what is healthy, admitted jobs find no node. Someone has to lower guarantees or bring nodes back.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: blue}
    spec:
      cohortName: org
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: slack}
    spec:
      cohortName: org
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 4, lendingLimit: 0}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: w1}
    status: {allocatable: {nvidia.com/gpu: "4"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: w2}
    spec: {unschedulable: true}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: blue}
    spec:
      cohortName: org
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: slack}
    spec:
      cohortName: org
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: default
          resources: [{name: nvidia.com/gpu, nominalQuota: 4, lendingLimit: 0}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: w1}
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: w2}
    spec: {unschedulable: true}
    status: {allocatable: {nvidia.com/gpu: "4"}}

Source:
    Arithmetic of guarantees and slack per flavor and resource; MLBatch quota maintenance.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import Lack, assess
from kohort.capacity.words import amount, number
from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic

RULE = Rule("CAP902", "deficit-beyond-slack", Consequence.STUCK, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per set of flavors, at the slack that no longer covers."""
    assessment = assess(cluster)
    for shortage in assessment.shortages:
        if shortage.cause != "deficit":
            continue
        promises = arithmetic.contributors(assessment, shortage)
        slack = next((promise for promise in promises if promise.slack), promises[0])
        firm = [promise for promise in promises if not promise.slack]
        obj, path = arithmetic.place(slack)
        first = shortage.lacks[0]
        yield RULE.at(
            obj,
            path,
            f"{arithmetic.names_of(shortage)}: {'; '.join(_stated(lack) for lack in shortage.lacks)}: guarantees of "
            f"{number(first.promised, first.resource)} > healthy allocatable {number(first.healthy, first.resource)} of "
            f"{amount(first.total, first.resource)}, {arithmetic.across(firm)}{arithmetic.excluded(assessment, shortage)}",
            cluster=cluster,
            label="this slack is not enough",
            related=(
                *(Label(outage.origin, f"maintenance {outage.name}") for outage in cluster.outages[:3]),
                *arithmetic.related([slack, *firm]),
            ),
            terms=arithmetic.rows(assessment, shortage),
            help=(
                "bring nodes back, or lower guarantees by the deficit until they are back",
                "until then the slack must lend nothing (lendingLimit: 0)",
            ),
        )


def _stated(lack: Lack) -> str:
    absorbed = number(min(lack.slack, lack.lost), lack.resource)
    return (
        f"quota deficit {amount(lack.excess, lack.resource)}; slack can absorb {absorbed} of "
        f"{number(lack.lost, lack.resource)}"
    )
