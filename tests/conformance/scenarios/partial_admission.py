"""Partial admission (reference section 4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import cohort, flavor, group, podset, queue
from kohort.lab.recording.story import Story

SPOT, DEMAND = flavor("spot"), flavor("demand")
A, B, C = flavor("a"), flavor("b"), flavor("c")


def fungible(borrow: str = "", preempt: str = "", preference: str = "") -> dict:
    given = {"whenCanBorrow": borrow, "whenCanPreempt": preempt, "preference": preference}
    return {key: value for key, value in given.items() if value}


def spot_or_demand(name: str, **policy: str) -> Story:
    """Section 4.8: spot is full of lower priority, on demand can be borrowed."""
    own = group("gpu", {"spot": 4, "demand": (8, 4, None)})
    s = Story(
        name,
        "fungibility borrowing preemption",
        SPOT,
        DEMAND,
        cohort("c", "", group("gpu", {"demand": 4})),
        queue("q", own, cohort="c", within="LowerPriority", flavorFungibility=fungible(**policy)),
    )
    s.submit("on-spot", "q", 4).submit("on-demand", "q", 8)
    return s.submit("w", "q", 2, priority=10).finish("on-demand").submit("x", "q", 1, priority=5)


def affinity(key: str, *values: str) -> dict:
    term = {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def scenarios() -> Iterator[Story]:
    s = Story("partial-admission-largest-count", "partial", A, queue("q", group("gpu", {"a": 10})))
    s.submit("full", "q", 1, count=4).submit("w1", "q", 1, count=9, min_count=3).submit(
        "w2", "q", 2, count=5, min_count=1
    ).finish("full").submit("w3", "q", 1, count=8, min_count=5)
    yield s.finish("w1")

    s = Story(
        "partial-admission-prefers-preemption-of-the-full-size",
        "partial preemption",
        A,
        queue("q", group("gpu", {"a": 6}), within="LowerPriority"),
    )
    yield (
        s.submit("low", "q", 1, count=4)
        .submit("high", "q", 1, 5, count=6, min_count=2)
        .submit("same", "q", 1, 5, count=4, min_count=1)
        .finish("high")
    )

    s = Story(
        "partial-admission-by-preempting",
        "partial preemption reclaim",
        A,
        queue("q", group("gpu", {"a": 6}), cohort="c", reclaim="Any"),
        queue("p", group("gpu", {"a": 2}), cohort="c"),
    )
    yield (
        s.submit("b1", "p", 1, count=4)
        .submit("b2", "p", 1, count=4)
        .submit("w", "q", 1, count=9, min_count=4)
        .finish("b1")
    )

    s = Story(
        "partial-admission-one-of-two-podsets", "partial podsets", A, queue("q", group("gpu", {"a": 8}))
    )
    yield s.submit(
        "w", "q", [podset("head", 1, {"gpu": 2}), podset("tail", 5, {"gpu": 2}, min_count=2)]
    ).submit("x", "q", 1, count=3, min_count=1)

    s = Story(
        "partial-admission-second-flavor",
        "partial fungibility",
        A,
        B,
        queue("q", group("gpu", {"a": 3, "b": 5})),
    )
    yield (
        s.submit("w", "q", 1, count=7, min_count=2)
        .submit("x", "q", 1, count=7, min_count=2)
        .submit("y", "q", 1, count=2, min_count=1)
    )

    s = Story(
        "partial-admission-and-reclaimable-pods", "partial reclaimable", A, queue("q", group("gpu", {"a": 8}))
    )
    s.submit("first", "q", 1, count=2).submit("w", "q", 2, count=5, min_count=2).submit("next", "q", 2)
    yield (
        s.reclaimable("w", main=1).reclaimable("w", main=2).reclaimable("w", main=3).reclaimable("w", main=5)
    )
