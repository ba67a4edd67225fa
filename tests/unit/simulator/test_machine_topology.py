"""Topology in the machine: forests that follow nodes, flavors, topologies and work; whom a change of nodes wakes."""

from __future__ import annotations

from collections.abc import Mapping

from small_cluster import Cluster, evictions, obj, queue

from kohort.objects.kube import KubeObject, Typed
from kohort.semantics.work import PodSetAsk, TopologyAsk, Work

HOST = "kubernetes.io/hostname"
T = obj("Topology", "t", {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": HOST}]})
F = obj("ResourceFlavor", "f", {"nodeLabels": {"pool": "p"}, "topologyName": "t"})
RACK = TopologyAsk(required="rack")


def node(name: str, gpus: int = 2, *, ready: bool = True, **spec) -> KubeObject:
    labels = {"pool": "p", "rack": name[0], HOST: name}
    amounts = {"gpu": str(gpus), "pods": "110"}
    condition = {"type": "Ready", "status": str(ready)}
    data = {
        "metadata": {"name": name, "labels": labels},
        "spec": spec,
        "status": {"allocatable": amounts, "conditions": [condition]},
    }
    return KubeObject("v1", "Node", name, "", data, Typed("n"))


def cluster(*nodes: KubeObject, **fields) -> Cluster:
    return Cluster(T, F, *nodes, queue("q", 100, **fields))


def submit(to: Cluster, name: str, pods: int, topology: TopologyAsk | None = RACK, priority: int = 0):
    asks = (PodSetAsk("main", pods, {"gpu": 1}, topology=topology),)
    to.machine.submit(Work(f"work/{name}", "q", asks, priority=priority, uid=name), to.step())
    return to.settle()


def domains(of: Cluster, name: str) -> Mapping[str, int]:
    return of.view.domains.get(f"work/{name}", {}).get("main", {})


def taken(of: Cluster) -> dict[str, int]:
    leaves = of.machine.world.state.forests["f"].leaves.values()
    return {leaf.values[-1]: pods for leaf in leaves if (pods := leaf.taken.get("pods", 0))}


def test_pods_are_placed_and_give_their_room_back():
    world = cluster(node("a0"), node("a1"), node("b0", 3))
    submit(world, "one", 3)
    submit(world, "two", 3)
    assert (domains(world, "one"), domains(world, "two")) == ({"b0": 3}, {"a0": 2, "a1": 1})
    assert taken(world) == {"b0": 3, "a0": 2, "a1": 1}
    submit(world, "three", 2)
    assert world.message("three") == (
        'couldn\'t assign flavors to pod set main: topology "t" allows to fit only 1 out of 2 pod(s). '
        'Total nodes: 3; excluded: resource "gpu": 2'
    )
    world.finish("two")
    assert domains(world, "three") == {"a0": 2}
    assert taken(world) == {"b0": 3, "a0": 2}


def test_who_can_never_fit_says_so():
    world = cluster(node("a0"))
    submit(world, "large", 3)
    assert world.message("large") == (
        'couldn\'t assign flavors to pod set main: topology "t" allows to fit only 2 out of 3 pod(s)'
    )
    submit(world, "odd", 1, TopologyAsk(required="block"))
    assert world.message("odd") == (
        'couldn\'t assign flavors to pod set main: Flavor "f" does not contain the requested level'
    )


def test_a_victim_is_found_for_room_that_quota_has():
    world = cluster(node("a0"), node("b0"), within="LowerPriority")
    submit(world, "low", 2)
    submit(world, "other", 1)
    told = evictions(submit(world, "high", 2, priority=5))
    assert told == [("other", "InClusterQueue", "high")]
    assert (domains(world, "high"), domains(world, "low")) == ({"b0": 2}, {"a0": 2})


def test_nodes_that_come_wake_who_waits_two_batches_later():
    world = cluster(node("a0"))
    submit(world, "one", 4)
    at = world.step()
    world.machine.apply(node("a1"), at)
    world.machine.run_until(at + 1_999)
    assert world.machine.view().states["work/one"] == "pending"
    world.machine.run_until(at + 2_000)
    assert world.machine.view().states["work/one"] == "admitted"


def test_cordoned_lost_and_removed_nodes_hold_nothing_new_and_keep_what_runs():
    for away in (node("a0", unschedulable=True), node("a0", ready=False), None):
        world = cluster(node("a0"), node("b0"))
        submit(world, "runs", 1)
        assert domains(world, "runs") == {"a0": 1}
        if away is None:
            world.remove("Node", "a0")
        else:
            world.apply(away)
        submit(world, "new", 2)
        assert (domains(world, "new"), domains(world, "runs")) == ({"b0": 2}, {"a0": 1})
        submit(world, "more", 1)
        assert world.states()["more"] == "pending"
        world.apply(node("a0"))
        assert domains(world, "more") == {"a0": 1}
        assert taken(world) == {"a0": 2, "b0": 2}


def test_a_topology_that_comes_later_and_one_that_waits_for_its_flavors():
    world = Cluster(F, node("a0"), queue("q", 100))
    submit(world, "one", 1)
    assert world.view.notActive["q"] == "TopologyNotFound"
    world.apply(T)
    assert domains(world, "one") == {"a0": 1}
    world.remove("Topology", "t")
    submit(world, "two", 1)
    assert domains(world, "two") == {"a0": 1}


def test_without_nodes_quota_alone_decides():
    world = cluster()
    submit(world, "one", 50)
    assert (world.states(), domains(world, "one")) == ({"one": "admitted"}, {})


def test_two_queues_of_one_cycle_do_not_take_the_same_room():
    """The second is judged again in the cycle, and waits where nothing is left."""
    world = Cluster(T, F, node("a0"), node("b0"), queue("q", 100), queue("p", 100))
    asks = (PodSetAsk("main", 2, {"gpu": 1}, topology=RACK),)
    at = world.step()
    for name, to, priority in (("low", "q", 0), ("one", "q", 1), ("two", "p", 2), ("three", "p", 0)):
        world.machine.submit(Work(f"work/{name}", to, asks, uid=name, priority=priority), at)
    world.settle()
    assert {name: domains(world, name) for name in ("one", "two", "three", "low")} == {
        "two": {"a0": 2},  # the higher priority of both queues comes first, though they are strangers
        "one": {"b0": 2},
        "three": {},
        "low": {},
    }


def test_a_strict_head_looks_again_when_a_stranger_gives_nodes_back():
    world = Cluster(
        T, F, node("a0"), queue("q", 100), queue("p", 100, queueingStrategy="StrictFIFO"), queue("o", 100)
    )
    submit(world, "runs", 2)
    asks = (PodSetAsk("main", 2, {"gpu": 1}, topology=RACK),)
    for name, to in (("strict", "p"), ("parked", "o")):
        world.machine.submit(Work(f"work/{name}", to, asks, uid=name), world.step())
        world.settle()
    world.finish("runs")
    assert world.admitted() == {"strict"}
    world.finish("strict")
    assert world.admitted() == set()  # nobody wakes what is parked in a tree of its own, as in Kueue


def test_work_that_runs_at_the_start_has_its_room():
    status = {
        "conditions": [
            {"type": kind, "status": "True", "reason": kind} for kind in ("QuotaReserved", "Admitted")
        ],
        "admission": {
            "clusterQueue": "q",
            "podSetAssignments": [
                {
                    "name": "main",
                    "count": 2,
                    "flavors": {"gpu": "f"},
                    "resourceUsage": {"gpu": "2"},
                    "topologyAssignment": {
                        "levels": [HOST],
                        "slices": [
                            {
                                "domainCount": 1,
                                "valuesPerLevel": [{"universal": "a0"}],
                                "podCounts": {"universal": 2},
                            }
                        ],
                    },
                }
            ],
        },
    }
    template = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"gpu": "1"}}}]}}
    spec = {"queueName": "q", "podSets": [{"name": "main", "count": 2, "template": template}]}
    world = Cluster(
        T, F, node("a0", 3), queue("q", 100), obj("Workload", "runs", spec, space="work", status=status)
    )
    assert (domains(world, "runs"), taken(world)) == ({"a0": 2}, {"a0": 2})
    submit(world, "new", 2)
    assert world.states()["new"] == "pending"
    world.finish("runs")
    assert domains(world, "new") == {"a0": 2}
