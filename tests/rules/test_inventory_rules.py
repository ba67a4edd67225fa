"""Rules on inventories and partitions: place, numbers, and what must stay silent."""

from __future__ import annotations

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

HEAD = "apiVersion: kohort.dev/v1alpha1\n"
CLUSTER = """\
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  rackLabel: example.com/rack
  nodePools:
  - name: cpu
    flavor: cpu
    nodes: 2
    labels: {pool: cpu}
    perNode: {cpu: 64, memory: 256Gi}
    reserve: {cpu: 4}
    racks: {r1: [cpu-0, cpu-1]}
"""
FLAVOR = f"{HEAD}kind: Flavor\nmetadata: {{name: cpu}}\nspec: {{}}\n"
WANTED = {"CAP941", "CAP942", "CAP943", "CAP944", "CAP951"}


def judged(*entries: str, cluster: str = CLUSTER, flavor: str = FLAVOR):
    nodes = "".join(f"  - {entry}\n" for entry in entries)
    files = {
        "clusters/lab/cluster.yaml": HEAD + cluster,
        "clusters/lab/inventory.yaml": f"{HEAD}kind: Inventory\nmetadata: {{name: lab}}\nspec:\n  observed: 2026-03-30\n  nodes:\n{nodes}",
        "queues/flavors.yaml": flavor,
        "kohort.yaml": f"{HEAD}kind: Organisation\nmetadata: {{name: x}}\nspec: {{}}\n",
    }
    report = check_repository(MemoryTree(files), Settings())[0].report
    return [
        (f.code, f.primary.origin.file, f.primary.origin.path, f.message)
        for f in report.findings
        if f.code in WANTED
    ]


POOL = ("spec", "nodePools", 0)
INVENTORY = "clusters/lab/inventory.yaml"


def test_an_inventory_as_declared_is_silent():
    assert judged("{prefix: cpu-, count: 2, pool: cpu}") == []


def test_fewer_nodes_than_declared():
    assert judged("{name: cpu-0, pool: cpu}") == [
        (
            "CAP941",
            "clusters/lab/cluster.yaml",
            (*POOL, "nodes"),
            "node pool cpu of cluster lab declares 2 nodes, the inventory of 2026-03-30 has 1",
        )
    ]


def test_an_elastic_pool_may_be_empty_but_not_larger():
    flavor = FLAVOR.replace("spec: {}", "spec: {elastic: true}")
    other = "{name: other, pool: null, labels: {x: z}}"
    assert [code for code, *_ in judged(other, flavor=flavor)] == ["CAP942"]
    assert [code for code, *_ in judged("{prefix: cpu-, count: 3, pool: cpu}", flavor=flavor)] == ["CAP941"]


def test_a_node_of_no_declared_pool():
    assert judged("{prefix: cpu-, count: 2, pool: cpu}", "{prefix: x, count: 5, pool: cpus}") == [
        (
            "CAP942",
            INVENTORY,
            ("spec", "nodes", 1, "pool"),
            "nodes x0, x1, x2 and 2 more: node pool cpus, which cluster lab does not declare; did you mean `cpu`?",
        )
    ]


@pytest.mark.parametrize(
    ("entry", "path", "message"),
    [
        (
            "{prefix: cpu-, count: 2, pool: cpu, capacity: {cpu: 48}}",
            ("capacity", "cpu"),
            "nodes cpu-0, cpu-1 of cluster lab: capacity of cpu is 48, node pool cpu declares 64",
        ),
        (
            "{prefix: cpu-, count: 2, pool: cpu, allocatable: {cpu: 59}}",
            ("allocatable", "cpu"),
            "nodes cpu-0, cpu-1 of cluster lab: allocatable of cpu is 59, node pool cpu promises 60 after its reserve",
        ),
        (
            "{prefix: cpu-, count: 2, pool: cpu, capacity: {example.com/nic: 1}}",
            ("capacity", "example.com/nic"),
            "nodes cpu-0, cpu-1 of cluster lab: capacity of example.com/nic is 1, node pool cpu declares 0",
        ),
    ],
)
def test_nodes_of_another_shape(entry, path, message):
    assert judged(entry) == [("CAP943", INVENTORY, ("spec", "nodes", 0, *path), message)]


def test_more_allocatable_than_promised_and_lost_devices_are_no_difference_of_shape():
    assert judged("{prefix: cpu-, count: 2, pool: cpu, allocatable: {cpu: 63}}") == []
    with_gpu = CLUSTER.replace("memory: 256Gi", "memory: 256Gi, example.com/gpu: 8")
    assert (
        judged("{prefix: cpu-, count: 2, pool: cpu, allocatable: {example.com/gpu: 7}}", cluster=with_gpu)
        == []
    )


def test_a_node_in_another_rack():
    assert judged("{name: cpu-0, pool: cpu}", "{name: cpu-1, pool: cpu, rack: r2}") == [
        (
            "CAP944",
            INVENTORY,
            ("spec", "nodes", 1, "rack"),
            "node cpu-1 of cluster lab was seen in rack r2, its node pool declares r1",
        )
    ]


MIG = CLUSTER.replace(
    "    racks: {r1: [cpu-0, cpu-1]}\n",
    "    share: {nvidia.com/mig-3g.40gb: 3/7}\n    gpu: NVIDIA-A100-SXM4-80GB\n    gpusPerNode: 2\n",
)


@pytest.mark.parametrize(
    ("device", "count", "message"),
    [
        (
            "nvidia.com/mig-3g.40gb",
            5,
            "5 × 3g.40gb cannot be made of its GPUs (NVIDIA-A100-SXM4-80GB): 5 × 3 = 15 compute slices, more than the 14 of 2 GPUs",
        ),
        ("nvidia.com/mig-3g.40gb", 4, None),
        ("nvidia.com/mig-3g.20gb", 4, "NVIDIA-A100-SXM4-80GB has no profile 3g.20gb; did you mean 1g.20gb?"),
    ],
)
def test_partitions_of_a_pool(device, count, message):
    cluster = MIG.replace("memory: 256Gi", f"memory: 256Gi, {device}: {count}").replace(
        "nvidia.com/mig-3g.40gb: 3/7", f"{device}: 3/7"
    )
    got = judged("{prefix: cpu-, count: 2, pool: cpu}", cluster=cluster)
    if message is None:
        assert got == []
    else:
        assert got == [
            (
                "CAP951",
                "clusters/lab/cluster.yaml",
                (*POOL, "perNode", device),
                f"node pool cpu of cluster lab: {message}",
            )
        ]


def node(labels: str, devices: str) -> list[tuple[tuple[str | int, ...], str]]:
    text = f"apiVersion: v1\nkind: Node\nmetadata: {{name: gpu-a, labels: {{{labels}}}}}\nstatus: {{allocatable: {{{devices}}}}}\n"
    report = check_plain([MemoryTree({"n.yaml": text})], Settings()).report
    return [(f.primary.origin.path, f.message) for f in report.findings if f.code == "CAP951"]


def test_partitions_of_a_plain_node():
    label = "nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/gpu.count: '1'"
    assert node(label, "nvidia.com/mig-4g.40gb: '1', nvidia.com/mig-2g.20gb: '2'") == [
        (
            ("status", "allocatable", "nvidia.com/mig-4g.40gb"),
            (
                "Node gpu-a: 1 × 4g.40gb, 2 × 2g.20gb cannot be made of its GPUs (NVIDIA-A100-SXM4-80GB): "
                "1 × 4 + 2 × 2 = 8 compute slices, more than the 7 of 1 GPU"
            ),
        )
    ]
    assert node(label, "nvidia.com/mig-4g.40gb: '1', nvidia.com/mig-2g.20gb: '1'") == []


def test_a_plain_node_of_unknown_product_or_count_is_not_judged():
    assert (
        node("nvidia.com/gpu.product: NVIDIA-L4, nvidia.com/gpu.count: '1'", "nvidia.com/mig-4g.40gb: '9'")
        == []
    )
    assert node("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB", "nvidia.com/mig-4g.40gb: '9'") == []
    assert node("", "nvidia.com/mig-1c.3g.40gb: '9'") == []
