"""Partitions of GPUs (MIG) are declared that the GPUs cannot have.

Why:
    A GPU is cut into seven compute and eight memory slices, and each profile takes a fixed number of both. Quota on
    partitions that cannot be made is never served, and the MIG manager fails on the node only when it tries.

Bad:
    apiVersion: v1
    kind: Node
    metadata:
      name: gpu-0
      labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/gpu.count: "1"}
    status: {allocatable: {nvidia.com/mig-3g.40gb: "2", nvidia.com/mig-1g.10gb: "1"}}

Good:
    apiVersion: v1
    kind: Node
    metadata:
      name: gpu-0
      labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/gpu.count: "1"}
    status: {allocatable: {nvidia.com/mig-3g.40gb: "1", nvidia.com/mig-1g.10gb: "4"}}

Source:
    NVIDIA MIG profile tables of A100 to GB300; go-nvlib names profiles after the product's total memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.dataclass import dataclass
from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.mig import Product, count_label, impossible, product_label, product_of, profile_name
from kohort.model.repo import Repo
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.node import read_node
from kohort.objects.quantity import Quantity
from kohort.rules.base import Rule, Stage
from kohort.spans import Path

RULE = Rule("CAP951", "impossible-mig-layout", Consequence.STUCK, stage=Stage.CAPACITY)


@dataclass(frozen=True, slots=True)
class _Fault:
    path: Path  # below the mapping of amounts
    text: str
    help: tuple[str, ...] = ()


@RULE.each("Node")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """Nodes as the cluster shows them; those of declared pools are judged in their declaration."""
    if obj.compiled:
        return
    node = read_node(obj)
    product = product_of(node.labels.get(product_label(), ""))
    count = node.labels.get(count_label(), "")
    gpus = int(count) if count.isdecimal() and len(count) < 4 else 0
    field = "capacity" if obj.get("status", "capacity") else "allocatable"
    for fault in _faults(product, node.capacity, gpus):
        yield RULE.at(
            obj,
            ("status", field, *fault.path),
            f"{obj.ref}: {fault.text}",
            part="key",
            cluster=cluster,
            help=fault.help,
        )


@RULE.repo
def check_pools(repo: Repo) -> Iterator[Finding]:
    """Partitioned node pools that name their GPU."""
    for cluster in repo.clusters.values():
        for pool in cluster.pools:
            for fault in _faults(
                product_of(pool.gpu) if pool.gpu else None, pool.per_node, pool.gpus_per_node
            ):
                yield RULE.finding(
                    f"node pool {pool.name} of cluster {cluster.name}: {fault.text}",
                    cluster.at(*pool.path, "perNode", *fault.path, part="key"),
                    subject=f"Cluster {cluster.name}",
                    help=fault.help,
                )


def _faults(product: Product | None, amounts: Mapping[str, Quantity], gpus: int) -> Iterator[_Fault]:
    """What is impossible in the partitions of one node; nothing where product or number of GPUs are unknown."""
    if product is None:
        return
    counts: dict[str, int] = {}
    first = ""
    for resource, amount in amounts.items():
        profile = profile_name(resource)
        if (
            not profile or "c." in profile
        ):  # compute instances share the memory of a partition; they are not judged
            continue
        if profile not in product.profiles:
            near = did_you_mean(profile, product.profiles)
            hint = f"; did you mean {near[0]}?" if near else ""
            names = f"profiles: {', '.join(product.profiles)}"
            yield _Fault((resource,), f"{product.name} has no profile {profile}{hint}", (names,))
            continue
        counts[profile] = amount.units()
        first = first or resource
    why = impossible(product, counts, gpus) if counts and gpus else ""
    if why:
        made = ", ".join(f"{count} × {profile}" for profile, count in counts.items())
        yield _Fault((first,), f"{made} cannot be made of its GPUs ({product.name}): {why}")
