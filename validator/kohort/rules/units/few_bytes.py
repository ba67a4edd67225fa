"""An amount of memory or storage of less than a mebibyte: a suffix was forgotten.

Why:
    `memory: 64` is 64 bytes. The server accepts it, and no pod fits, or a pod with this request is put anywhere.

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
      - coveredResources: [memory]
        flavors: [{name: h100, resources: [{name: memory, nominalQuota: "64"}]}]

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
      - coveredResources: [memory]
        flavors: [{name: h100, resources: [{name: memory, nominalQuota: 64Gi}]}]

Source:
    Kubernetes quantities: memory and storage are counted in bytes
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity_format import is_bytes
from kohort.rules.base import Rule
from kohort.rules.units.amounts import KINDS_WITH_AMOUNTS, notable_amounts
from kohort.rules.units.spelling import MEBIBYTE, NANO, number_and_suffix

RULE = Rule("UNT602", "few-bytes", Consequence.UNSAFE)


@RULE.each(*KINDS_WITH_AMOUNTS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per quantity of 1 byte to a mebibyte in whole bytes."""
    for amount in notable_amounts(obj):
        nano = amount.quantity.nano
        if not is_bytes(amount.resource) or nano % NANO or not 0 < nano < MEBIBYTE * NANO:
            continue
        number, suffix = number_and_suffix(amount.text)
        meant = f"; did you mean {number}Mi or {number}Gi?" if suffix in {"", "k", "Ki"} else ""
        count = amount.quantity.units()
        yield RULE.at(
            obj,
            amount.path,
            f"{obj.ref}: {amount.resource} {amount.field} {amount.text} = {count} byte{'s' if count > 1 else ''}{meant}",
            cluster=cluster,
            label="less than 1Mi",
            audience=Audience.ADMIN if amount.use == "quota" else Audience.TEAM,
        )
