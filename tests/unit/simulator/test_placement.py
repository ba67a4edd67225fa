"""Pods on nodes: packing, spreading, gangs, health, and what is given back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kohort.objects.cluster import Cluster
from kohort.objects.health import HealthVocabulary
from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_flavor
from kohort.semantics.work import PodSetAsk
from kohort.simulator.placement.board import Board, Wanted
from kohort.simulator.placement.host import hosts_of

GPU = "nvidia.com/gpu"
KEY = "autopilot.ibm.com/gpuhealth"
EVICTING = {KEY: frozenset({"EVICT"})}


def node(name, gpus=8, alive=None, pool="a", **spec):
    data = {
        "metadata": {"name": name, "labels": {"pool": pool}},
        "spec": spec,
        "status": {
            "capacity": {GPU: str(gpus), "cpu": "64"},
            "allocatable": {GPU: str(gpus if alive is None else alive), "cpu": "64"},
        },
    }
    return KubeObject("v1", "Node", name, "", data, Typed("n"))


def flavor(pool="a", **spec):
    data = {"metadata": {"name": pool}, "spec": {"nodeLabels": {"pool": pool}, **spec}}
    return read_flavor(KubeObject("kueue.x-k8s.io/v1beta2", "ResourceFlavor", pool, "", data, Typed("f")))


def board(*nodes, packing=True):
    return Board(hosts_of(Cluster(list(nodes))), HealthVocabulary.default(), EVICTING, packing=packing)


def ask(gpus, pods=1, **pod):
    return PodSetAsk("main", pods, {GPU: gpus, "cpu": 1000}, pod=pod)


def place(on, key, gpus, pods=1, *, gang=False, of=None, **pod):
    shape = ask(gpus, pods, **pod)
    return on.place(key, [Wanted(shape, pods, (of or flavor(),))], gang=gang)


def test_a_small_pod_goes_to_the_node_with_least_left():
    """A18: a pod of 1 GPU goes to the node with 1 GPU left, not to an empty one."""
    on = board(node("n0"), node("n1"), node("n2"))
    place(on, "seven", 7)
    assert on.nodes_of("seven") == ("n0",)
    place(on, "one", 1)
    assert on.nodes_of("one") == ("n0",)
    place(on, "pair", 4, 4)  # A18: 4 × 4 GPUs take two nodes
    assert on.nodes_of("pair") == ("n1", "n2")


def test_eight_small_pods_share_a_node_and_two_large_ones_then_fit():
    """A16: packing keeps whole nodes free."""
    on = board(node("n0"), node("n1"), node("n2"))
    for number in range(8):
        place(on, f"small-{number}", 1)
    assert {on.nodes_of(f"small-{n}") for n in range(8)} == {("n0",)}
    assert place(on, "large", 8, 2)
    assert on.nodes_of("large") == ("n1", "n2")


def test_without_packing_pods_spread():
    on = board(node("n0"), node("n1"), packing=False)
    place(on, "a", 1)
    place(on, "b", 1)
    assert on.nodes_of("a") + on.nodes_of("b") == ("n0", "n1")


def test_a_gang_is_bound_as_a_whole_or_not_at_all():
    """A19: none of 4 is bound before all fit."""
    on = board(node("n0"), node("n1"))
    place(on, "other", 8)
    assert not place(on, "gang", 4, 4, gang=True)
    assert on.nodes_of("gang") == ()
    assert on.devices() == (16, 8, 8)
    on.remove("other")
    assert on.settle() == ["gang"]
    assert on.nodes_of("gang") == ("n0", "n1")


def test_pods_without_a_gang_hold_what_they_have_got():
    on = board(node("n0"), node("n1"))
    place(on, "other", 8)
    assert not place(on, "partly", 4, 4)
    assert on.nodes_of("partly") == ("n1",)
    assert on.devices() == (16, 0, 0)
    on.remove("partly")
    assert on.devices() == (16, 8, 8)


def test_labels_of_flavor_and_selector_of_pod_decide():
    on = board(node("n0", pool="b"), node("n1"), node("n2"))
    assert place(on, "a", 8)
    assert on.nodes_of("a") == ("n1",)
    picky = {"nodeSelector": {"kubernetes.io/hostname": "n2"}}
    assert place(on, "b", 8, **picky)
    assert on.nodes_of("b") == ("n2",)
    assert not place(on, "c", 8)


def test_taints_need_a_toleration_of_pod_or_flavor():
    taint = {"key": "gpu", "value": "", "effect": "NoSchedule"}
    on = board(node("n0", taints=[taint]))
    assert not place(on, "a", 1)
    tolerations = [{"key": "gpu", "operator": "Exists"}]
    assert place(on, "b", 1, tolerations=tolerations)
    assert place(on, "c", 1, of=flavor(tolerations=tolerations))


def test_a_cordoned_or_ill_node_takes_no_pod_and_keeps_what_it_has():
    on = board(node("n0"), node("n1"))
    place(on, "a", 4)
    host = on.by_name["n0"]
    host.labels[KEY] = "TESTING"
    on.changed(host)
    assert host.ill
    assert not host.evicts
    place(on, "b", 4)
    assert on.nodes_of("b") == ("n1",)
    assert on.nodes_of("a") == ("n0",)
    assert on.devices()[0] == 8
    host.labels[KEY] = "PASS"
    on.changed(host)
    assert on.devices()[0] == 16


def test_lost_devices_take_no_pod_and_come_back():
    on = board(node("n0", alive=7))
    host = on.by_name["n0"]
    assert on.devices() == (7, 7, 7)
    assert not place(on, "a", 8)
    host.lose({GPU: 0})
    on.changed(host)
    assert on.settle() == ["a"]
    host.lose({GPU: 3})
    assert host.free[GPU] == -3
    on.remove("a")
    assert on.devices() == (5, 5, 5)


def test_nodes_that_are_out_from_the_start():
    on = board(node("n0", unschedulable=True), node("n1"))
    place(on, "a", 8)
    assert on.nodes_of("a") == ("n1",)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 8), st.integers(1, 4), st.booleans()), max_size=40)
)
def test_nothing_is_lost_and_no_node_holds_more_than_it_has(steps):
    """Jobs come and go in any order; what is free and what is bound is always all there is."""
    on = board(node("n0"), node("n1"), node("n2", 4))
    there = {}
    for slot, gpus, pods, gang in steps:
        key = f"job-{slot}"
        if key in there:
            on.remove(key)
            del there[key]
            on.settle()
        else:
            place(on, key, gpus, pods, gang=gang)
            there[key] = gang
        for host in on.hosts:
            assert 0 <= host.free[GPU] <= host.total[GPU]
        bound = sum(
            gpus_of * len(part.bound)
            for binding in on._bindings.values()
            for part in binding.parts
            for gpus_of in [part.requests[GPU]]
        )
        assert bound + on.devices()[1] == 20
        for name, whole in there.items():
            binding = on._bindings[name]
            assert binding.complete or not whole or not any(part.bound for part in binding.parts)
    for key in list(there):
        on.remove(key)
    assert on.devices() == (20, 20, 20)
