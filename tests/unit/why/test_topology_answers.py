"""Racks and hosts: what quota admits and topology has no room for."""

import pytest
from live_world import GPU, LiveWorld, changes

from kohort.semantics.reasons import Why
from kohort.semantics.status.domains import read_domains
from kohort.why.answer import Verdict

HOST = "kubernetes.io/hostname"


def racks():
    world = LiveWorld()
    world.objects[0]["spec"]["topologyName"] = "racks"
    world.add("Topology", "racks", {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": HOST}]})
    for rack in "ab":
        for number in range(2):
            name = f"{rack}{number}"
            labels = {"pool": "h100", "rack": rack, HOST: name}
            free = {GPU: "4", "pods": "110"}
            ready = {
                "conditions": [{"type": "Ready", "status": "True"}],
                "allocatable": free,
                "capacity": free,
            }
            world.add("Node", name, {}, version="v1", labels=labels, status=ready)
    world.queue("blue", {"h100": 16}, preemption={"withinClusterQueue": "LowerPriority"})
    return world


def topology(obj, **request):
    obj["spec"]["podSets"][0]["topologyRequest"] = request
    return obj


def on(obj, **pods):
    """Place a running job: host=pods."""
    slices = {
        "domainCount": len(pods),
        "valuesPerLevel": [{"individual": {"roots": list(pods)}}],
        "podCounts": {"individual": list(pods.values())},
    }
    given = obj["status"]["admission"]["podSetAssignments"][0]
    given["topologyAssignment"] = {"levels": [HOST], "slices": [slices]}


def test_a_rack_that_holds_all_admits():
    world = racks()
    topology(world.waits("blue/new", 1, pods=8), required="rack")
    assert world.why("blue/new").verdict is Verdict.FITS


def test_no_rack_could_ever_hold_all():
    world = racks()
    topology(world.waits("blue/new", 1, pods=9), required="rack")
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert answer.headline == (
        "blue/new can never start as it is: the nodes of flavor h100 have no room for 9 pods of main in one rack, not even with "
        'nothing else running (topology "racks" allows to fit only 8 out of 9 pod(s))'
    )
    assert changes(answer)["fewer pods"].parts["pods"] == 8


def test_racks_are_taken_by_what_runs():
    world = racks()
    for rack in "ab":
        on(world.runs(f"blue/{rack}", 1, pods=2), **{f"{rack}0": 1, f"{rack}1": 1})
    topology(world.waits("blue/new", 1, pods=7), required="rack")
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.WAITS
    assert answer.headline.startswith(
        "blue/new waits for nodes: the nodes of flavor h100 have no room for 7 pods of main in one rack"
    )
    assert "beside the pods that run" in answer.headline
    assert [each.why for each in answer.obstacles] == [Why.TOPOLOGY]


def test_work_of_lower_priority_in_the_way_is_preempted():
    world = racks()
    for rack in "ab":
        on(world.runs(f"blue/{rack}", 1, pods=2), **{f"{rack}0": 1, f"{rack}1": 1})
    topology(world.waits("blue/new", 1, pods=7, priority=5), required="rack")
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.PREEMPTS
    assert len(answer.victims) == 1


def test_without_nodes_topology_is_not_judged():
    world = racks()
    world.objects = [obj for obj in world.objects if obj["kind"] != "Node"]
    topology(world.waits("blue/new", 1, pods=9), required="rack")
    assert world.why("blue/new").verdict is Verdict.FITS


def test_cordoned_and_lost_nodes_hold_nothing():
    world = racks()
    nodes = [obj for obj in world.objects if obj["kind"] == "Node"]
    nodes[0]["spec"]["unschedulable"] = True
    nodes[2]["status"]["conditions"][0]["status"] = "Unknown"
    topology(world.waits("blue/new", 1, pods=5), required="rack")
    assert world.why("blue/new").verdict is Verdict.NEVER


@pytest.mark.parametrize(
    ("value", "domains"),
    [
        ({"domains": [{"values": ["r", "h"], "count": 2}, {"values": "x", "count": 1}]}, ((("r", "h"), 2),)),
        (
            {"slices": [{"domainCount": 2, "valuesPerLevel": [{"universal": "r"}, {"individual": {"prefix": "n", "suffix": "x", "roots": ["1", "2"]}}], "podCounts": {"universal": 3}}]},
            ((("r", "n1x"), 3), (("r", "n2x"), 3)),
        ),
        ({"slices": [{"domainCount": 2, "valuesPerLevel": [{"individual": {"roots": ["1"]}}], "podCounts": {"universal": 1}}]}, ()),
        ({"slices": [{"domainCount": 10**9, "valuesPerLevel": [{"universal": "r"}], "podCounts": {"universal": 1}}]}, ()),
        ("text", ()),
    ],
)  # fmt: skip
def test_topology_assignments_in_both_versions(value, domains):
    assert read_domains(value) == domains
