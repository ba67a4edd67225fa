"""A borrowing or lending limit on a queue or cohort that has nothing above it.

Why:
    Limits bound what moves to and from the parent. Without a cohort (or, for a Cohort, without a parent) there is
    nobody to borrow from or lend to, and the server refuses the object.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", borrowingLimit: "5"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: research}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: research
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8", borrowingLimit: "5"}]}]

Source:
    Kueue 0.15 to 0.19: CEL on ClusterQueue spec (borrowingLimit), ClusterQueue and Cohort webhooks (both limits)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE213", "limit-without-cohort", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per limit."""
    if not is_ours(obj) or not clean(obj, cluster) or groups.parent_of(obj):
        return
    above = "parent" if obj.kind == "Cohort" else "cohort"
    field = "parentName" if obj.kind == "Cohort" else "cohort" if obj.version == "v1beta1" else "cohortName"
    for path, entry in groups.every_resource(obj):
        for limit in ("borrowingLimit", "lendingLimit"):
            if entry.get(limit) is None:
                continue
            yield RULE.at(
                obj,
                (*path, limit),
                f'{obj.ref}: {limit} of {entry.get("name")}: Invalid value "{entry[limit]}": must be nil when {above} is empty',
                cluster=cluster,
                help=(
                    f"set spec.{field}, or remove the limit: without a {above} nothing is lent or borrowed",
                ),
            )
