"""One scheduling cycle: order, reservation, overlap, ties; and that it leaves the state as it was."""

from __future__ import annotations

from dataclasses import replace

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort, read_flavor
from kohort.semantics.cycle import Status, run
from kohort.semantics.gates import gates
from kohort.semantics.queues import Outcome
from kohort.semantics.reasons import Why
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.work import PodSetAsk, Work


def obj(kind, name, spec):
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("t.yaml"))


def state(settings=None, **queues):
    """Queues of one cohort `c` by (nominal, borrowing limit, reclaim policy)."""
    made = State(settings or Settings())
    made.flavors["f"] = read_flavor(obj("ResourceFlavor", "f", {}))
    made.namespaces["w"] = {}
    made.cohorts["c"] = read_cohort(obj("Cohort", "c", {}))
    for name, (nominal, borrowing, reclaim) in queues.items():
        entry = {"name": "gpu", "nominalQuota": nominal, "borrowingLimit": borrowing}
        group = {"coveredResources": ["gpu"], "flavors": [{"name": "f", "resources": [entry]}]}
        spec = {
            "cohortName": "c",
            "namespaceSelector": {},
            "preemption": {"reclaimWithinCohort": reclaim, "withinClusterQueue": "LowerPriority"},
            "resourceGroups": [group],
        }
        made.specs[name] = read_cluster_queue(obj("ClusterQueue", name, spec))
    made.rebuild()
    return made


def work(name, gpus, priority=0, at=0):
    made = Work(f"w/{name}", "l", (PodSetAsk("main", 1, {"gpu": gpus}),), priority=priority, uid=name)
    made.created = made.order_time = at
    return made


def admit(world, queue, *works):
    for each in works:
        (entry,) = run([(each, world.queues[queue])], world)
        assert entry.status is Status.ADMITTED
        world.reserve(each, world.queues[queue], entry.assignment)


def used(world):
    return {node.name: world.ledger.cells(node)["f", "gpu"].used for node in world.ledger.tree.nodes()}


def fates(entries):
    return [(each.work.name, each.status, each.outcome) for each in entries]


def test_a_cycle_leaves_usage_as_it_was_and_counts_what_it_gives():
    world = state(a=(2, None, "Never"), b=(2, None, "Never"))
    entries = run([(work("x", 3), world.queues["a"]), (work("y", 2, at=1), world.queues["b"])], world)
    assert fates(entries) == [
        ("y", Status.ADMITTED, Outcome.GENERIC),  # within nominal before borrowing
        ("x", Status.SKIPPED, Outcome.AFTER_NOMINATION),
    ]
    assert entries[1].reason.why is Why.TAKEN
    assert used(world) == {"c": 0, "a": 0, "b": 0}


def test_priority_then_age_among_those_that_borrow_alike():
    world = state(a=(1, None, "Never"), b=(1, None, "Never"), c2=(1, None, "Never"))
    heads = [
        (work("young", 1, 1, at=2), world.queues["a"]),
        (work("old", 1, 1, at=1), world.queues["b"]),
        (work("high", 1, 2, at=3), world.queues["c2"]),
    ]
    assert [each.work.name for each in run(heads, world)] == ["high", "old", "young"]
    unsorted = replace(world.settings, gates=gates("0.19.1", {"PrioritySortingWithinCohort": False}))
    world.settings = unsorted
    assert [each.work.name for each in run(heads, world)] == ["old", "young", "high"]


def test_a_preemptor_without_victims_keeps_room_unless_it_can_always_reclaim():
    for reclaim, late in (("LowerPriority", Status.SKIPPED), ("Any", Status.ADMITTED)):
        world = state(a=(6, None, reclaim), b=(2, None, "Never"))
        own = work("own", 1, 9)
        admit(world, "a", own)
        admit(world, "b", work("runs", 3, 9))
        entries = run([(work("big", 6, 0), world.queues["a"]), (work("late", 2), world.queues["b"])], world)
        assert fates(entries)[0] == ("big", Status.WAITING, Outcome.NO_CANDIDATES)
        assert entries[1].status is late
        assert used(world) == {"c": 4, "a": 1, "b": 3}


def test_what_a_borrowing_preemptor_keeps_is_bounded_by_its_limit():
    from kohort.semantics.cycle.process import reserved

    world = state(a=(4, 2, "Never"), b=(4, None, "Never"))
    admit(world, "a", work("own", 3))
    entry = run([(work("next", 3), world.queues["a"])], world)[0]
    assert entry.assignment.borrow == 1
    assert reserved(entry.assignment, world.queues["a"]) == {("f", "gpu"): 3}
    admit(world, "a", work("more", 2))
    assert reserved(entry.assignment, world.queues["a"]) == {("f", "gpu"): 1}
    assert reserved(replace(entry.assignment, borrow=0), world.queues["a"]) == {("f", "gpu"): 0}
    assert reserved(replace(entry.assignment, borrow=0), world.queues["b"]) == {("f", "gpu"): 3}


def test_overlapping_victims_by_version():
    for kueue, status, why in (("0.19.1", Status.SKIPPED, ""), ("0.20.0", Status.DEFERRED, "deferred")):
        settings = Settings(kueue=kueue, gates=gates(kueue))
        world = state(settings, a=(4, None, "Any"), b=(4, None, "Any"), p=(0, None, "Never"))
        admit(world, "p", work("all", 8))
        entries = run(
            [(work("x", 4, at=1), world.queues["a"]), (work("y", 4, at=2), world.queues["b"])], world
        )
        assert [each.status for each in entries] == [Status.PREEMPTING, status]
        assert [target.work.name for target in entries[0].targets] == ["all"]
        assert (entries[1].reason.why, entries[1].reason.detail) == (Why.OVERLAP, why)
        assert used(world)["p"] == 8
        assert list(world.queues["p"].works) == ["w/all"]


def test_heads_that_nothing_orders_are_any_of_when_their_fates_differ():
    world = state(a=(1, None, "Never"), b=(1, None, "Never"))
    heads = [(work("x", 2), world.queues["a"]), (work("y", 2), world.queues["b"])]
    assert {each.any_of for each in run(heads, world)} == {("w/x", "w/y")}
    heads = [(work("x", 1), world.queues["a"]), (work("y", 1), world.queues["b"])]
    assert {each.any_of for each in run(heads, world)} == {()}
    world.preferred = frozenset({"w/y"})
    heads = [(work("x", 2), world.queues["a"]), (work("y", 2), world.queues["b"])]
    assert run(heads, world)[0].work.name == "y"


def test_what_is_never_nominated_says_why():
    world = state(a=(4, None, "Never"))
    world.specs["a"] = replace(world.specs["a"], namespace_selector=None)
    world.rebuild()
    checked = work("checked", 1)
    checked.checks = {"one": "Retry", "two": "Ready"}
    lost = Work("nowhere/x", "l", checked.podsets)
    queue = world.queues["a"]
    found = [run([(each, queue)], world)[0] for each in (work("x", 1), checked, lost)]
    assert [(each.outcome, each.reason.why, each.reason.names) for each in found] == [
        (Outcome.NAMESPACE, Why.NAMESPACE, ("w",)),
        (Outcome.GENERIC, Why.CHECK, ("one",)),
        (Outcome.GENERIC, Why.NAMESPACE, ("nowhere",)),
    ]
    assert {each.status for each in found} == {Status.INADMISSIBLE}
