"""Whom plans after public reports call in danger loses its place, and nobody else: played with the model of Kueue.

The model is held to runs of a real Kueue (`tests/conformance/traces`). What is claimed after the change is what whoever
takes back is guaranteed.
"""

from __future__ import annotations

import pytest
import report_queue_scenarios
import report_tree_scenarios
from report_objects import GPU, RUN, flavor, group, local, queue

from kohort.objects.kube import KubeObject, Typed
from kohort.semantics.work import PodSetAsk, Work
from kohort.simulator.events import Happened
from kohort.simulator.machine import Machine
from kohort.simulator.settings import read_settings

REPORTS = {one.name: one for one in (*report_tree_scenarios.REPORTS, *report_queue_scenarios.REPORTS)}
OWN, MORE, LARGE = ("own", "b", 4), ("more", "b", 4), ("more", "b", 8)
# report → what is submitted before the change, and what afterwards: name, LocalQueue, GPUs, priority
PLAYED = {
    "less quota, and a third one reclaims": ([OWN, LARGE], [("claim", "r", 4)]),
    "less quota while there is room for all": ([("own", "b", 5)], [("claim", "r", 4)]),
    "who lends goes": ([OWN, LARGE], [("claim", "b", 1)]),
    "who lends goes and a third one reclaims": ([OWN, LARGE], [("claim", "c", 4)]),
    "a limit below what is lent": ([OWN, MORE], [("claim", "a", 8)]),
    "a limit below what is lent and nobody reclaims": ([OWN, MORE], [("claim", "a", 8)]),
    "a parent goes that a cohort names": ([OWN, ("more", "b", 6)], [("claim", "a", 4)]),
    "the name of a cohort is mistyped": ([("own", "a", 4), ("more", "a", 4)], [("claim", "b", 8)]),
    "a queue leaves with what it borrowed": ([("own", "a", 2), ("more", "a", 4)], [("claim", "o", 6)]),
    "what never fitted fits now and pushes its own aside": (
        [("low", "a", 6), ("high", "a", 2, 50), ("big", "a", 10, 10)],
        [],
    ),
    "what could have preempted before does not now": ([("run", "a", 6, 50), ("small", "a", 4, 10)], []),
    "a stopped queue that reclaims starts": ([OWN, MORE, ("wait", "a", 4)], []),
    "more to borrow for who preempts while it borrows": ([OWN, LARGE, ("wait", "a", 8, 10)], []),
}


def kube(value) -> KubeObject:
    metadata = value["metadata"]
    space = metadata.get("namespace", "")
    return KubeObject(value["apiVersion"], value["kind"], metadata["name"], space, value, Typed("x"))


class Play:
    """A cluster on which jobs come ten seconds apart."""

    def __init__(self, objects):
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
        self.machine = Machine.start(
            [kube(each) for each in (space, *objects)], settings=read_settings(None, "0.19.1")
        )
        self.now = 0
        self.lost = set()

    def submit(self, jobs):
        for name, to, gpus, *priority in jobs:
            self.now += 10_000
            asks = (PodSetAsk("main", 1, {GPU: gpus}),)
            work = Work(f"team/{name}", to, asks, priority=priority[0] if priority else 0)
            self.machine.submit(work, self.now)
            self.rest()

    def rest(self):
        for event in self.machine.settle():
            if event.kind is Happened.EVICTED:
                self.lost.add(event.workload.partition("/")[2])

    def change(self, before, after):
        self.now += 10_000
        kept = {(one["kind"], one["metadata"]["name"]) for one in after}
        for one in before:
            if (one["kind"], one["metadata"]["name"]) not in kept:
                self.machine.remove(one["kind"], "", one["metadata"]["name"], self.now)
        for one in after:
            if one not in before:
                self.machine.apply(kube(one), self.now)
        self.rest()


@pytest.mark.parametrize("name", PLAYED)
def test_whoever_is_named_loses_its_place_and_nobody_else(name):
    report, (jobs, claims) = REPORTS[name], PLAYED[name]
    before, after = (
        [one for one in side if one["kind"] != "Configuration"] for side in (report.before, report.after)
    )
    names = {one["metadata"]["name"] for one in before if one["kind"] == "LocalQueue"}
    more = [local(to) for _, to, *_ in claims if to not in names]
    play = Play([*before, *more])
    play.submit(jobs)
    assert play.lost == set()
    play.change(before, after)
    play.submit(claims)
    waiting = {one["metadata"]["name"] for one in report.works or () if "status" not in one}
    assert play.lost == {each for each, says in report.work.items() if says == RUN and each not in waiting}


def test_work_on_a_flavor_that_left_its_queue_counts_as_borrowed_in_the_cohort():
    f, g = flavor("f"), flavor("g")
    others = (queue("b", group(GPU, f=4), cohort="c", reclaim="Any"), local("a"), local("b"))
    before = (f, g, queue("a", group(GPU, f=4, g=4), cohort="c"), *others)
    after = (f, g, queue("a", group(GPU, g=4), cohort="c"), *others)
    play = Play(before)
    play.submit([("run", "a", 4)])
    play.change(before, after)
    assert play.lost == set()
    play.submit([("claim", "b", 4)])
    assert play.lost == {"run"}
