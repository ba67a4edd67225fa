"""A resource is covered by two resource groups of one queue.

Why:
    Each resource takes its flavor from exactly one group, so the webhook refuses the second mention.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: a, resources: [{name: cpu, nominalQuota: "8"}]}]
      - coveredResources: [memory, cpu]
        flavors: [{name: b, resources: [{name: memory, nominalQuota: "8"}, {name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: b}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: a, resources: [{name: cpu, nominalQuota: "8"}]}]
      - coveredResources: [memory]
        flavors: [{name: b, resources: [{name: memory, nominalQuota: "8"}]}]

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

RULE = Rule("KUE216", "resource-in-two-groups", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    seen: dict[str, Path] = {}
    for path, group in groups.groups(obj):
        for index, name in enumerate(groups.covered(group)):
            at: Path = (*path, "coveredResources", index)
            if name not in seen:
                seen[name] = at
                continue
            yield RULE.at(
                obj,
                at,
                f'{obj.ref}: Duplicate value "{name}": the resource is covered twice',
                cluster=cluster,
                related=(Label(obj.at(*seen[name]), "first covered here"),),
            )
