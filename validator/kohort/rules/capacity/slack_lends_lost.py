"""Slack lends quota that stands for lost nodes.

Why:
    A slack queue's quota is lent to everybody while all is well. When nodes are lost, what it lends must shrink by as
    much (lendingLimit), or borrowers are admitted onto nodes that are not there and push into the teams' guarantees.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
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
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: w1}
    spec: {unschedulable: true}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
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
          resources: [{name: nvidia.com/gpu, nominalQuota: 8, lendingLimit: 0}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: w1}
    spec: {unschedulable: true}
    status: {allocatable: {nvidia.com/gpu: "8"}}

Source:
    MLBatch quota maintenance (lendingLimit = nominalQuota less what is lost), per flavor and resource.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from kohort.capacity import Lending, assess
from kohort.capacity.words import amount, listed, number
from kohort.diagnostics import Consequence, Edit, Finding, Fix, Term
from kohort.objects.cluster import Cluster
from kohort.objects.quantity import format_units
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic

RULE = Rule("CAP903", "slack-lends-lost-nodes", Consequence.UNSAFE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per slack queue and flavor, unless a shortage of the flavor already says more."""
    assessment = assess(cluster)
    told = {flavor for shortage in assessment.shortages for flavor in shortage.flavors}
    over = [
        entry for entry in assessment.lending if entry.lends > entry.may_lend and entry.pair[0] not in told
    ]
    for (name, flavor), entries in groupby(over, key=lambda entry: (entry.queue.name, entry.pair[0])):
        found = list(entries)
        source = found[0].queue.source
        if source is None or flavor not in assessment.supplies:
            continue
        out = [str(exclusion) for exclusion in arithmetic.exclusions(assessment, [flavor])]
        resource = found[0].pair[1]
        yield RULE.at(
            source.obj,
            source.quotas[found[0].pair].path,
            f"slack queue {name}, flavor {flavor}: {' and '.join(_stated(entry) for entry in found)}"
            + (f"; lost: {listed(out)}" if out else ""),
            cluster=cluster,
            label=f"set lendingLimit: {format_units(found[0].may_lend, resource)}",
            terms=tuple(term for entry in found for term in _rows(entry)),
            help=tuple(
                f"{e.pair[1]}: set lendingLimit: {format_units(e.may_lend, e.pair[1])}" for e in found
            ),
            fix=_fix(found) if not source.obj.compiled else None,
        )


def _stated(entry: Lending) -> str:
    resource = entry.pair[1]
    return f"lends {amount(entry.lends, resource)} but may lend only {number(entry.may_lend, resource)} of {number(entry.nominal, resource)}"


def _rows(entry: Lending) -> list[Term]:
    resource = entry.pair[1]
    return [
        Term("+", amount(entry.nominal, resource), "slack nominalQuota"),
        Term("-", amount(entry.nominal - entry.may_lend, resource), "lost nodes that slack stands in for"),
        Term("=", amount(entry.may_lend, resource), "may be lent"),
    ]


def _fix(entries: list[Lending]) -> Fix:
    """It changes what is lent, so it is no safe fix."""
    edits = []
    for entry in entries:
        source = entry.queue.source
        assert source is not None
        quota = source.quotas[entry.pair]
        text = format_units(entry.may_lend, entry.pair[1])
        if quota.lending is None:
            edits.append(Edit("insert", source.obj.at(*quota.path), f'lendingLimit: "{text}"'))
        else:
            edits.append(Edit("replace", source.obj.at(*quota.path, "lendingLimit"), f'"{text}"'))
    return Fix("lend only what is healthy beyond the guarantees", tuple(edits), safe=False)
