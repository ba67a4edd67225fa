"""A covered resource does not have the form of a resource name.

Why:
    Resource names follow the syntax of label keys: `cpu`, `nvidia.com/gpu`.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: ["my gpu"]
        flavors: [{name: a, resources: [{name: "my gpu", nominalQuota: "8"}]}]

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
      - coveredResources: [example.com/gpu]
        flavors: [{name: a, resources: [{name: example.com/gpu, nominalQuota: "8"}]}]

Source:
    Kueue 0.15 to 0.19, ClusterQueue and Cohort webhooks
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import resource_name, visible
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE218", "bad-resource-name", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue", "Cohort")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    for path, group in groups.groups(obj):
        for index, name in enumerate(groups.covered(group)):
            reason = resource_name(name)
            if reason is not None:
                yield RULE.at(
                    obj,
                    (*path, "coveredResources", index),
                    f'{obj.ref}: covered resource "{visible(name)}": {reason}',
                    cluster=cluster,
                )
