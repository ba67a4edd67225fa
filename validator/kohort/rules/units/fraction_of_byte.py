"""An amount of memory or storage that is no whole number of bytes: thousandths were written.

Why:
    `m` means a thousandth, also of a byte: `51200m` is 51.2 bytes. The server accepts it. What was meant is nearly
    always `M` or `Mi`.

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
        flavors: [{name: h100, resources: [{name: memory, nominalQuota: 51200m}]}]

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
        flavors: [{name: h100, resources: [{name: memory, nominalQuota: 51200Mi}]}]

Source:
    Kubernetes quantities; Kueue 0.15 to 0.19 round up to whole bytes
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

RULE = Rule("UNT601", "fraction-of-byte", Consequence.UNSAFE)


@RULE.each(*KINDS_WITH_AMOUNTS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per quantity."""
    for amount in notable_amounts(obj):
        if not is_bytes(amount.resource) or amount.quantity.nano % NANO == 0:
            continue
        number, suffix = number_and_suffix(amount.text)
        meant = f"; did you mean {number}M or {number}Mi?" if suffix == "m" else ""
        yield RULE.at(
            obj,
            amount.path,
            f"{obj.ref}: {amount.resource} {amount.field} {amount.text} = {exactly(amount.quantity)} bytes "
            f"(rounds up to {amount.quantity.units()}){meant}",
            cluster=cluster,
            label="a fraction of a byte",
            help=("m is a thousandth; M is a million, Mi is 1024 × 1024",),
            audience=Audience.ADMIN if amount.use == "quota" else Audience.TEAM,
        )
