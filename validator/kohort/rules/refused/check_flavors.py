"""An admission check is limited to a flavor that the queue does not have.

Why:
    onFlavors may only name flavors of the same ClusterQueue.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy: {admissionChecks: [{name: prov, onFlavors: [spot]}]}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: a, resources: [{name: cpu, nominalQuota: "8"}]}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: spot}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      admissionChecksStrategy: {admissionChecks: [{name: prov, onFlavors: [spot]}]}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: spot, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: prov}
    spec: {controllerName: example.com/gate}

Source:
    Kueue 0.17 to 0.19, ClusterQueue webhook on create
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.versions import holds
from kohort.rules.base import Rule, Stage
from kohort.rules.refused import groups
from kohort.rules.refused.violations import clean, is_ours

RULE = Rule("KUE224", "check-on-foreign-flavor", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    if not holds("onFlavors names a flavor of the queue", cluster.kueue):
        return
    names = {str(f.get("name")) for path, group in groups.groups(obj) for _, f in groups.flavors(path, group)}
    checks = obj.get("spec", "admissionChecksStrategy", "admissionChecks")
    for index, rule in mappings(checks):
        wanted = rule.get("onFlavors")
        for place, name in enumerate(wanted if isinstance(wanted, list) else []):
            if name in names:
                continue
            close = did_you_mean(str(name), names)
            yield RULE.at(
                obj,
                ("spec", "admissionChecksStrategy", "admissionChecks", index, "onFlavors", place),
                f'{obj.ref}: admission check "{rule.get("name")}" is limited to flavor "{name}", which this queue does not list',
                cluster=cluster,
                help=(f"did you mean {' or '.join(close)}?",)
                if close
                else (f"flavors here: {', '.join(sorted(names))}",),
            )
