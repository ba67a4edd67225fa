"""Whether domains that were promised still have room, and what running work takes in them."""

from __future__ import annotations

import pytest

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_flavor
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.gates import gates
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.topology import Forest, Host
from kohort.semantics.topology.assigning import forests_of, still_free
from kohort.semantics.work import PodSetAsk, TopologyAsk, Work

HOST, GPU = "kubernetes.io/hostname", "nvidia.com/gpu"


def kube(kind, name, spec):
    return KubeObject(
        "kueue.x-k8s.io/v1beta2", kind, name, "", {"metadata": {"name": name}, "spec": spec}, Typed("t")
    )


def state_with(gpus):
    """One host of so many GPUs under flavor f, whose topology is the host alone."""
    flavor = read_flavor(kube("ResourceFlavor", "f", {"nodeLabels": {"pool": "f"}, "topologyName": "t"}))
    quota = [{"name": "f", "resources": [{"name": GPU, "nominalQuota": 99}]}]
    queue = read_cluster_queue(
        kube("ClusterQueue", "q", {"resourceGroups": [{"coveredResources": [GPU], "flavors": quota}]})
    )
    state = State(Settings(gates=gates("0.19.1")), topologies={"t": (HOST,)})
    state.specs["q"], state.flavors["f"] = queue, flavor
    state.rebuild()
    host = Host("n", {"pool": "f", HOST: "n"}, {GPU: gpus, "pods": 110})
    return state, Forest("t", (HOST,), flavor, [host])


def placed(pods, gpus):
    """A work of so many pods with so many GPUs each on host n, and its assignment."""
    ask = PodSetAsk("main", pods, {GPU: gpus}, topology=TopologyAsk(required=HOST))
    choice = PodSetChoice(
        "main", pods, {GPU: FlavorChoice("f", Mode.FIT, 0, -1)}, {GPU: pods * gpus}, domains=((("n",), pods),)
    )
    work = Work("ns/w", "q", (ask,), uid="w")
    return work, Assignment(Mode.FIT, 0, (choice,), {("f", GPU): pods * gpus})


def has_room(pods, gpus, state):
    work, found = placed(pods, gpus)
    return still_free(work, found, state)


@pytest.mark.parametrize(("free", "fits"), [(8, True), (9, True), (7, False), (0, False)])
def test_exactly_enough_is_enough(free, fits):
    state, forest = state_with(free)
    forests_of(state, {"f": forest})
    assert has_room(4, 2, state) is fits


def test_a_domain_that_is_gone_has_no_room():
    state, _ = state_with(8)
    _, other = state_with(8)
    other.leaves.clear()
    forests_of(state, {"f": other})
    assert not has_room(1, 1, state)


def test_running_work_takes_what_its_pods_ask_for_once():
    state, forest = state_with(8)
    work, assignment = placed(3, 2)
    work.assignment = assignment
    state.queues["q"].works[work.key] = work
    forests_of(state, {"f": forest})
    assert forest.leaves[("n",)].taken[GPU] == 6
    assert has_room(1, 2, state)
    assert not has_room(2, 2, state)
