"""Placements worked by hand; that they are Kueue's in general is asked of Kueue's own packages in tests/oracle."""

import pytest

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import Taint, read_flavor
from kohort.semantics.topology import Forest, Host, NoRoom, place
from kohort.semantics.topology.need import need_of
from kohort.semantics.work import PodSetAsk, TopologyAsk

GPU = "nvidia.com/gpu"
RACK, HOST = "rack", "kubernetes.io/hostname"


def forest(levels=(RACK, HOST), **racks):
    """Racks of hosts with GPUs: `r1=(4, 4)` is a rack of two hosts, r1-0 and r1-1, with four each."""
    data = {"metadata": {"name": "f"}, "spec": {"nodeLabels": {"pool": "f"}, "topologyName": "t"}}
    flavor = read_flavor(KubeObject("kueue.x-k8s.io/v1beta2", "ResourceFlavor", "f", "", data, Typed("x")))
    hosts = [
        Host(f"{rack}-{i}", {"pool": "f", RACK: rack, HOST: f"{rack}-{i}"}, {GPU: gpus, "pods": 110})
        for rack, sizes in racks.items()
        for i, gpus in enumerate(sizes)
    ]
    return Forest("t", levels, flavor, hosts)


def placed(trees, pods, topology, *, gpus=1, mixed=True, **how):
    ask = PodSetAsk("main", pods, {GPU: gpus}, topology=topology, pod=how.pop("pod", {}))
    answer = place(trees, need_of(ask, pods, trees), mixed=mixed, **how)
    return (
        answer if isinstance(answer, NoRoom) else {"/".join(values): count for values, count in answer.pods}
    )


def test_required_takes_the_tightest_rack_that_holds_all():
    trees = forest(a=(4, 4), b=(3, 3), c=(2, 2))
    assert placed(trees, 5, TopologyAsk(required=RACK)) == {"b-0": 3, "b-1": 2}


def test_required_never_splits():
    answer = placed(forest(a=(2, 1), b=(2,)), 4, TopologyAsk(required=RACK))
    assert str(answer) == 'topology "t" allows to fit only 3 out of 4 pod(s)'


def test_preferred_splits_over_as_few_racks_as_hold_all():
    trees = forest(a=(2, 1), b=(2,), c=(1,))
    assert placed(trees, 5, TopologyAsk(preferred=RACK)) == {"a-0": 2, "a-1": 1, "b-0": 2}


def test_preferred_at_the_host_climbs_to_the_rack_first():
    trees = forest(a=(3, 3), b=(4,))
    assert placed(trees, 5, TopologyAsk(preferred=HOST)) == {"a-0": 3, "a-1": 2}


def test_unconstrained_fills_the_fullest_hosts_that_hold_all_or_starts_with_them():
    trees = forest(a=(4, 1), b=(2,))
    assert placed(trees, 2, TopologyAsk(unconstrained=True)) == {"b-0": 2}
    assert placed(trees, 5, TopologyAsk(unconstrained=True)) == {"a-0": 2, "a-1": 1, "b-0": 2}
    # before TASProfileMixed the emptiest came first here too
    assert placed(trees, 5, TopologyAsk(unconstrained=True), mixed=False) == {"a-0": 4, "a-1": 1}


def test_slices_stay_whole():
    trees = forest(a=(3, 2), b=(2, 2))
    both = TopologyAsk(preferred=RACK, slice_level=HOST, slice_size=2)
    assert placed(trees, 8, both) == {"a-0": 2, "a-1": 2, "b-0": 2, "b-1": 2}
    answer = placed(trees, 10, both)
    assert str(answer) == 'topology "t" allows to fit only 4 out of 5 slice(s)'


def test_what_runs_takes_room_and_gives_it_back():
    trees = forest(a=(4,))
    trees.take(("a-0",), {GPU: 1}, 3)
    assert isinstance(placed(trees, 2, TopologyAsk(required=HOST)), NoRoom)
    assert placed(trees, 2, TopologyAsk(required=HOST), empty=True) == {"a-0": 2}
    trees.take(("a-0",), {GPU: 1}, -3)
    assert placed(trees, 4, TopologyAsk(required=HOST)) == {"a-0": 4}


def test_pods_of_one_job_before_it_count():
    trees = forest(a=(2,), b=(2,))
    assert placed(trees, 2, TopologyAsk(required=HOST), assumed={("a-0",): {GPU: 1}}) == {"b-0": 2}


def test_a_level_above_the_host_names_all_its_values():
    trees = forest(levels=(RACK,), a=(2, 2))
    assert placed(trees, 3, TopologyAsk(required=RACK)) == {"a": 3}


def test_hosts_that_the_pods_may_not_land_on_hold_none():
    trees = forest(a=(4,), b=(4,))
    assert placed(trees, 4, TopologyAsk(unconstrained=True), pod={"nodeSelector": {RACK: "b"}}) == {"b-0": 4}
    leaf = trees.leaves["b-0",]
    leaf.hosts[0] = Host("b-0", leaf.hosts[0].labels, leaf.hosts[0].units, (Taint("gone", "", "NoSchedule"),))
    assert isinstance(placed(trees, 5, TopologyAsk(unconstrained=True)), NoRoom)
    tolerating = {"tolerations": [{"operator": "Exists"}]}
    assert placed(trees, 5, TopologyAsk(unconstrained=True), pod=tolerating) == {"a-0": 4, "b-0": 1}


@pytest.mark.parametrize(
    ("topology", "words"),
    [
        (TopologyAsk(required="zone"), "no requested topology level: zone"),
        (TopologyAsk(required=HOST, slice_level=RACK, slice_size=2), "podset slice topology rack is above the podset topology kubernetes.io/hostname"),
        (TopologyAsk(slice_level=RACK), "slice topology requested, but slice size not provided"),
    ],
)  # fmt: skip
def test_what_a_topology_cannot_serve(topology, words):
    trees = forest(a=(4,))
    assert need_of(PodSetAsk("main", 2, {GPU: 1}, topology=topology), 2, trees) == words


def test_no_nodes_are_no_domains():
    answer = placed(forest(), 1, TopologyAsk(required=RACK))
    assert str(answer) == "no topology domains at level: rack"
