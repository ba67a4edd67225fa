"""Topology-aware scheduling: racks and hosts that pods need together, beside quota (reference section 7.1)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import HOSTNAME, check, flavor, group, node, podset, queue, topology
from kohort.lab.recording.story import RESOURCE, Story

T = topology("t", "rack", HOSTNAME)
F = flavor("f", {"pool": "p"}, topology="t")
PLENTY = {"f": 100}


def racks(pool: str = "p", **sizes: tuple[int, ...]) -> list[dict]:
    """Nodes `a0`, `a1`, … of rack a, and so on, each with so many GPUs."""
    return [
        node(f"{rack}{number}", {RESOURCE: gpus}, {"pool": pool, "rack": rack})
        for rack, hosts in sizes.items()
        for number, gpus in enumerate(hosts)
    ]


def world(name: str, *nodes: dict, within: str = "Never", word: str = "topology", **fields) -> Story:
    made = queue("q", group(RESOURCE, PLENTY), within=within, **fields)
    return Story(name, word, T, F, *nodes, made)


def required(level: str) -> dict:
    return {"required": level}


def preferred(level: str) -> dict:
    return {"preferred": level}


ANYWHERE = {"unconstrained": True}


def scenarios() -> Iterator[Story]:
    yield from placing()
    yield from levels_and_slices()
    yield from flavors_and_queues()
    yield from preempting()
    yield from nodes_that_change()


def placing() -> Iterator[Story]:
    yield (
        world("topology-required-rack", *racks(a=(2, 2), b=(3,)))
        .submit("w1", "q", 1, count=3, topology=required("rack"))
        .submit("w2", "q", 1, count=3, topology=required("rack"))
        .submit("w3", "q", 1, count=2, topology=required("rack"))
        .submit("w4", "q", 1, count=5, topology=required("rack"))
        .finish("w1")
        .finish("w2")
    )
    yield (
        world("topology-required-host", *racks(a=(2, 4), b=(3, 1)))
        .submit("w1", "q", 1, count=3, topology=required(HOSTNAME))
        .submit("w2", "q", 1, count=3, topology=required(HOSTNAME))
        .submit("w3", "q", 1, count=2, topology=required(HOSTNAME))
        .submit("w4", "q", 1, count=2, topology=required(HOSTNAME))
        .delete("w2")
        .submit("w5", "q", 1, count=9, topology=required(HOSTNAME))
    )
    yield (
        world("topology-preferred", *racks(a=(2, 1), b=(2,), c=(1,)))
        .submit("w1", "q", 1, count=5, topology=preferred("rack"))
        .submit("w2", "q", 1, count=1, topology=preferred(HOSTNAME))
        .submit("w3", "q", 1, count=2, topology=preferred(HOSTNAME))
        .finish("w1")
        .submit("w4", "q", 1, count=4, topology=preferred(HOSTNAME))
        .submit("w5", "q", 1, count=7, topology=preferred("rack"))
    )
    yield (
        world("topology-unconstrained", *racks(a=(4, 1), b=(2,), c=(3, 3)))
        .submit("w1", "q", 1, count=2, topology=ANYWHERE)
        .submit("w2", "q", 1, count=6, topology=ANYWHERE)
        .submit("w3", "q", 2, count=2, topology=ANYWHERE)
        .submit("w4", "q", 1, count=2, topology=ANYWHERE)
        .finish("w2")
    )
    yield (
        world("topology-implied", *racks(a=(2, 2), b=(1,)))
        .submit("w1", "q", 1, count=3)
        .submit("w2", "q", 2)
        .submit("w3", "q", 2)
        .submit("w4", "q", 1)
        .finish("w1")
    )
    yield (
        world("topology-several-pod-sets", *racks(a=(2, 2), b=(3,)))
        .submit(
            "w1",
            "q",
            [
                podset("lead", 1, {RESOURCE: 1}, topology=required(HOSTNAME)),
                podset("work", 3, {RESOURCE: 1}, topology=required("rack")),
            ],
        )
        .submit(
            "w2",
            "q",
            [
                podset("one", 2, {RESOURCE: 1}, topology=required("rack")),
                podset("two", 2, {RESOURCE: 1}, topology=required("rack")),
            ],
        )
        .finish("w1")
    )
    several = [
        node("a0", {RESOURCE: 8, "cpu": 4}, {"pool": "p", "rack": "a"}),
        node("a1", {RESOURCE: 8, "cpu": 16, "pods": 2}, {"pool": "p", "rack": "a"}),
        node("b0", {RESOURCE: 2, "cpu": 64}, {"pool": "p", "rack": "b"}),
    ]
    yield (
        Story(
            "topology-scarcest-resource",
            "topology",
            T,
            F,
            *several,
            queue("q", group([RESOURCE, "cpu"], {"f": (100, 100)})),
        )
        .submit("w1", "q", {RESOURCE: 1, "cpu": 2}, count=4, topology=required("rack"))
        .submit("w2", "q", {RESOURCE: 1, "cpu": 1}, count=2, topology=required("rack"))
        .submit("w3", "q", {RESOURCE: 1, "cpu": 1}, count=1, topology=required("rack"))
        .finish("w1")
    )
    yield (
        world("topology-partial-admission", *racks(a=(2, 2), b=(3,)))
        .submit("w1", "q", 1, count=6, min_count=2, topology=required("rack"))
        .submit("w2", "q", 1, count=5, min_count=2, topology=required("rack"))
        .submit("w3", "q", 1, count=5, min_count=2, topology=required("rack"))
        .finish("w1")
    )
    yield (
        world("topology-reclaimable", *racks(a=(2, 2)))
        .submit("w1", "q", 1, count=4, topology=required("rack"))
        .submit("w2", "q", 1, count=2, topology=required("rack"))
        .reclaimable("w1", main=2)
        .reclaimable("w1", main=3)
        .finish("w1")
    )
    yield (
        world("topology-alike-are-parked-unseen", *racks(a=(2,)))
        .submit("w1", "q", 1, count=2, topology=required("rack"))
        .submit("w2", "q", 1, count=1, topology=required("rack"))
        .submit("w3", "q", 1, count=1, topology=required("rack"))
        .submit("w4", "q", 1, count=1, topology=preferred("rack"))
        .finish("w1")
    )


def levels_and_slices() -> Iterator[Story]:
    deep = topology("t", "block", "rack", HOSTNAME)
    tree = {"x": {"a": (2, 2), "b": (2,)}, "y": {"c": (3,), "d": (1, 1)}}
    nodes = [
        node(f"{rack}{i}", {RESOURCE: gpus}, {"pool": "p", "block": block, "rack": rack})
        for block, racks_ in tree.items()
        for rack, hosts in racks_.items()
        for i, gpus in enumerate(hosts)
    ]
    yield (
        Story("topology-three-levels", "topology", deep, F, *nodes, queue("q", group(RESOURCE, PLENTY)))
        .submit("w1", "q", 1, count=5, topology=required("block"))
        .submit("w2", "q", 1, count=5, topology=required("block"))
        .submit("w3", "q", 1, count=2, topology=preferred(HOSTNAME))
        .finish("w1")
        .submit("w4", "q", 1, count=7, topology=preferred("rack"))
        .submit("w5", "q", 1, count=3, topology=required("block"))
    )
    yield (
        Story(
            "topology-lowest-level-is-the-rack",
            "topology",
            topology("t", "block", "rack"),
            F,
            *nodes,
            queue("q", group(RESOURCE, PLENTY)),
        )
        .submit("w1", "q", 1, count=3, topology=required("rack"))
        .submit("w2", "q", 2, count=2, topology=required("rack"))
        .submit("w3", "q", 1, count=6, topology=preferred("rack"))
        .submit("w4", "q", 1, topology=required(HOSTNAME))
        .finish("w3")
    )
    by_host = {"podSetSliceRequiredTopology": HOSTNAME, "podSetSliceSize": 2}
    yield (
        world("topology-slices", *racks(a=(3, 2), b=(2, 2)))
        .submit("w1", "q", 1, count=8, topology={"preferred": "rack", **by_host})
        .submit("w2", "q", 1, count=2, topology={"required": "rack", **by_host})
        .finish("w1")
        .submit("w3", "q", 1, count=10, topology={"preferred": "rack", **by_host})
        .submit("w4", "q", 1, count=4, topology=by_host)
    )
    by_rack = {"podSetSliceRequiredTopology": "rack", "podSetSliceSize": 3}
    yield (
        world("topology-slices-by-rack", *racks(a=(2, 2), b=(3,), c=(1, 1)))
        .submit("w1", "q", 1, count=6, topology=by_rack)
        .submit("w2", "q", 1, count=3, topology=by_rack)
        .finish("w1")
    )


def flavors_and_queues() -> Iterator[Story]:
    plain = flavor("plain", {"pool": "none"})
    yield (
        Story(
            "topology-beside-a-plain-flavor",
            "topology",
            T,
            F,
            plain,
            *racks(a=(2, 2)),
            queue("q", group(RESOURCE, {"f": 3, "plain": 2})),
        )
        .submit("w1", "q", 1, count=2)
        .submit("w2", "q", 1, count=2, topology=required("rack"))
        .submit("w3", "q", 1)
        .submit("w4", "q", 1, count=2, topology=required("rack"))
        .finish("w2")
    )
    other = flavor("g", {"pool": "r"}, topology="t")
    yield (
        Story(
            "topology-second-flavor",
            "topology fungibility",
            T,
            F,
            other,
            *racks(a=(2,), b=(2,)),
            *racks("r", c=(4,)),
            queue("q", group(RESOURCE, {"f": 4, "g": 4})),
        )
        .submit("w1", "q", 1, count=3, topology=required("rack"))
        .submit("w2", "q", 1, count=2, topology=required("rack"))
        .submit("w3", "q", 1, count=4, topology=required("rack"))
        .submit("w4", "q", 1, count=2, topology=required("rack"))
        .submit("w5", "q", 1, count=2, topology=required("rack"))
    )
    yield (
        world("topology-unknown-level", *racks(a=(2,)))
        .submit("w1", "q", 1, topology=required("block"))
        .submit("w2", "q", 1, topology=preferred("block"))
        .submit("w3", "q", 1, topology=required("rack"))
    )
    yield (
        Story(
            "topology-comes-later", "topology missing", F, *racks(a=(2,)), queue("q", group(RESOURCE, PLENTY))
        )
        .submit("w1", "q", 1, topology=required("rack"))
        .apply(T)
        .submit("w2", "q", 1, topology=required("rack"))
        .submit("w3", "q", 1, topology=required("rack"))
        .remove("Topology", "t")
        .finish("w1")
    )
    yield (
        Story(
            "topology-two-queues-meet",
            "topology",
            T,
            F,
            *racks(a=(3,), b=(2,)),
            queue("q1", group(RESOURCE, PLENTY)),
            queue("q2", group(RESOURCE, PLENTY)),
        )
        .submit("block", "q1", 1, count=3, topology=required("rack"))
        .submit("w1", "q1", 1, count=3, topology=required("rack"))
        .submit("w2", "q2", 1, count=3, topology=required("rack"))
        .finish("block")
        .delete("w1")
    )
    yield (
        Story(
            "topology-flavors-share-nodes",
            "topology",
            T,
            F,
            flavor("g", {"pool": "p", "rack": "a"}, topology="t"),
            *racks(a=(4,), b=(2,)),
            queue("q1", group(RESOURCE, {"f": 9})),
            queue("q2", group(RESOURCE, {"g": 9})),
        )
        .submit("w1", "q1", 1, count=3, topology=required("rack"))
        .submit("w2", "q2", 1, count=2, topology=required("rack"))
        .submit("w3", "q2", 1, count=1, topology=required("rack"))
        .finish("w1")
    )
    yield (
        Story(
            "topology-with-a-check",
            "topology checks",
            T,
            F,
            check("ok"),
            *racks(a=(2,), b=(2,)),
            queue("q", group(RESOURCE, PLENTY), checks=[{"name": "ok"}]),
        )
        .submit("w1", "q", 1, count=2, topology=required("rack"))
        .submit("w2", "q", 1, count=2, topology=required("rack"))
        .submit("w3", "q", 1, count=2, topology=required("rack"))
        .check("w1", "ok", "Ready")
        .check("w2", "ok", "Rejected")
    )


def preempting() -> Iterator[Story]:
    yield (
        world("topology-preempts-in-its-queue", *racks(a=(2, 2), b=(3,)), within="LowerPriority")
        .submit("low1", "q", 1, 1, count=2, topology=required(HOSTNAME))
        .submit("low2", "q", 1, 1, count=2, topology=required(HOSTNAME))
        .submit("low3", "q", 1, 1, count=2, topology=required(HOSTNAME))
        .submit("high", "q", 1, 5, count=4, topology=required("rack"))
        .submit("never", "q", 1, 9, count=5, topology=required("rack"))
        .finish("high")
    )
    yield (
        Story(
            "topology-reclaims-in-the-cohort",
            "topology reclaim",
            T,
            F,
            *racks(a=(2, 2), b=(4,)),
            queue("own", group(RESOURCE, {"f": 4}), cohort="c", reclaim="Any"),
            queue("lend", group(RESOURCE, {"f": 4}), cohort="c"),
        )
        .submit("b1", "lend", 1, count=4, topology=required(HOSTNAME))
        .submit("b2", "lend", 1, count=2, topology=required("rack"))
        .submit("r1", "own", 1, count=4, topology=required("rack"))
        .submit("r2", "own", 1, count=1, topology=required("rack"))
        .finish("b1")
    )
    yield (
        world("topology-nobody-to-preempt", *racks(a=(2,), b=(2,)), within="LowerPriority")
        .submit("w1", "q", 1, 5, count=2, topology=required("rack"))
        .submit("w2", "q", 1, 5, topology=required("rack"))
        .submit("w3", "q", 1, 5, count=2, topology=required("rack"))
        .submit("w4", "q", 1, 1, topology=required("rack"))
        .finish("w1")
    )


def nodes_that_change() -> Iterator[Story]:
    a1 = node("a1", {RESOURCE: 2}, {"pool": "p", "rack": "a"})
    cordoned = node("a1", {RESOURCE: 2}, {"pool": "p", "rack": "a"}, cordoned=True)
    late = node("a1", {RESOURCE: 2}, {"pool": "p", "rack": "a"}, ready=False)
    larger = node("a1", {RESOURCE: 4}, {"pool": "p", "rack": "a"})
    yield (
        world("topology-node-comes-and-goes", *racks(a=(2,)))
        .submit("w1", "q", 1, count=4, topology=required("rack"))
        .apply(a1)
        .delete("w1")
        .apply(cordoned)
        .submit("w2", "q", 1, count=3, topology=required("rack"))
        .apply(a1)
        .delete("w2")
        .apply(late)
        .submit("w3", "q", 1, count=3, topology=required("rack"))
        .apply(larger)
        .delete("w3")
        .remove("Node", "a1")
        .submit("w4", "q", 1, count=3, topology=required("rack"))
        .submit("w5", "q", 1, count=2, topology=required("rack"))
    )
    tainted = node(
        "b0", {RESOURCE: 4}, {"pool": "p", "rack": "b", "class": "x"}, taints=["spot=true:NoSchedule"]
    )
    tolerating = [{"key": "spot", "operator": "Exists"}]
    yield (
        world("topology-taints-and-selectors-of-nodes", *racks(a=(2,)), tainted)
        .submit("w1", "q", 1, count=3, topology=required("rack"))
        .submit("w2", "q", 1, count=3, topology=required("rack"), tolerations=tolerating)
        .submit("w3", "q", 1, topology=required("rack"), selector={"class": "x"})
        .submit("w4", "q", 1, topology=required("rack"), selector={"class": "x"}, tolerations=tolerating)
        .submit("w5", "q", 1, topology=required("rack"), selector={"class": "y"})
        .finish("w2")
    )
