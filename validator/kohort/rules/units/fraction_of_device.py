"""A fraction of something that is counted in whole pieces, such as GPUs or pods.

Why:
    Kueue counts everything but cpu in whole units and rounds up: `500m` GPUs are a quota of 1. In a pod the server
    refuses fractions of extended resources altogether.

Bad:
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
      - coveredResources: [nvidia.com/gpu]
        flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 500m}]}]

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
      - coveredResources: [nvidia.com/gpu]
        flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: "1"}]}]

Source:
    Kueue 0.15 to 0.19, resource values rounded up; Kubernetes validation of container resources (must be an integer)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity_format import is_bytes
from kohort.rules.base import Rule
from kohort.rules.units.amounts import KINDS_WITH_AMOUNTS, notable_amounts
from kohort.rules.units.spelling import NANO, exactly, number_and_suffix

RULE = Rule("UNT603", "fraction-of-device", Consequence.UNSAFE)


@RULE.each(*KINDS_WITH_AMOUNTS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per quantity; in a pod it means that the pod is never created."""
    for amount in notable_amounts(obj):
        if amount.resource == "cpu" or is_bytes(amount.resource) or amount.quantity.nano % NANO == 0:
            continue
        pods = amount.use == "request"
        units = amount.quantity.units()
        number, suffix = number_and_suffix(amount.text)
        meant = f"; did you mean {number}?" if suffix == "m" and number.isdigit() else ""
        exact = exactly(amount.quantity)
        value = amount.text if amount.text.strip() == exact else f"{amount.text} = {exact}"
        outcome = "the server refuses the pod: must be an integer" if pods else f"Kueue rounds up to {units}"
        yield RULE.at(
            obj,
            amount.path,
            f"{obj.ref}: {amount.resource} {amount.field} {value} ({outcome}){meant}",
            cluster=cluster,
            label="not a whole number",
            consequence=Consequence.STUCK if pods else None,
            audience=Audience.ADMIN if amount.use == "quota" else Audience.TEAM,
        )
