"""A Cohort's quota equals the sum of its members' quotas, so the tree promises everything twice.

Why:
    A Cohort's nominalQuota is quota of its own, on top of what the members bring. It is not a cap. Repeating the
    total on the Cohort lets the tree hand out twice as much.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: org}
    spec:
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: default
          resources: [{name: cpu, nominalQuota: 4}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: a}
    spec:
      cohortName: org
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: default
          resources: [{name: cpu, nominalQuota: 4}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: org}
    spec: {}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: a}
    spec:
      cohortName: org
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: default
          resources: [{name: cpu, nominalQuota: 4}]

Source:
    Kueue 0.19 hierarchical cohorts: subtree quota is the cohort's own quota plus what its children lend.
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity import assess
from kohort.capacity.words import amount
from kohort.diagnostics import Consequence, Finding, Severity, Term
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic
from kohort.rules.capacity.repeated import repeats_members

RULE = Rule(
    "CAP915", "cohort-repeats-members", Consequence.UNSAFE, severity=Severity.WARNING, stage=Stage.CAPACITY
)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per cohort, unless a shortage already says it."""
    assessment = assess(cluster)
    told = {
        promise.holder.name
        for shortage in assessment.shortages
        if shortage.cause == "quota"
        for promise in arithmetic.contributors(assessment, shortage)
        if not promise.holder.is_queue
    }
    for name, node in assessment.tree.cohorts.items():
        if node.source is None or name in told or not repeats_members(node):
            continue
        pair, limits = next((p, q) for p, q in node.limits.items() if q.nominal > 0)
        members = sum(child.subtree(pair) for child in node.children)
        yield RULE.at(
            node.source.obj,
            (*node.source.quotas[pair].path, "nominalQuota"),
            f"the nominalQuota of Cohort {name} equals the sum of its members: the tree promises "
            f"{amount(limits.nominal + members, pair[1])} of flavor {pair[0]}, as a cohort's quota is additional, not a cap",
            cluster=cluster,
            terms=(
                Term("+", amount(limits.nominal, pair[1]), f"Cohort {name}"),
                Term("+", amount(members, pair[1]), f"its {len(node.children)} members"),
                Term("=", amount(limits.nominal + members, pair[1]), "promised by the tree"),
            ),
            help=("remove the cohort's resourceGroups if the members' quotas are meant to be all there is",),
        )
