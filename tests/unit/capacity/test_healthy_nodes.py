from __future__ import annotations

import pytest
from capacity_building import GPU, cluster, node

from kohort.capacity.health import facts, supply_units, unmonitored, verdict
from kohort.objects.cluster import Outage
from kohort.objects.health import ConditionSignal, HealthVocabulary, LabelSignal, TaintSignal
from kohort.objects.quantity import Quantity
from kohort.spans import Origin

HEALTH = "autopilot.ibm.com/gpuhealth"


def judged(one, **declared):
    made = cluster(one, **declared)
    return verdict(made.nodes[0], made)


@pytest.mark.parametrize(
    ("fields", "reasons"),
    [
        ({}, ()),
        ({"ready": "True"}, ()),
        ({"cordoned": True}, ("spec.unschedulable",)),
        ({"ready": "False"}, ("Ready=False",)),
        ({"ready": "Unknown", "cordoned": True}, ("spec.unschedulable", "Ready=Unknown")),
        ({"labels": {HEALTH: "EVICT"}}, (f"{HEALTH}=EVICT",)),
        ({"labels": {HEALTH: "TESTING"}}, (f"{HEALTH}=TESTING",)),
        ({"labels": {HEALTH: "ERR"}}, (f"{HEALTH}=ERR",)),
        ({"labels": {HEALTH: "WARN"}}, ()),
        ({"labels": {HEALTH: "PASS"}}, ()),
        (
            {"taints": [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]},
            ("taint node.kubernetes.io/unreachable:NoExecute",),
        ),
        # A node that is not Ready is out once, not again for the taint that says so.
        (
            {
                "ready": "Unknown",
                "taints": [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}],
            },
            ("Ready=Unknown",),
        ),
        ({"conditions": {"GpuEcc": "True"}}, ()),  # not in the default vocabulary
    ],
)
def test_verdict(fields, reasons):
    assert judged(node("n", {GPU: 8}, **fields)) == reasons


def test_declared_vocabulary_with_both_polarities():
    health = HealthVocabulary(
        labels=(LabelSignal("site/state", bad=("broken",)),),
        conditions=(
            ConditionSignal("GpuEcc", ("True",)),
            ConditionSignal("KernelReady", ("False", "Unknown")),
        ),
        taints=(TaintSignal("site/gpu-error"),),
        origin="declared",
    )
    assert judged(node("n", {}, conditions={"GpuEcc": "True", "KernelReady": "False"}), health=health) == (
        "GpuEcc=True",
        "KernelReady=False",
    )
    assert judged(node("n", {}, conditions={"GpuEcc": "False", "KernelReady": "True"}), health=health) == ()
    assert judged(node("n", {}, labels={"site/state": "broken", HEALTH: "EVICT"}), health=health) == (
        "site/state=broken",
    )
    soft = [{"key": "site/gpu-error", "effect": "PreferNoSchedule"}]
    hard = [{"key": "site/gpu-error", "value": "x", "effect": "NoSchedule"}]
    assert judged(node("n", {}, taints=soft), health=health) == ()
    assert judged(node("n", {}, taints=hard), health=health) == ("taint site/gpu-error=x:NoSchedule",)


def test_maintenance_by_node_and_by_rack():
    by_node = Outage("disk-swap", "disk", frozenset({"n1"}), None, Origin("m.yaml"))
    by_rack = Outage("cooling", "", frozenset(), ("rack", "r2"), Origin("m.yaml"))
    assert judged(node("n1", {}), outages=(by_node, by_rack)) == ("maintenance disk-swap: disk",)
    assert judged(node("n9", {}, labels={"rack": "r2"}), outages=(by_node, by_rack)) == (
        "maintenance cooling",
    )
    assert judged(node("n9", {}, labels={"rack": "r1"}), outages=(by_node, by_rack)) == ()


def test_only_lost_devices_count_as_lost():
    one = node(
        "n",
        {GPU: "7", "cpu": "90", "hugepages-1Gi": "0"},
        capacity={GPU: "8", "cpu": "96", "hugepages-1Gi": "4Gi"},
    )
    made = cluster(one)
    found = facts(made.nodes[0], made)
    assert found.lost == {GPU: (8, 7)}
    assert (found.units[GPU], found.whole[GPU]) == (7, 8)
    assert found.units["cpu"] == found.whole["cpu"] == 90000
    assert found.reasons == ()


def test_device_that_vanished_from_allocatable():
    made = cluster(node("n", {"cpu": "1"}, capacity={GPU: "8", "cpu": "1"}))
    assert facts(made.nodes[0], made).lost == {GPU: (8, 0)}


@pytest.mark.parametrize(
    ("text", "resource", "units"),
    [
        ("95210m", "cpu", 95210),
        ("1.9", GPU, 1),
        ("-3", GPU, 0),
        ("100m", "memory", 0),
        ("1Ki", "memory", 1024),
        ("1e400", GPU, 2**63 - 1),
        ("1e400", "cpu", 2**63 - 1),
    ],
)
def test_supply_rounds_down(text, resource, units):
    assert supply_units(Quantity.parse(text), resource) == units


def test_unmonitored_looks_only_at_the_same_kind_of_device():
    made = cluster(
        node("seen", {GPU: 8}, labels={HEALTH: "PASS"}),
        node("bare", {GPU: 8}),
        node("cpu-only", {"cpu": 8}),
        node("other", {"other.com/fpga": 1}),
    )
    assert {key: [n.name for n in nodes] for key, nodes in unmonitored(made).items()} == {HEALTH: ["bare"]}
    assert unmonitored(cluster(node("bare", {GPU: 8}))) == {}
