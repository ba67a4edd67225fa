"""Which flavors are open to which pods: taints, labels, topology."""

from __future__ import annotations

import pytest
from flavor_worlds import Says, ask, chosen, flavor, group, job, queue, world

from kohort.semantics.assignment import Mode
from kohort.semantics.flavors import assign
from kohort.semantics.reasons import Why
from kohort.semantics.work import PodSetAsk, TopologyAsk

SPOT = {"key": "spot", "value": "true", "effect": "NoSchedule"}


def one(spec, pod=None, **fields):
    """The answer for one flavor `f` with this spec."""
    state = world(flavor("f", **spec), queue("team", group(("f", {"cpu": 4}))), **fields)
    return assign(job(ask(cpu=1, pod=pod)), state.queues["team"], state, Says())


def why(answer):
    return [reason.why for reason in answer.podsets[0].reasons]


def affinity(*terms):
    return {
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [{"matchExpressions": list(term)} for term in terms]
                }
            }
        }
    }


def is_in(key, *values):
    return {"key": key, "operator": "In", "values": list(values)}


@pytest.mark.parametrize(
    ("taint", "tolerations", "own", "is_open"),
    [
        (SPOT, [], [], False),
        (SPOT | {"effect": "NoExecute"}, [], [], False),
        (SPOT | {"effect": "PreferNoSchedule"}, [], [], True),
        (SPOT, [{"key": "spot", "value": "true"}], [], True),
        (SPOT, [{"key": "spot", "operator": "Exists"}], [], True),
        (SPOT, [{"key": "spot", "value": "false"}], [], False),
        (SPOT, [], [{"operator": "Exists"}], True),  # the flavor's own tolerations join the pod's
    ],
)
def test_taints(taint, tolerations, own, is_open):
    answer = one({"nodeTaints": [taint], "tolerations": own}, {"tolerations": tolerations})
    assert why(answer) == ([] if is_open else [Why.UNTOLERATED_TAINT])


@pytest.mark.parametrize(
    ("labels", "pod", "is_open"),
    [
        ({"type": "a"}, {"nodeSelector": {"type": "a"}}, True),
        ({"type": "a"}, {"nodeSelector": {"type": "b"}}, False),
        ({"type": "a"}, {"nodeSelector": {"zone": "x"}}, True),  # no key of this flavor
        ({}, {"nodeSelector": {"type": "b"}}, True),
        ({"type": "a"}, affinity([is_in("type", "a", "b")]), True),
        ({"type": "c"}, affinity([is_in("type", "a", "b")]), False),
        ({"type": "c"}, affinity([is_in("type", "a")], [is_in("type", "c")]), True),  # terms are alternatives
        ({"type": "c"}, affinity([is_in("type", "a")], [is_in("zone", "x")]), True),  # the second is emptied
        ({"type": "c"}, affinity([is_in("type", "a"), is_in("zone", "x")]), False),
        ({"type": "c"}, {"nodeSelector": {"type": "a"}} | affinity([is_in("zone", "x")]), False),
    ],
)
def test_labels_are_matched_on_the_flavors_own_keys(labels, pod, is_open):
    assert why(one({"nodeLabels": labels}, pod)) == ([] if is_open else [Why.NODE_AFFINITY])


@pytest.mark.parametrize(
    ("kueue", "flavor_name"), [("0.19.1", "plain"), ("0.17.1", "typed"), ("0.17.6", "plain")]
)
def test_older_versions_took_the_keys_of_all_flavors_of_the_group(kueue, flavor_name):
    state = world(
        flavor("plain"),
        flavor("typed", nodeLabels={"type": "a"}),
        queue("team", group(("plain", {"cpu": 4}), ("typed", {"cpu": 4}))),
        kueue=kueue,
    )
    work = job(ask(cpu=1, pod={"nodeSelector": {"type": "a"}}))
    assert chosen(assign(work, state.queues["team"], state, Says())) == {"cpu": flavor_name}


def test_every_pod_set_of_a_group_must_be_let_in():
    state = world(
        flavor("f", nodeLabels={"type": "a"}), queue("team", group(("f", {"cpu": 4}))),
    )  # fmt: skip
    pods = [
        PodSetAsk(n, 1, {"cpu": 1}, pod={"nodeSelector": {"type": t}}, group="g")
        for n, t in (("x", "a"), ("y", "b"))
    ]
    answer = assign(job(*pods), state.queues["team"], state, Says())
    assert [p.name for p in answer.podsets] == ["x", "y"]
    assert all(
        why_ == (Why.NODE_AFFINITY,) for why_ in (tuple(r.why for r in p.reasons) for p in answer.podsets)
    )


def with_topology(topology, *flavors, on=None, topologies=None, **requests):
    state = world(
        *(flavor(name, topologyName=t) if t else flavor(name) for name, t in flavors),
        queue("team", group(*((name, {"cpu": 4}) for name, _ in flavors))),
        topologies={"racks": ("block", "rack")} if topologies is None else topologies,
        on=on,
    )
    pods = PodSetAsk("main", 1, requests or {"cpu": 1}, topology=topology)
    return assign(job(pods), state.queues["team"], state, Says())


@pytest.mark.parametrize(
    ("topology", "reasons"),
    [
        (None, [Why.TOPOLOGY_ONLY]),
        (TopologyAsk(required="rack"), []),
        (TopologyAsk(required="host"), [Why.NO_LEVEL]),
        (TopologyAsk(preferred="block", slice_level="host", slice_size=2), [Why.NO_LEVEL]),
        (TopologyAsk(unconstrained=True), []),
    ],
)
def test_a_flavor_with_topology_is_for_pods_that_ask_for_its_levels(topology, reasons):
    answer = with_topology(topology, ("topological", "racks"), ("plain", ""))
    if topology is None:
        assert (chosen(answer), answer.mode) == ({"cpu": "plain"}, Mode.FIT)
    elif not reasons:
        assert chosen(answer) == {"cpu": "topological"}
    else:
        assert why(answer) == [*reasons, Why.NO_TOPOLOGY]


def test_in_a_queue_of_topology_alone_every_pod_asks_for_it_unsaid():
    assert with_topology(None, ("a", "racks"), ("b", "racks")).mode is Mode.FIT


def test_a_topology_that_is_gone_closes_its_flavor():
    answer = with_topology(TopologyAsk(required="rack"), ("a", "racks"), topologies={})
    assert why(answer) == [Why.NO_TOPOLOGY_OBJECT]
    assert answer.podsets[0].reasons[0].detail == "racks"


def test_topology_is_not_looked_at_where_the_gate_is_off():
    answer = with_topology(
        None, ("topological", "racks"), ("plain", ""), on={"TopologyAwareScheduling": False}
    )
    assert chosen(answer) == {"cpu": "topological"}
