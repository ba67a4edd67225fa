"""Who is preempted for whom without fair sharing (reference sections 6.1 and 6.2)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import flavor, group, queue
from kohort.lab.recording.story import Story

F = flavor("f")


def g(nominal: int, borrow: int | None = None, lend: int | None = None) -> dict:
    return group("gpu", {"f": (nominal, borrow, lend)})


def scenarios() -> Iterator[Story]:
    for policy in ("Never", "LowerPriority", "LowerOrNewerEqualPriority"):
        s = Story(
            f"preempt-within-{policy.lower()}", "preemption priorities", F, queue("q", g(4), within=policy)
        )
        yield (
            s.submit("w1", "q", 2)
            .submit("w2", "q", 2, 3)
            .submit("w3", "q", 2, 3)
            .submit("w4", "q", 2, 5)
            .finish("w4")
            .submit("w5", "q", 4, 3)
        )

    s = Story(
        "preempt-older-equal-priority",
        "preemption priorities edits",
        F,
        queue("q", g(4), within="LowerOrNewerEqualPriority"),
    )
    yield (
        s.submit("w1", "q", 3)
        .submit("old", "q", 2)
        .submit("new", "q", 1)
        .edit("ClusterQueue", "q", resourceGroups=[g(3)])
        .finish("w1")
        .submit("w2", "q", 2)
    )

    s = Story(
        "preempt-lowest-priority-first", "preemption priorities", F, queue("q", g(6), within="LowerPriority")
    )
    yield (
        s.submit("w1", "q", 2, 2)
        .submit("w2", "q", 2, 1)
        .submit("w3", "q", 2, 3)
        .submit("w4", "q", 2, 9)
        .submit("w5", "q", 4, 9)
    )

    s = Story("preempt-newest-first", "preemption", F, queue("q", g(6), within="LowerPriority"))
    yield s.submit("w1", "q", 2).submit("w2", "q", 2).submit("w3", "q", 2).submit("w4", "q", 2, 9)

    s = Story("preempt-fill-back", "preemption fill-back", F, queue("q", g(6), within="LowerPriority"))
    yield s.submit("w1", "q", 4).submit("w2", "q", 1).submit("w3", "q", 1).submit("w4", "q", 4, 9)

    s = Story(
        "preempt-fill-back-swaps-the-last-in",
        "preemption fill-back",
        F,
        queue("q", g(10), within="LowerPriority"),
    )
    yield (
        s.submit("w1", "q", 5)
        .submit("w2", "q", 1)
        .submit("w3", "q", 2)
        .submit("w4", "q", 1)
        .submit("w5", "q", 1)
        .submit("w6", "q", 6, 9)
    )

    s = Story(
        "preempted-keeps-its-place-in-time",
        "preemption priorities",
        F,
        queue("q", g(2), within="LowerPriority"),
    )
    yield s.submit("w1", "q", 2).submit("w2", "q", 2).submit("hi", "q", 2, 5).finish("hi").finish("w1")

    s = Story(
        "preempt-sticky-head-waits-for-its-victims",
        "preemption checks",
        F,
        queue("q", g(4), within="LowerPriority"),
    )
    yield (
        s.submit("v1", "q", 2)
        .submit("v2", "q", 2)
        .submit("hi", "q", 4, 5)
        .submit("top", "q", 1, 9)
        .finish("hi")
    )
