"""Order, parking and one scheduling cycle (reference section 5), and what happens to queues around it."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import (
    flavor,
    group,
    queue,
)
from kohort.lab.recording.story import Story

F = flavor("f")


def g(nominal: int, borrow: int | None = None, lend: int | None = None) -> dict:
    return group("gpu", {"f": (nominal, borrow, lend)})


def scenarios() -> Iterator[Story]:
    s = Story("queue-strict-head-blocks", "strict", F, queue("q", g(4), queueingStrategy="StrictFIFO"))
    yield (
        s.submit("w1", "q", 2).submit("w2", "q", 3).submit("w3", "q", 1).submit("w4", "q", 1, 5).finish("w1")
    )

    s = Story("queue-best-effort-passes-the-head", "", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 2)
        .submit("w2", "q", 3)
        .submit("w3", "q", 1)
        .submit("w4", "q", 1, 5)
        .submit("w5", "q", 2, 9)
        .finish("w1", "w3")
    )

    s = Story("queue-strategy-changes-under-load", "strict edits", F, queue("q", g(4)))
    s.submit("w1", "q", 2).submit("w2", "q", 3).edit(
        "ClusterQueue", "q", queueingStrategy="StrictFIFO"
    ).submit("w3", "q", 1)
    yield s.edit("ClusterQueue", "q", queueingStrategy="BestEffortFIFO").submit("w4", "q", 1)

    s = Story("queue-priority-then-age", "priorities", F, queue("q", g(2)))
    yield (
        s.submit("run", "q", 2)
        .submit("w1", "q", 2)
        .submit("w2", "q", 2, 3)
        .submit("w3", "q", 2, 3)
        .submit("w4", "q", 2, 7)
        .finish("run", "w4", "w2", "w3")
    )

    s = Story("queue-twin-of-a-parked-one-is-parked-unseen", "hash", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 3)
        .submit("w2", "q", 2)
        .submit("w3", "q", 2)
        .submit("w4", "q", 2, 1)
        .submit("w5", "q", 1)
        .finish("w1")
    )

    s = Story("queue-twins-parked-together", "hash", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 4)
        .submit("w2", "q", 2)
        .submit("w3", "q", 2)
        .submit("w4", "q", 2)
        .finish("w1")
        .finish("w2")
    )

    s = Story(
        "queue-classical-order-borrowing-last",
        "borrowing order",
        F,
        queue("q1", g(2), cohort="c"),
        queue("q2", g(4), cohort="c"),
        queue("q3", g(0), cohort="c"),
    )
    s.submit("all", "q3", 6).submit("b", "q1", 4, 9).submit("n", "q2", 4).submit("p", "q1", 2, 3)
    yield s.finish("all").finish("n")

    s = Story(
        "queue-classical-order-priority-then-age",
        "order priorities",
        F,
        queue("q1", g(2), cohort="c"),
        queue("q2", g(2), cohort="c"),
        queue("q3", g(2), cohort="c"),
    )
    yield (
        s.submit("all", "q3", 6)
        .submit("w1", "q1", 4)
        .submit("w2", "q2", 4, 2)
        .submit("w3", "q3", 4, 2)
        .finish("all")
        .finish("w2")
        .finish("w3")
    )

    s = Story(
        "queue-several-borrowers-in-one-cycle",
        "borrowing order",
        F,
        queue("q1", g(1), cohort="c"),
        queue("q2", g(1), cohort="c"),
        queue("q3", g(4), cohort="c"),
    )
    yield (
        s.submit("all", "q3", 6)
        .submit("w1", "q1", 3)
        .submit("w2", "q2", 3)
        .submit("w3", "q3", 2)
        .finish("all")
    )

    for policy in ("Never", "LowerPriority", "Any"):
        s = Story(
            f"queue-waiting-preemptor-reserves-reclaim-{policy.lower()}",
            "reservation priorities",
            F,
            queue("q1", g(6), cohort="c", reclaim=policy, within="LowerPriority"),
            queue("q2", g(0), cohort="c"),
        )
        s.submit("run", "q1", 2, 5).submit("lent", "q2", 2, 9).submit("run2", "q1", 1, 5)
        yield (
            s.submit("big", "q1", 5)
            .submit("small", "q2", 1)
            .finish("lent")
            .submit("small2", "q2", 1)
            .finish("run")
        )

    s = Story(
        "queue-waiting-borrower-reserves",
        "reservation borrowing",
        F,
        queue(
            "q1",
            g(3),
            cohort="c",
            reclaim="LowerPriority",
            within="LowerPriority",
            borrow_within="LowerPriority",
        ),
        queue("q2", g(5), cohort="c"),
    )
    s.submit("r1", "q2", 5, 9).submit("r2", "q1", 2, 9).submit("big", "q1", 5).submit("small", "q2", 1)
    yield s.finish("r1").submit("small2", "q2", 2).finish("r2")

    s = Story(
        "queue-strict-blocked-head-is-deleted", "strict", F, queue("q", g(4), queueingStrategy="StrictFIFO")
    )
    yield s.submit("big", "q", 9).submit("small", "q", 1).submit("next", "q", 2).delete("big")
