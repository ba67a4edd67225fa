"""A ResourceFlavor tolerates its own taint.

Why:
    Tolerations of a flavor are added to every pod that takes it. A taint that they cover keeps nobody away, although
    nodeTaints reads as if it did.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: spot}
    spec:
      nodeTaints: [{key: spot, value: "true", effect: NoSchedule}]
      tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: spot}
    spec:
      tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]

Source:
    Kueue 0.15 to 0.19, flavor assignment: nodeTaints must be tolerated by the pod or by the flavor's own tolerations
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import mappings
from kohort.objects.kueue.flavor import Taint
from kohort.objects.tolerations import REPELLING, tolerates
from kohort.rules.base import Rule

RULE = Rule("QTA517", "taint-cancelled", Consequence.UNSAFE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per taint that a toleration of the same flavor covers."""
    for flavor in cluster.flavors.values():
        for index, raw in mappings(flavor.obj.get("spec", "nodeTaints")):
            key, effect, value = raw.get("key"), raw.get("effect"), raw.get("value", "")
            if not isinstance(key, str) or not isinstance(effect, str) or effect not in REPELLING:
                continue
            taint = Taint(key, value if isinstance(value, str) else "", effect)
            for place, toleration in mappings(flavor.obj.get("spec", "tolerations")):
                if tolerates([toleration], taint):
                    yield RULE.at(
                        flavor.obj,
                        ("spec", "nodeTaints", index),
                        f"{flavor.obj.ref}: taint {taint} is cancelled by the flavor's own toleration: it keeps nobody away",
                        cluster=cluster,
                        label="without effect",
                        related=(Label(flavor.obj.at("spec", "tolerations", place), "covers the taint"),),
                        help=(
                            "keep the taint to let only tolerating pods in, or the toleration to let every pod in",
                        ),
                    )
                    break
