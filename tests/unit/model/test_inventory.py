"""Nodes from the compact inventory and from pools: amounts, labels, and the line each of them came from."""

from __future__ import annotations

from model_support import CLUSTER, HEAD, found, repo_of

from kohort.model import planned
from kohort.objects.node import read_node


def inventory(*entries: str) -> str:
    nodes = "".join(f"  - {entry}\n" for entry in entries)
    return (
        CLUSTER
        + f"# file: clusters/lab/inventory.yaml\n{HEAD}kind: Inventory\nmetadata: {{name: lab}}\nspec:\n  observed: 2026-03-30\n  nodes:\n{nodes}"
    )


def nodes_of(*entries: str):
    repo = repo_of(inventory(*entries))
    assert repo.findings == ()
    return repo.inventories["lab"].nodes


def amounts(mapping):
    return {resource: str(amount) for resource, amount in mapping.items()}


def test_a_row_of_nodes_takes_what_is_not_written_from_its_pool():
    nodes = nodes_of("{prefix: gpu-, first: 3, count: 2, pool: gpu, rack: r1, labels: {a: b}}")
    assert [node.name for node in nodes] == ["gpu-3", "gpu-4"]
    view = read_node(nodes[0])
    assert view.pool == "gpu"
    assert view.labels == {
        "kubernetes.io/hostname": "gpu-3",
        "pool": "gpu",
        "example.com/rack": "r1",
        "a": "b",
    }
    assert [str(taint) for taint in view.taints] == ["example.com/gpu:NoSchedule"]
    assert amounts(view.capacity) == {
        "cpu": "100", "memory": "1000Gi", "example.com/gpu": "8", "example.com/nic": "3", "pods": "110", "ephemeral-storage": "1Ti",
    }  # fmt: skip
    assert amounts(view.allocatable) == {
        "cpu": "96", "memory": "960Gi", "example.com/gpu": "8", "example.com/nic": "3", "pods": "100", "ephemeral-storage": "1Ti",
    }  # fmt: skip
    assert view.conditions == {"Ready": "True"}
    assert not view.unschedulable


def test_every_field_points_at_the_inventory_or_the_pool():
    (node,) = nodes_of(
        "{names: [x], pool: gpu, labels: {a: b}, cordoned: true, conditions: {GpuXid: true}, allocatable: {example.com/gpu: 7}}"
    )
    line = ("spec", "nodes", 0)
    pool = ("spec", "nodePools", 0)
    places = {
        ("metadata", "name"): ("inventory", (*line, "names", 0)),
        ("metadata", "labels", "a"): ("inventory", (*line, "labels", "a")),
        ("metadata", "labels", "pool"): ("cluster", (*pool, "labels", "pool")),
        ("spec", "unschedulable"): ("inventory", (*line, "cordoned")),
        ("spec", "taints", 0, "key"): ("cluster", (*pool, "taints", 0)),
        ("status", "allocatable", "example.com/gpu"): (
            "inventory",
            (*line, "allocatable", "example.com/gpu"),
        ),
        ("status", "allocatable", "cpu"): ("cluster", (*pool, "perNode", "cpu")),
        ("status", "capacity", "example.com/gpu"): ("cluster", (*pool, "perNode", "example.com/gpu")),
        ("status", "conditions", 1, "status"): ("inventory", (*line, "conditions", "GpuXid")),
        ("metadata", "annotations", "kohort.dev/pool"): ("inventory", (*line, "pool")),
    }
    for path, (file, want) in places.items():
        origin = node.at(*path)
        assert (origin.file, origin.path) == (f"clusters/lab/{file}.yaml", want), path
    assert node.provenance.arithmetic(("status", "allocatable", "cpu")) == "100 − 4 cpu of node pool gpu"


def test_observed_amounts():
    lost, more, less, small = (
        read_node(node)
        for node in nodes_of(
            "{name: lost, pool: gpu, allocatable: {example.com/gpu: 7}}",
            "{name: more, pool: gpu, allocatable: {cpu: 99}}",
            "{name: less, pool: gpu, allocatable: {cpu: 90}}",
            "{name: small, pool: gpu, capacity: {cpu: 50}}",
        )
    )
    assert (str(lost.capacity["example.com/gpu"]), str(lost.allocatable["example.com/gpu"])) == ("8", "7")
    assert str(more.allocatable["cpu"]) == "96"  # the reserve is promised to nobody
    assert str(less.allocatable["cpu"]) == "90"
    assert (str(small.capacity["cpu"]), str(small.allocatable["cpu"])) == ("50", "50")


def test_readiness_reads_booleans_and_words():
    ready = [
        read_node(n).conditions["Ready"]
        for n in nodes_of("{name: a, ready: false}", "{name: b, ready: Unknown}", "{name: c}")
    ]
    assert ready == ["False", "Unknown", "True"]


def test_devices_held_back_by_a_reserve_are_not_lost():
    text = inventory("{name: a, pool: gpu}").replace(
        "reserve: {cpu: 4,", "reserve: {example.com/gpu: 1, cpu: 4,"
    )
    view = read_node(repo_of(text).inventories["lab"].nodes[0])
    assert str(view.capacity["example.com/gpu"]) == str(view.allocatable["example.com/gpu"]) == "7"


def test_a_node_named_twice():
    text = inventory("{prefix: a-, count: 2}", "{name: a-1}")
    assert found(text) == [
        (
            "SRC107",
            "clusters/lab/inventory.yaml:8:12",
            "Inventory lab: node a-1 stands there twice; the first counts",
        )
    ]
    assert [node.name for node in repo_of(text).inventories["lab"].nodes] == ["a-0", "a-1"]


def test_an_entry_says_which_nodes_it_means():
    assert (
        found(inventory("{pool: gpu}"))[0][2]
        == "Inventory lab: spec.nodes[0] lacks one of `name`, `names` or `prefix`"
    )
    assert found(inventory("{prefix: a}"))[0][2] == "Inventory lab: spec.nodes[0] lacks `count`"
    assert (
        found(inventory("{prefix: a, count: 10001}"))[0][2]
        == "Inventory lab: spec.nodes[0].count `10001` is above 10000"
    )


def test_the_rack_is_observed_or_expected():
    text = inventory("{name: a, pool: gpu}", "{name: b, pool: gpu, rack: r2}").replace(
        "    reserve: {cpu: 4,", "    racks: {r1: [a, b]}\n    reserve: {cpu: 4,"
    )
    one, two = repo_of(text).inventories["lab"].nodes
    assert one.labels()["example.com/rack"] == "r1"
    assert one.at("metadata", "labels", "example.com/rack").file == "clusters/lab/cluster.yaml"
    assert two.labels()["example.com/rack"] == "r2"


def test_planned_nodes_are_those_of_the_pools():
    text = CLUSTER.replace("    reserve: {cpu: 4,", "    racks: {r1: [gpu-2, box]}\n    reserve: {cpu: 4,")
    nodes = planned.planned_nodes(repo_of(text).clusters["lab"])
    names = [node.name for node in nodes]
    assert names == ["gpu-2", "box", "gpu-0", "gpu-1", "cpu-0", "cpu-1", "part-0", "part-1"]
    first = read_node(nodes[0])
    assert first.labels["example.com/rack"] == "r1"
    assert str(first.allocatable["memory"]) == "960Gi"
    assert first.pool == "gpu"
    assert nodes[0].at().path == ("spec", "nodePools", 0, "nodes")
    assert nodes[0].at("status", "allocatable", "cpu").path == ("spec", "nodePools", 0, "perNode", "cpu")


def test_a_typing_error_in_the_number_of_nodes_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(planned, "_MOST_NODES", 50)
    nodes = planned.planned_nodes(repo_of(CLUSTER.replace("nodes: 4", "nodes: 400000000")).clusters["lab"])
    assert len(nodes) == 50 + 2 + 2
