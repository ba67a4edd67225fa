"""Who is reclaimed from other queues without fair sharing (reference section 6.2)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import cohort, flavor, group, queue
from kohort.lab.recording.story import Story

F = flavor("f")


def g(nominal: int, borrow: int | None = None, lend: int | None = None) -> dict:
    return group("gpu", {"f": (nominal, borrow, lend)})


def scenarios() -> Iterator[Story]:
    for policy in ("Never", "LowerPriority", "Any"):
        s = Story(
            f"reclaim-{policy.lower()}",
            "reclaim priorities",
            F,
            queue("q", g(4), cohort="c", reclaim=policy),
            queue("p", g(4), cohort="c"),
        )
        yield (
            s.submit("b1", "p", 4, 5)
            .submit("b2", "p", 2, 5)
            .submit("b3", "p", 2)
            .submit("w1", "q", 2, 5)
            .submit("w2", "q", 2, 5)
        )

    s = Story(
        "reclaim-others-before-own",
        "reclaim preemption",
        F,
        queue("q", g(4), cohort="c", reclaim="Any", within="LowerPriority"),
        queue("p", g(2), cohort="c"),
    )
    yield (
        s.submit("own", "q", 2)
        .submit("b1", "p", 2, 5)
        .submit("b2", "p", 2, 5)
        .submit("w", "q", 2, 3)
        .submit("x", "q", 2, 3)
    )

    s = Story(
        "reclaim-never-below-nominal",
        "reclaim",
        F,
        queue("q", g(4), cohort="c", reclaim="Any"),
        queue("p", g(4), cohort="c"),
    )
    yield s.submit("b1", "p", 3).submit("b2", "p", 3).submit("w1", "q", 4).submit("w2", "q", 2)

    s = Story(
        "reclaim-not-for-a-request-above-nominal",
        "reclaim borrowing",
        F,
        queue("q", g(4), cohort="c", reclaim="Any"),
        queue("p", g(4), cohort="c"),
    )
    yield s.submit("b1", "p", 2).submit("b2", "p", 4).submit("w", "q", 5).submit("x", "q", 4)

    s = Story(
        "reclaim-borrower-while-borrowing-itself",
        "reclaim borrowing",
        F,
        queue("q", g(4), cohort="c", reclaim="Any"),
        queue("p", g(2), cohort="c"),
        queue("r", g(6), cohort="c"),
    )
    yield (
        s.submit("own", "q", 3)
        .submit("b1", "p", 4)
        .submit("b2", "p", 4)
        .submit("w", "q", 3)
        .submit("x", "q", 1)
    )

    s = Story(
        "reclaim-several-queues-newest-first",
        "reclaim",
        F,
        queue("q", g(6), cohort="c", reclaim="Any"),
        queue("p", g(2), cohort="c"),
        queue("r", g(2), cohort="c"),
    )
    yield (
        s.submit("p1", "p", 3)
        .submit("r1", "r", 3)
        .submit("p2", "p", 2)
        .submit("r2", "r", 2)
        .submit("w", "q", 4)
        .submit("x", "q", 2)
    )

    for name, threshold in (("none", None), ("lower-priority", "LowerPriority"), ("threshold", 2)):
        fields = {} if threshold is None else {"borrow_within": threshold}
        s = Story(
            f"borrow-within-cohort-{name}",
            "reclaim borrow-within priorities",
            F,
            queue("q", g(2), cohort="c", reclaim="LowerPriority", **fields),
            queue("p", g(2), cohort="c"),
            queue("r", g(4), cohort="c"),
        )
        yield (
            s.submit("p1", "p", 2, 1)
            .submit("p2", "p", 2, 3)
            .submit("p3", "p", 2, 1)
            .submit("r1", "r", 2)
            .submit("w", "q", 4, 5)
            .submit("x", "q", 1, 9)
        )

    s = Story(
        "borrow-within-cohort-equal-priority-is-safe",
        "reclaim borrow-within priorities",
        F,
        queue("q", g(2), cohort="c", reclaim="Any", borrow_within="LowerPriority"),
        queue("p", g(2), cohort="c"),
        cohort("c", "", g(4)),
    )
    yield s.submit("p1", "p", 4, 3).submit("p2", "p", 4, 3).submit("w", "q", 4, 3).submit("x", "q", 2, 3)

    s = Story(
        "borrow-within-cohort-within-nominal-is-safe",
        "reclaim borrow-within priorities",
        F,
        queue("q", g(2), cohort="c", reclaim="Any", borrow_within="LowerPriority"),
        queue("p", g(4), cohort="c"),
    )
    yield s.submit("p1", "p", 2).submit("p2", "p", 2).submit("p3", "p", 2).submit("w", "q", 4, 9)

    s = Story(
        "borrow-within-cohort-own-queue-too",
        "reclaim borrow-within preemption",
        F,
        queue("q", g(3), cohort="c", reclaim="LowerPriority", within="LowerPriority", borrow_within=5),
        queue("p", g(3), cohort="c"),
    )
    yield s.submit("own", "q", 2).submit("p1", "p", 3, 1).submit("p2", "p", 1, 7).submit("w", "q", 4, 9)

    s = Story(
        "hierarchical-reclaim-within-own-side",
        "reclaim hierarchy",
        F,
        cohort("root"),
        cohort("left", "root"),
        cohort("right", "root"),
        queue("l1", g(4), cohort="left", reclaim="Any"),
        queue("l2", g(0), cohort="left"),
        queue("r1", g(4), cohort="right", reclaim="Any"),
        queue("r2", g(0), cohort="right"),
    )
    yield (
        s.submit("a", "l2", 2)
        .submit("b", "r2", 4)
        .submit("c", "l2", 2)
        .submit("w", "l1", 2)
        .submit("x", "r1", 2)
        .submit("y", "l1", 2)
    )

    s = Story(
        "hierarchical-reclaim-from-the-other-side",
        "reclaim hierarchy",
        F,
        cohort("root"),
        cohort("left", "root"),
        cohort("right", "root"),
        queue("l1", g(4), cohort="left", reclaim="Any"),
        queue("r1", g(2), cohort="right"),
        queue("r2", g(2), cohort="right"),
    )
    yield s.submit("r-a", "r1", 4).submit("r-b", "r2", 4).submit("w", "l1", 2).submit("x", "l1", 2)

    s = Story(
        "hierarchical-advantage-needs-no-priority",
        "reclaim hierarchy priorities",
        F,
        cohort("root"),
        cohort("left", "root"),
        cohort("right", "root"),
        queue("l1", g(4), cohort="left", reclaim="LowerPriority"),
        queue("l2", g(0), cohort="left"),
        queue("r1", g(2), cohort="right"),
    )
    yield s.submit("a", "r1", 4, 9).submit("b", "l2", 2, 9).submit("w", "l1", 2).submit("x", "l1", 2, 10)

    s = Story(
        "hierarchical-side-within-its-quota-is-safe",
        "reclaim hierarchy",
        F,
        cohort("root", "", g(4)),
        cohort("left", "root"),
        cohort("right", "root"),
        queue("l1", g(4), cohort="left", reclaim="Any"),
        queue("r1", g(2), cohort="right"),
        queue("r2", g(4), cohort="right"),
    )
    yield (
        s.submit("a", "r1", 4)
        .submit("b", "l1", 2)
        .submit("c", "r1", 4)
        .submit("w", "l1", 6)
        .submit("x", "r2", 2)
        .submit("y", "l1", 2)
    )

    s = Story(
        "hierarchical-borrow-from-parent-with-advantage",
        "reclaim hierarchy borrow-within priorities",
        F,
        cohort("root"),
        cohort("left", "root", g(4)),
        cohort("right", "root", g(2)),
        queue("l1", g(0), cohort="left", reclaim="LowerPriority", borrow_within="LowerPriority"),
        queue("r1", g(0), cohort="right"),
    )
    yield (
        s.submit("a", "r1", 2)
        .submit("b", "r1", 2)
        .submit("c", "r1", 2)
        .submit("w", "l1", 2, 5)
        .submit("x", "l1", 2, 5)
        .submit("y", "l1", 1, 5)
    )

    s = Story(
        "hierarchical-three-levels",
        "reclaim hierarchy",
        F,
        cohort("root"),
        cohort("mid", "root"),
        cohort("low", "mid"),
        queue("q", g(4), cohort="low", reclaim="Any"),
        queue("n", g(0), cohort="low"),
        queue("m", g(0), cohort="mid"),
        queue("r", g(2), cohort="root"),
    )
    yield (
        s.submit("a", "n", 1).submit("b", "m", 1).submit("c", "r", 4).submit("w", "q", 2).submit("x", "q", 2)
    )

    s = Story(
        "reclaim-candidate-must-use-the-needed-flavor",
        "reclaim fungibility resources",
        F,
        flavor("h"),
        queue("q", group("gpu", {"f": 2, "h": 2}), cohort="c", reclaim="Any"),
        queue("p", group("gpu", {"h": 0, "f": 0}), cohort="c"),
    )
    yield s.submit("on-h", "p", 2).submit("on-f", "p", 2).submit("w", "q", 2).submit("x", "q", 2)

    s = Story(
        "reclaim-two-resources",
        "reclaim resources",
        F,
        queue("q", group(["cpu", "gpu"], {"f": [4, 4]}), cohort="c", reclaim="Any"),
        queue("p", group(["cpu", "gpu"], {"f": [2, 2]}), cohort="c"),
    )
    yield (
        s.submit("c1", "p", {"cpu": 4})
        .submit("g1", "p", {"gpu": 4})
        .submit("b1", "p", {"cpu": 1, "gpu": 1})
        .submit("w", "q", {"cpu": 3, "gpu": 3})
        .submit("x", "q", {"gpu": 1})
    )

    s = Story(
        "overlap-two-preemptors-want-one-victim",
        "reclaim overlap",
        F,
        queue("q1", g(3), cohort="c", reclaim="Any"),
        queue("q2", g(3), cohort="c", reclaim="Any"),
        queue("p", g(0), cohort="c"),
    )
    s.submit("v", "p", 6).edit("ClusterQueue", "q1", stopPolicy="Hold").edit(
        "ClusterQueue", "q2", stopPolicy="Hold"
    ).submit("w1", "q1", 3).submit("w2", "q2", 3)
    yield (
        s.edit("ClusterQueue", "q1", stopPolicy="None")
        .edit("ClusterQueue", "q2", stopPolicy="None")
        .submit("x", "p", 1)
    )

    s = Story(
        "preemption-chain-over-three-queues",
        "reclaim",
        F,
        *(queue(f"q{i}", g(2), cohort="c", reclaim="Any") for i in (1, 2, 3)),
    )
    yield (
        s.submit("a1", "q1", 2)
        .submit("a2", "q1", 2)
        .submit("a3", "q1", 2)
        .submit("b1", "q2", 2)
        .submit("b2", "q2", 1)
        .submit("c1", "q3", 2)
        .finish("b1")
        .finish("c1")
    )

    s = Story(
        "preempt-tutorial-one-of-sixteen",
        "reclaim",
        F,
        queue("blue", g(16), cohort="c", reclaim="Any", within="LowerPriority"),
        queue("red", g(8), cohort="c", reclaim="Any", within="LowerPriority"),
    )
    yield (
        s.submit("r1", "red", 8)
        .submit("r2", "red", 8)
        .submit("r3", "red", 8)
        .submit("b16", "blue", 16)
        .finish("r2")
        .submit("b8", "blue", 8, 5)
    )

    s = Story(
        "reclaim-private-part-is-not-lent",
        "reclaim lending",
        F,
        queue("q", g(6, None, 2), cohort="c", reclaim="Any"),
        queue("p", g(2), cohort="c"),
    )
    yield (
        s.submit("b1", "p", 3)
        .submit("b2", "p", 2)
        .submit("b3", "p", 1)
        .submit("w1", "q", 4)
        .submit("w2", "q", 2)
    )

    s = Story(
        "reclaim-no-borrow-then-borrow",
        "reclaim borrow-within preemption",
        F,
        queue("q", g(4), cohort="c", reclaim="LowerPriority", within="LowerPriority", borrow_within=0),
        queue("p", g(4), cohort="c"),
        queue("r", g(4), cohort="c"),
    )
    yield (
        s.submit("own", "q", 2)
        .submit("p1", "p", 4, 2)
        .submit("p2", "p", 4, 2)
        .submit("r1", "r", 2)
        .submit("w", "q", 4, 5)
        .submit("x", "q", 2, 6)
    )
