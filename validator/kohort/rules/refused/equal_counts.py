"""A flavor lists another number of resources than the group covers.

Why:
    Every flavor of a resource group must state a quota for every covered resource, 0 where its nodes have none.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu, memory]
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
      resourceGroups:
      - coveredResources: [cpu, memory]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}, {name: memory, nominalQuota: 8Gi}]}]

Source:
    Kueue 0.15 to 0.19, CEL on spec.resourceGroups[] of ClusterQueue and Cohort
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE211", "unequal-resource-counts", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per flavor that is short or has too many."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for path, group in groups.groups(obj):
        wanted = groups.covered(group)
        for at, flavor in groups.flavors(path, group):
            listed = [r.get("name") for _, r in groups.resources(at, flavor)]
            if len(listed) == len(wanted):
                continue
            missing = [name for name in wanted if name not in listed]
            extra = [str(name) for name in listed if name not in wanted]
            parts = [f"missing {', '.join(missing)}"] * bool(missing) + [
                f"not covered: {', '.join(extra)}"
            ] * bool(extra)
            yield RULE.at(
                obj,
                (*at, "resources"),
                f'{obj.ref}: flavor "{flavor.get("name")}" lists {len(listed)} resources but the group covers '
                f"{len(wanted)}: flavors must have the same number of resources as the coveredResources",
                cluster=cluster,
                label="; ".join(parts),
                related=(Label(obj.at(*path, "coveredResources"), f"{len(wanted)} covered here"),),
                help=(
                    "state every covered resource, with nominalQuota 0 where the flavor's nodes have none",
                ),
            )
