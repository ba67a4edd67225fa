"""The judge sees every kind of difference, counts only steps that did something, and lets alternatives pass."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from kohort.simulator.events import AnyOf, Event, Happened
from kohort.simulator.replay.agreement import Agreement, replay
from kohort.simulator.replay.reading import read_traces
from kohort.simulator.view import View


def workload(name: str) -> dict[str, Any]:
    return {"kind": "Workload", "metadata": {"name": name, "namespace": "work"}, "spec": {"queueName": "q"}}


def evicted(workload: str, reason: str, preemptor: str = "") -> Event:
    return Event(0, Happened.EVICTED, workload, reason=reason, preemptor=preemptor)


@dataclass
class Script:
    """A machine that shows prepared views, one for each settling after the start."""

    views: list[View]
    events: list[list[Event]] = field(default_factory=list)
    done: list[tuple[Any, ...]] = field(default_factory=list)
    index: int = -2
    preferred: list[list[str]] = field(default_factory=list)
    followed: list[View] | None = None  # what it shows once it is told what to prefer

    def apply(self, obj, at):
        self.done.append(("apply", obj.kind, obj.name, at, obj.get("spec", "active"), obj.get("status")))

    def remove(self, kind, namespace, name, at):
        self.done.append(("remove", kind, namespace, name, at))

    def finish(self, name, at):
        self.done.append(("finish", name, at))

    def prefer(self, keys):
        self.preferred.append(list(keys))

    def settle(self):
        self.index += 1
        return self.events[self.index] if 0 <= self.index < len(self.events) else []

    def view(self):
        views = self.views if not self.preferred or self.followed is None else self.followed
        return views[max(self.index, 0)]


def judged(steps, views, events=(), followed=None, **fields):
    [trace] = read_traces({"name": "t", "objects": [], "features": ["f"], "steps": steps, **fields})
    sums, machines = Agreement(), []

    def start(*_):
        machines.append(Script(list(views), [list(each) for each in events], followed=followed))
        return machines[-1]

    reports = list(replay(trace, start, "0.19.1", sums))
    return reports, sums, machines[-1]


SUBMIT = {"do": "submit", "object": workload("w1"), "after": {"states": {"w1": "admitted"}}}


def test_agreement():
    reports, sums, _ = judged([SUBMIT], [View(states={"work/w1": "admitted"})])
    assert reports == []
    assert (sums.traces, sums.whole, sums.total.steps, sums.total.agreed) == (1, 1, 1, 1)
    assert sums.features["f"].steps == 1


def test_a_wrong_state_is_told_with_both_values():
    [report], sums, _ = judged([SUBMIT], [View(states={"work/w1": "pending"})])
    assert report.primary
    assert (report.step, report.difference.field, report.difference.key) == (
        "step 0 (submit w1)",
        "states",
        "w1",
    )
    assert (report.difference.recorded, report.difference.ours) == ("admitted", "pending")
    assert (sums.whole, sums.total.steps, sums.total.agreed) == (0, 1, 0)


def test_what_only_became_pending_does_not_count_unless_the_model_disagrees():
    pending = {**SUBMIT, "after": {"states": {"w1": "pending"}}}
    _, sums, _ = judged([pending], [View(states={"work/w1": "pending"})])
    assert sums.total.steps == 0
    _, sums, _ = judged([pending], [View(states={"work/w1": "admitted"})])
    assert (sums.total.steps, sums.total.agreed) == (1, 0)


def test_deleting_a_pending_one_does_not_count_and_an_admitted_one_does():
    gone = {"do": "delete", "workload": "w1", "after": {"states": {"w1": None}}}
    pending = {**SUBMIT, "after": {"states": {"w1": "pending"}}}
    _, sums, _ = judged([pending, gone], [View(states={"work/w1": "pending"}), View()])
    assert sums.total.steps == 0
    admitted = {**SUBMIT, "after": {"states": {"w1": "admitted"}, "reservations": {"q": {"f": {"gpu": "1"}}}}}
    freed = {**gone, "after": {"states": {"w1": None}, "reservations": {"q": {}}}}
    first = View(states={"work/w1": "admitted"}, reservations={"q": {"f": {"gpu": 1}}})
    _, sums, _ = judged([admitted, freed], [first, View()])
    assert (sums.total.steps, sums.total.agreed) == (2, 2)


def test_a_difference_stays_one_in_later_steps_that_do_something():
    second = {"do": "submit", "object": workload("w2"), "after": {"states": {"w2": "admitted"}}}
    views = [View(states={"work/w1": "pending"}), View(states={"work/w1": "pending", "work/w2": "admitted"})]
    reports, sums, _ = judged([SUBMIT, second], views)
    assert len(reports) == 2
    assert (sums.total.steps, sums.total.agreed) == (2, 0)


@pytest.mark.parametrize(
    ("events", "recorded", "ours"),
    [
        ([], "InClusterQueue for w2", None),
        (
            [evicted("work/w1", "InCohortReclamation", "work/w2")],
            "InClusterQueue for w2",
            "InCohortReclamation for w2",
        ),
        (
            [evicted("work/w1", "InClusterQueue", "work/w3")],
            "InClusterQueue for w2",
            "InClusterQueue for w3",
        ),
    ],
)
def test_evictions_differ(events, recorded, ours):
    victims = [{"victim": "w1", "reason": "InClusterQueue", "preemptor": "w2"}]
    steps = [{"do": "submit", "object": workload(n), "after": {"states": {}}} for n in ("w1", "w2")]
    last = {"do": "submit", "object": workload("w3"), "after": {"evictions": victims}}
    [report], _, _ = judged([*steps, last], [View()] * 3, [[], [], events])
    assert (report.difference.key, report.difference.recorded, report.difference.ours) == (
        "w1",
        recorded,
        ours,
    )


def test_an_eviction_that_nobody_recorded():
    [report], sums, _ = judged([{"do": "wait", "after": {}}], [View()], [[evicted("work/x", "Deactivated")]])
    assert (report.difference.recorded, report.difference.ours) == (None, "Deactivated")
    assert sums.total.steps == 1


@pytest.mark.parametrize(
    ("name", "recorded", "ours", "same"),
    [
        ("reservations", {"f": {"cpu": "1500m"}}, {"f": {"cpu": 1500}}, True),
        ("reservations", {"f": {"gpu": "2"}}, {"f": {"gpu": 2}, "g": {"gpu": 0}}, True),
        ("reservations", {"f": {"gpu": "2"}}, {"f": {"gpu": 3}}, False),
        ("reservations", {"f": {"gpu": "two"}}, {"f": {"gpu": 2}}, False),
        ("flags", {"Preempted": "True InClusterQueue"}, {"Preempted": "True InClusterQueue"}, True),
        ("flags", {"Preempted": "True InClusterQueue"}, {"Preempted": "False QuotaReserved"}, False),
        ("flags", {"requeued": True}, {"Requeued": "True Preempted"}, True),
        ("flags", {"requeued": True}, {"Requeued": "True Preempted", "Evicted": "True Preempted"}, False),
        ("flags", ["Evicted"], {"Evicted": "True Preempted", "Preempted": "False x"}, True),
        ("flags", ["Evicted"], {"Evicted": "False QuotaReserved"}, False),
        ("counts", {"main": 3}, {"main": 3}, True),
        ("counts", {"main": 3}, {"main": 2}, False),
        ("counters", {"Preempted": 1}, {"Preempted": 1, "Deactivated": 0}, True),
        ("notActive", "Stopped", "Stopped", True),
        ("notActive", "Stopped", "FlavorNotFound", False),
        ("flavors", {"main": {"gpu": "f"}}, {"main": {"gpu": "g"}}, False),
    ],
)
def test_values(name, recorded, ours, same):
    reports, _, _ = judged([{"do": "wait", "after": {name: {"x": recorded}}}], [View(**{name: {"x": ours}})])
    assert (reports == []) is same


def test_secondary_fields_are_counted_apart_and_other_values_seen_agree():
    steps = [
        {
            "do": "wait",
            "after": {"message": {"w": "a  b"}, "pending": {"q": 2}},
            "alsoSeen": {"pending": {"q": [3, 4]}},
        }
    ]
    [report], sums, _ = judged(steps, [View(message={"w": "a c"}, pending={"q": 4})])
    assert not report.primary
    assert report.difference.field == "message"
    assert (sums.total.steps, sums.total.said, sums.total.said_agreed) == (0, 2, 1)
    assert (sums.secondary["message"].said_agreed, sums.secondary["pending"].said_agreed) == (0, 1)


def test_agreement_with_either_run():
    runs = [[{"states": {"w1": "pending"}}]]
    for state, agreed in (("admitted", 1), ("pending", 1), ("inactive", 0)):
        _, sums, _ = judged([SUBMIT], [View(states={"work/w1": state})], runs=runs)
        assert (sums.total.agreed, sums.whole) == (agreed, agreed), state


def test_a_declared_choice_agrees_and_is_counted():
    choice = AnyOf("states", "work/w1", ["admitted", "pending"], "map order")
    _, sums, _ = judged([SUBMIT], [View(states={"work/w1": "pending"}, any_of=[choice])])
    assert (sums.total.agreed, dict(sums.open)) == (1, {"map order": 1})
    _, sums, _ = judged([SUBMIT], [View(states={"work/w1": "inactive"}, any_of=[choice])])
    assert sums.total.agreed == 1  # the recorded value is among those that are as right
    closed = AnyOf("states", "work/w1", ["pending"], "map order")
    _, sums, _ = judged([SUBMIT], [View(states={"work/w1": "pending"}, any_of=[closed])])
    assert sums.total.agreed == 0


def test_steps_reach_the_machine():
    steps = [
        {"do": "submit", "at": 0, "object": workload("w1")},
        {"do": "check", "at": 2, "workload": "w1", "check": "ok", "state": "Ready"},
        {"do": "reclaimable", "at": 4, "workload": "w1", "podsets": {"main": 1}},
        {"do": "deactivate", "at": 6, "workload": "w1"},
        {"do": "activate", "at": 8, "workload": "w1"},
        {"do": "finish", "at": 10, "workload": "w1"},
        {"do": "delete", "at": 12, "workload": "w1"},
        {
            "do": "remove",
            "at": 14,
            "object": {"kind": "LocalQueue", "metadata": {"name": "q", "namespace": "work"}},
        },
    ]
    _, _, machine = judged(steps, [View()] * 8)
    assert machine.done == [
        ("apply", "Workload", "w1", 0, None, None),
        ("apply", "Workload", "w1", 2000, None, {"admissionChecks": [{"name": "ok", "state": "Ready"}]}),
        ("apply", "Workload", "w1", 4000, None, {"reclaimablePods": [{"name": "main", "count": 1}]}),
        ("apply", "Workload", "w1", 6000, False, None),
        ("apply", "Workload", "w1", 8000, True, None),
        ("finish", "work/w1", 10000),
        ("remove", "Workload", "work", "w1", 12000),
        ("remove", "LocalQueue", "work", "q", 14000),
    ]


def test_what_kueue_deactivated_by_itself_stays_inactive():
    steps = [
        {"do": "submit", "object": workload("w1")},
        {"do": "reclaimable", "workload": "w1", "podsets": {"main": 1}},
    ]
    _, _, machine = judged(steps, [View(states={"work/w1": "inactive"})] * 2)
    assert machine.done[1][4] is False


def test_chance_follows_the_recording_only_where_the_model_would_disagree():
    choice = AnyOf("evictions", "work/w2", [["work/w1"], ["work/w9"]], "random ids")
    free, led = View(states={"work/w1": "pending"}), View(states={"work/w1": "admitted"}, any_of=[choice])
    reports, sums, machine = judged([SUBMIT], [free], followed=[led])
    assert machine.preferred == [["work/w1"]]
    assert (reports, sums.total.agreed, dict(sums.open)) == ([], 1, {"random ids": 1})
    _, sums, machine = judged([SUBMIT], [led], followed=[led])
    assert (machine.preferred, sums.total.agreed, dict(sums.open)) == ([], 1, {})


def test_following_that_does_not_help_leaves_the_models_own_way():
    free, led = View(states={"work/w1": "pending"}), View(states={"work/w1": "inactive"})
    [report], _, machine = judged([SUBMIT], [free], followed=[led])
    assert machine.preferred == [["work/w1"]]
    assert report.difference.ours == "pending"


def test_a_repeated_recording_may_have_ended_earlier():
    second = {"do": "submit", "object": workload("w2"), "after": {"states": {"w2": "admitted"}}}
    runs = [[{"states": {"w1": "pending"}}]]
    reports, sums, _ = judged([SUBMIT, second], [View(states={"work/w1": "inactive"})] * 2, runs=runs)
    assert len(reports) >= 2
    assert (sums.total.steps, sums.total.agreed) == (2, 0)
