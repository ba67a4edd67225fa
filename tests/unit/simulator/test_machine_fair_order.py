"""Admission fair sharing over time, and who is admitted next under fair sharing between queues."""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_cluster import Cluster, cohort, evictions, local, queue, work

from kohort.semantics.settings import FINAL_SHARE, INITIAL_SHARE, AdmissionSharing, Settings

HALF = 600_000
SHARING = Settings(admission_sharing=AdmissionSharing(HALF, 300_000, {"gpu": Fraction(1)}))
PENALTY = 1 - 0.5 ** (300 / 600)  # of one sampling interval
SCOPE = {"admissionScope": {"admissionMode": "UsageBasedAdmissionFairSharing"}}


def shared(settings: Settings = SHARING, **weights: str) -> Cluster:
    queues = [
        local(name, "q", **({"fairSharing": {"weight": weights[name]}} if name in weights else {}))
        for name in "xy"
    ]
    return Cluster(queue("q", 4, **SCOPE), *queues, settings=settings)


def score(cluster: Cluster, name: str) -> float:
    return cluster.machine.world.state.local_usage["work", name]


def test_who_used_less_goes_first_whatever_the_priority():
    cluster = shared()
    cluster.submit("x1", "x", 4)
    cluster.submit("x2", "x", 3, 9)
    cluster.submit("y1", "y", 2)
    cluster.finish("x1")
    assert cluster.admitted() == {"y1"}
    without = shared(Settings())
    for args in (("x1", "x", 4), ("x2", "x", 3, 9), ("y1", "y", 2)):
        without.submit(*args)
    without.finish("x1")
    assert without.admitted() == {"x2"}


def test_a_reservation_is_charged_at_once_and_use_flows_in_by_the_half_life():
    cluster = shared()
    cluster.machine.submit(work("x1", "x", 4), 0)
    cluster.settle()
    since = 3_000  # the LocalQueue was there before moment 0
    assert score(cluster, "x") == pytest.approx(4 * PENALTY + 4 * (1 - 0.5 ** (since / HALF)), rel=1e-6)
    before = score(cluster, "x")
    cluster.machine.run_until(300_000)
    kept = 0.5 ** (300_000 / HALF)
    assert score(cluster, "x") == pytest.approx(before * kept + 4 * (1 - kept), rel=1e-6)
    cluster.machine.finish("work/x1", 300_001)
    cluster.machine.run_until(600_000)
    half = score(cluster, "x")
    cluster.machine.run_until(1_200_000)
    assert score(cluster, "x") == pytest.approx(half / 2, rel=1e-6)


@pytest.mark.parametrize(("weights", "first"), [({"x": "4"}, "x2"), ({}, "y2"), ({"x": "4", "y": "0"}, "x2")])
def test_a_larger_weight_may_use_more_and_no_weight_comes_last(weights, first):
    cluster = shared(**weights)
    cluster.submit("x1", "x", 4)
    cluster.finish("x1")
    cluster.submit("y1", "y", 2)
    cluster.submit("y2", "y", 3)
    cluster.submit("x2", "x", 3)
    cluster.finish("y1")
    assert cluster.admitted() == {first}


def fair(strategies: tuple[str, ...] = (FINAL_SHARE, INITIAL_SHARE)) -> Settings:
    return Settings(strategies=strategies)


def test_the_smaller_share_is_served_first_and_each_admission_changes_who_is_next():
    cluster = Cluster(queue("a", 0, "c"), queue("b", 0, "c"), cohort("c", 8), settings=fair())
    for number in range(3):
        cluster.machine.submit(work(f"a{number}", "a", 2), 10_000 + number * 1_000)
    for number in range(3):
        cluster.machine.submit(work(f"b{number}", "b", 2), 20_000 + number * 1_000)
    cluster.settle()
    assert cluster.used("a") == {"f": 6}
    assert cluster.used("b") == {"f": 2}  # they came later; nobody may be preempted here
    both = Cluster(queue("a", 0, "c"), queue("b", 0, "c"), cohort("c", 8), settings=fair())
    for name in "ab":
        for number in range(3):
            both.machine.submit(work(f"{name}{number}", name, 2), 10_000)
    both.settle()
    assert (both.used("a"), both.used("b")) == ({"f": 4}, {"f": 4})


def test_shares_are_told_and_rebalanced_by_preemption():
    cluster = Cluster(
        queue("a", 4, "c", reclaim="Any"), queue("b", 0, "c", reclaim="Any"), cohort("c", 4), settings=fair()
    )
    for number in range(4):
        cluster.submit(f"b{number}", "b", 2)
    assert cluster.view.weightedShare == {"a": 0, "b": 1000, "c": 0}
    events = cluster.submit("mine", "a", 4)
    assert [each[1] for each in evictions(events)] == ["InCohortReclamation", "InCohortReclamation"]
    assert cluster.view.weightedShare == {"a": 0, "b": 500, "c": 0}
