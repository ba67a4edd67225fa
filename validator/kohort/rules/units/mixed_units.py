"""Memory or storage in decimal units beside binary ones, in one queue or against the nodes.

Why:
    Nodes report memory in Ki. `2000G` is 1862.6 GiB: 7 % less than the 2000Gi that a reader takes it for, so that the
    last pods of a quota do not fit.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [memory]
        flavors:
        - {name: h100, resources: [{name: memory, nominalQuota: 2000Gi}]}
        - {name: a100, resources: [{name: memory, nominalQuota: 2001G}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [memory]
        flavors:
        - {name: h100, resources: [{name: memory, nominalQuota: 2000Gi}]}
        - {name: a100, resources: [{name: memory, nominalQuota: 1863Gi}]}

Source:
    Kubernetes quantities: G is 10^9, Gi is 2^30
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.quantity_format import is_bytes
from kohort.rules.base import Rule
from kohort.rules.references.index import remembered
from kohort.rules.units.amounts import QUOTA_KINDS, Amount, all_amounts, notable_amounts
from kohort.rules.units.spelling import DECIMAL, in_binary, number_and_suffix

RULE = Rule("UNT607", "mixed-units", Consequence.NOTE)

_BINARY = frozenset({"Mi", "Gi", "Ti", "Pi", "Ei"})


@RULE.each(*QUOTA_KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per object, at its first decimal amount; Kohort's own output is not judged."""
    if obj.group != KUEUE_GROUP or obj.compiled:
        return
    decimal = _find(notable_amounts(obj), DECIMAL)
    if decimal is None:
        return
    binary = _find(all_amounts(obj), _BINARY)
    beside = (
        f"{binary.text} in the same {obj.kind}"
        if binary is not None
        else _on_nodes(cluster, decimal.resource)
    )
    if not beside:
        return
    units = decimal.quantity.units()
    suffix = number_and_suffix(decimal.text)[1]
    yield RULE.at(
        obj,
        decimal.path,
        f"{obj.ref}: {decimal.resource} {decimal.field} {decimal.text} is {in_binary(units)} ({units:,} bytes), beside {beside}",
        cluster=cluster,
        label=f"{suffix} is not {suffix}i",
        related=(Label(obj.at(*binary.path), "binary units here"),) if binary is not None else (),
        help=("write both in binary units, as nodes report them",),
    )


def _find(amounts: Iterable[Amount], suffixes: frozenset[str]) -> Amount | None:
    """The first amount of bytes with one of the suffixes."""
    return next(
        (a for a in amounts if is_bytes(a.resource) and number_and_suffix(a.text)[1] in suffixes), None
    )


def _on_nodes(cluster: Cluster, resource: str) -> str:
    """`2113411288Ki on node w1` where a node states this resource in binary units."""

    def build() -> str:
        for node in cluster.nodes:
            amount = node.allocatable.get(resource)
            if amount is not None and amount.format == "BinarySI":
                return f"{amount.canonical()} on node {node.name}"
        return ""

    return remembered(cluster, f"binary {resource} on nodes", build)
