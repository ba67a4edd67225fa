"""What is told of work, from answers like Kueue's."""

from __future__ import annotations

from typing import Any

import pytest

from kohort.lab.account import amounts, because, clock, line, table, teller
from kohort.lab.watching import Change, Work, _read, _state

UID = "0b0e1f1e-7f0a-4a3f-9b1e-3d3a4a5b6c7d"


def conditions(**found: tuple[str, str, str]) -> dict[str, dict[str, str]]:
    return {
        kind: {"type": kind, "status": status, "reason": reason, "message": message}
        for kind, (status, reason, message) in found.items()
    }


@pytest.mark.parametrize(
    ("given", "state", "why"),
    [
        ({}, "waiting", ""),
        ({"QuotaReserved": ("False", "Pending", "8 more needed")}, "waiting", "8 more needed"),
        ({"QuotaReserved": ("True", "QuotaReserved", "")}, "running", ""),
        (
            {
                "QuotaReserved": ("False", "Pending", "preempted"),
                "Preempted": ("True", "InClusterQueue", "x"),
                "Evicted": ("True", "Preempted", "Preempted to accommodate"),
            },
            "suspended",
            "InClusterQueue: Preempted to accommodate",
        ),
        (
            {"Evicted": ("False", "Preempted", "Previously"), "QuotaReserved": ("True", "q", "")},
            "running",
            "",
        ),
        ({"Finished": ("True", "Succeeded", "done"), "QuotaReserved": ("True", "q", "")}, "ended", ""),
        ({"Finished": ("True", "Failed", "exit 1")}, "failed", "exit 1"),
    ],
)
def test_the_state_of_work(given: dict[str, tuple[str, str, str]], state: str, why: str) -> None:
    found = conditions(**given)
    true = {kind for kind, each in found.items() if each["status"] == "True"}
    assert _state(found, true) == (state, why)


def test_ids_in_messages_become_names() -> None:
    item: dict[str, Any] = {
        "metadata": {"uid": "u", "name": "job-x-1", "namespace": "blue"},
        "spec": {},
        "status": {
            "conditions": list(
                conditions(
                    Evicted=("True", "Preempted", f"to accommodate a workload (UID: {UID}, JobUID: other)")
                ).values()
            )
        },
    }
    work = _read(item, {"u": "blue/x", UID: "blue/important"})
    assert work.why == "Preempted: to accommodate a workload (blue/important, JobUID: other)"
    assert because(work.why) == "for blue/important (Preempted)"
    assert _read(item, {"u": "blue/x"}).why.startswith(
        "Preempted: to accommodate a workload (work that is gone"
    )


def test_only_devices_are_told_where_there_are_some() -> None:
    both = Work("a/b", "u", "running", amounts=(("cpu", "4"), ("v.example/gpu", "8"), ("v.example/gpu", "4")))
    assert amounts(both) == "12 of v.example/gpu"
    assert amounts(Work("a/b", "u", "running", amounts=(("cpu", "500m"), ("cpu", "1")))) == "500m + 1 of cpu"


def test_each_change_is_one_line() -> None:
    run = Work("a/b", "u", "running", flavors=(("v.example/gpu", "fast"),), amounts=(("v.example/gpu", "8"),))
    assert line(Change(65.2, "", run)) == "  1:05  a/b                runs with 8 of v.example/gpu on fast"
    assert line(Change(1, "suspended", run)).endswith("runs again with 8 of v.example/gpu on fast")
    assert line(Change(1, "running", Work("a/b", "u", "running", phase="Resetting"))).endswith(
        "is reset: its pods are ended and made anew"
    )
    assert line(Change(1, "running", Work("a/b", "u", "running", gone=True))).endswith("is gone")
    assert line(Change(1, "", Work("a/b", "u", "waiting", "no quota"))).endswith("waits: no quota")


def test_what_nobody_wants_to_know_is_not_told() -> None:
    told: list[str] = []
    tell = teller(told.append)
    for before, now in (
        ("", Work("a/new", "u", "waiting")),
        ("ended", Work("a/old", "u", "ended", gone=True)),
        ("", Work("a/late", "u", "waiting", "no quota")),
        ("waiting", Work("a/left", "u", "waiting", gone=True)),
    ):
        tell(Change(0, before, now))
    assert told == ["  0:00  a/late             waits: no quota", "  0:00  a/left             is gone"]


def test_the_table_leaves_out_what_is_gone() -> None:
    works = [
        Work("b/2", "2", "waiting", "no quota"),
        Work("a/1", "1", "ended"),
        Work("c/3", "3", "ended", gone=True),
    ]
    assert table(works) == ["a/1                ended", "b/2                waiting    no quota"]


def test_the_clock() -> None:
    assert [clock(0), clock(59.9), clock(60), clock(3601)] == ["0:00", "0:59", "1:00", "60:01"]
