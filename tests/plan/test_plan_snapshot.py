"""With a snapshot: which workloads a change concerns, and which queues will be above what they are guaranteed."""

from __future__ import annotations

import json

import pytest
from plan_world import FILES, changed
from planned import planned

from kohort.engine.snapshot import read_snapshot, state_of
from kohort.engine.usage import UsageProblem
from kohort.objects.intake import take_in
from kohort.planner.render.sentences import over, work
from kohort.planner.render.terminal import render
from kohort.planner.render.view import Sides
from kohort.planner.state import read_state
from kohort.source.reader import read_file

BLUE, RED, GREEN, GOLD = (f"teams/{name}/team.yaml" for name in ("blue", "red", "green", "gold"))
GPU = "nvidia.com/gpu"


def workload(
    name, queue, gpus, *, created=1, local="", priority="", admitted=True, flavor="h100", count=1, **more
):
    """A Workload as the API server gives it; without `gpus` it waits."""
    value = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {
            "name": name,
            "namespace": queue.split("-")[0],
            "creationTimestamp": f"2026-01-{created:02d}T00:00:00Z",
        },
        "spec": {"queueName": local or "default", "priorityClassRef": {"name": priority}},
        "status": {"conditions": [], **more},
    }
    if gpus:
        value["status"]["conditions"] = [
            {"type": "QuotaReserved", "status": "True"},
            {"type": "Admitted", "status": "True" if admitted else "False"},
        ]
        value["status"]["admission"] = {
            "clusterQueue": queue,
            "podSetAssignments": [
                {"name": "main", "count": count, "flavors": {GPU: flavor}, "resourceUsage": {GPU: str(gpus)}}
            ],
        }
    return value


def state(*workloads):
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(workloads)})
    return read_state(take_in([read_file("s.json", text.encode())]).objects)


def plan(edits, *workloads, before=None):
    return planned(changed(edits), changed(before or {}), snapshot={"pokprod": state(*workloads)}).plan


def told(found):
    return [(w.name, w.running, w.disruption.value) for w in found.work]


def test_a_guarantee_below_use_names_the_newest_work_above_it():
    found = plan(
        {RED: [("gpus: 6", "gpus: 2")]},
        workload("old", "red", 2, created=1),
        workload("middle", "red", 2, created=2),
        workload("new", "red", 2, created=3),
        workload("waits", "red", 0, created=4, local="red"),
    )
    assert told(found) == [("middle", True, "may-preempt"), ("new", True, "may-preempt")]
    assert [over([one]) for one in found.over_quota] == [
        "queue red on pokprod uses 6 GPUs of h100, above its guarantee of 2 (before 6): red/new, red/middle, red/old"
    ]
    assert [(f.code, f.message) for f in found.findings] == [
        (
            "PLN003",
            (
                "red/h100 nvidia.com/gpu: usage 6 > new guarantee 2; nothing is evicted by that, 4 count as borrowed and may "
                "be reclaimed"
            ),
        )
    ]


def test_use_within_the_new_guarantee_concerns_nobody():
    found = plan({RED: [("gpus: 6", "gpus: 4")]}, workload("w", "red", 4))
    assert (told(found), found.over_quota, found.findings) == ([], (), ())


def test_a_raised_guarantee_wakes_what_waits_and_may_cost_who_borrowed():
    found = plan(
        {BLUE: [("{flavor: h100, gpus: 8}", "{flavor: h100, gpus: 12}")]},
        workload("borrows", "red", 9),
        workload("own", "green", 4),
        workload("waits", "blue-train", 0),
    )
    assert told(found) == [("borrows", True, "may-preempt"), ("waits", False, "may-preempt")]


def test_drained_and_held_queues():
    works = (
        workload("runs", "red", 2),
        workload("reserves", "red", 2, admitted=False),
        workload("waits", "red", 0, local="red"),
        workload("other", "gold", 2),
    )
    stop = ("  cohort: research\n", "  cohort: research\n  stop: %s\n")
    drained = plan({RED: [(stop[0], stop[1] % "HoldAndDrain")]}, *works)
    assert told(drained) == [
        ("reserves", True, "evicts"),
        ("runs", True, "evicts"),
        ("waits", False, "evicts"),
    ]
    held = plan({RED: [(stop[0], stop[1] % "Hold")]}, *works)
    assert told(held) == [("reserves", True, "requeues-pending"), ("waits", False, "requeues-pending")]


def test_a_removed_queue_with_and_without_work():
    busy = plan({RED: None}, workload("runs", "red", 2))
    assert [o.disruption.value for o in busy.objects if str(o.ref) == "ClusterQueue red"] == ["steps"]
    assert [one.title for one in busy.runbooks] == ["removing ClusterQueue red"]
    assert told(busy) == [("runs", True, "steps")]
    idle = plan({RED: None}, workload("runs", "blue-train", 2))
    # blue takes back what is lent, and 6 of that are gone
    assert [o.disruption.value for o in idle.objects if str(o.ref) == "ClusterQueue red"] == ["may-preempt"]
    assert idle.runbooks == ()


def test_a_removed_flavor_in_use_and_idle():
    edits = {BLUE: [("      - {flavor: a100, gpus: 2}\n", "")]}
    busy = plan(
        edits, workload("on-a100", "blue-train", 2, flavor="a100"), workload("on-h100", "blue-train", 2)
    )
    assert told(busy) == [("on-a100", True, "steps")]
    assert [one.title for one in busy.runbooks] == ["removing flavor a100 from ClusterQueue blue-train"]
    idle = plan(edits, workload("on-h100", "blue-train", 2))
    assert idle.runbooks == ()
    assert idle.disruption.value == "new-work"


def test_a_queue_that_moves_names_what_it_borrowed():
    found = plan(
        {RED: [("cohort: research", "cohort: products")]},
        workload("old", "red", 6, created=1),
        workload("new", "red", 4, created=2),
    )
    named = {name for name, running, _ in told(found) if running}
    assert named == {"new"}  # the guarantee of 6 keeps the old one
    assert plan({RED: [("cohort: research", "cohort: products")]}).runbooks == ()  # nothing runs anywhere


def test_a_priority_concerns_all_work_that_names_it():
    found = plan(
        {"queues/priorities.yaml": [("value: 10\n", "value: 5\n")]},
        workload("low-runs", "red", 2, priority="low"),
        workload("low-waits", "blue-train", 0, priority="low"),
        workload("high-runs", "red", 2, priority="high"),
    )
    assert told(found) == [("low-runs", True, "may-preempt"), ("low-waits", False, "may-preempt")]


def test_reclaimable_pods_and_finished_work_use_nothing():
    freed = workload("half", "red", 8, count=4, reclaimablePods=[{"name": "main", "count": 2}])
    done = workload("done", "red", 8)
    done["status"]["conditions"].append({"type": "Finished", "status": "True"})
    found = state(freed, done)
    assert found.usage == {"red": {("h100", GPU): 4}}
    assert [one.name for one in found.works] == ["half"]


def test_figures_of_a_queue_stand_in_for_workloads_that_were_not_given():
    queue = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "red"},
        "status": {"flavorsReservation": [{"name": "h100", "resources": [{"name": GPU, "total": "5"}]}]},
    }
    assert state(queue).usage == {"red": {("h100", GPU): 5}}
    assert state(queue, workload("w", "red", 3)).usage == {"red": {("h100", GPU): 3}}


@pytest.mark.parametrize(
    "broken", [None, 7, "x", [], {"admission": 3}, {"admission": {"podSetAssignments": [None, 4]}}]
)
def test_odd_values_in_a_snapshot_are_nothing(broken):
    value = workload("w", "red", 0)
    value["status"] = broken
    assert state(value).usage in ({}, {"": {}})
    assert not state(value).works[0].uses


def test_a_snapshot_names_its_cluster_where_there_are_several():
    one = state(workload("w", "red", 2))
    assert state_of({"": one}, ["pokprod"]) == {"pokprod": one}
    assert state_of({"vela": one}, ["pokprod", "vela"]) == {"vela": one}
    with pytest.raises(
        UsageProblem,
        match="which cluster does the snapshot show\\? Write NAME=FILE with one of pokprod, vela",
    ):
        state_of({"": one}, ["pokprod", "vela"])
    with pytest.raises(UsageProblem, match="there is no cluster lab \\(there are: pokprod\\)"):
        state_of({"lab": one}, ["pokprod"])


def test_reading_snapshot_files(tmp_path):
    good = tmp_path / "s.json"
    good.write_text(
        json.dumps({"apiVersion": "v1", "kind": "WorkloadList", "items": [workload("w", "red", 2)]})
    )
    assert list(read_snapshot([f"pokprod={good}"])) == ["pokprod"]
    assert read_snapshot([str(good)])[""].usage["red"]
    assert read_snapshot([]) is None
    for text, said in (
        ("b: 1\na:\n\t- 1\n", r"bad\.yaml:3 cannot be read: tab"),
        ("kind: Pod\napiVersion: v1\n", "holds no Workload"),
    ):
        (tmp_path / "bad.yaml").write_text(text)
        with pytest.raises(UsageProblem, match=said):
            read_snapshot([str(tmp_path / "bad.yaml")])
    with pytest.raises(UsageProblem, match=r"cannot read the snapshot .*: No such file"):
        read_snapshot([str(tmp_path / "gone.yaml")])


def test_the_terminal_names_what_is_concerned():
    found = planned(
        changed({RED: [("gpus: 6", "gpus: 2")]}), FILES, snapshot={"pokprod": state(workload("w", "red", 6))}
    )
    text = render(found.plan, Sides(found.base, found.head))
    assert (
        "above quota\n  queue red on pokprod uses 6 GPUs of h100, above its guarantee of 2 (before 6): red/w\n"
        in text
    )
    assert "work on the cluster\n  running red/w in queue red on pokprod: may preempt running work; " in text
    assert work(found.plan.work[0]) in text
