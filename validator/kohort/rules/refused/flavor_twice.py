"""A flavor stands in two resource groups of one queue.

Why:
    The webhook refuses it: quota of one flavor is stated in one place.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: a, resources: [{name: cpu, nominalQuota: "8"}]}]
      - coveredResources: [memory]
        flavors: [{name: a, resources: [{name: memory, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu, memory]
        flavors: [{name: a, resources: [{name: cpu, nominalQuota: "8"}, {name: memory, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue and Cohort webhooks
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours
from kohort.spans import Path

RULE = Rule("KUE217", "flavor-in-two-groups", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    seen: dict[str, Path] = {}
    for path, group in groups.groups(obj):
        for at, flavor in groups.flavors(path, group):
            name = str(flavor.get("name"))
            first = seen.setdefault(name, at)
            if first == at or first[:3] == at[:3]:
                continue  # twice in one group is the schema's finding
            yield RULE.at(
                obj,
                (*at, "name"),
                f'{obj.ref}: Duplicate value "{name}": the flavor stands in two resource groups',
                cluster=cluster,
                related=(Label(obj.at(*first, "name"), "first listed here"),),
                help=(
                    "put all its resources in one group; covered resources that never take the same flavor need other flavors",
                ),
            )
