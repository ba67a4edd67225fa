"""Shares, tournament and preemption with fair sharing (reference sections 6.3 and 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import cohort, flavor, group, queue
from kohort.lab.recording.story import FAIR, FAIR_FINAL, FAIR_INITIAL, Story

F = flavor("f")
STRATEGIES = {"both": FAIR, "final": FAIR_FINAL, "initial": FAIR_INITIAL}


def g(nominal: int, borrow: int | None = None, lend: int | None = None) -> dict:
    return group("gpu", {"f": (nominal, borrow, lend)})


def fair(name: str, features: str, *objects: dict, strategies: str = "both") -> Story:
    return Story(f"fair-{name}", f"fair {features}", F, *objects, configuration=STRATEGIES[strategies])


def example(name: str, weight: int | str, strategies: str = "both") -> Story:
    """The reference's example: a and b have 10, c has weight only."""
    s = fair(
        name,
        "reclaim weights",
        queue("a", g(10), cohort="co", reclaim="Any", weight=1),
        queue("b", g(10), cohort="co", reclaim="Any", weight=1),
        queue("c", g(0), cohort="co", reclaim="Any", weight=weight),
        strategies=strategies,
    )
    for index in (1, 2, 3):
        s.submit(f"c{index}", "c", 2)
    return (
        s.submit("a10", "a", 10)
        .submit("b4", "b", 4)
        .submit("w4", "a", 4)
        .submit("w2", "a", 2)
        .submit("w1", "a", 1)
        .finish("a10")
    )


def scenarios() -> Iterator[Story]:
    for strategies in STRATEGIES:
        yield example(f"example-weight-2-{strategies}", 2, strategies)
        yield example(f"example-weight-1-{strategies}", 1, strategies)
        s = fair(
            f"balance-{strategies}",
            "reclaim",
            *(queue(q, g(2), cohort="co", reclaim="Any") for q in "abc"),
            cohort("co", "", g(3)),
            strategies=strategies,
        )
        for index in range(1, 8):
            s.submit(f"a{index}", "a", 1)
        yield (
            s.submit("a8", "a", 1)
            .submit("a9", "a", 1)
            .submit("b1", "b", 1)
            .submit("b2", "b", 2)
            .submit("b3", "b", 1)
            .submit("c1", "c", 3)
            .submit("c2", "c", 1)
        )
        s = fair(
            f"large-jobs-{strategies}",
            "reclaim",
            *(queue(q, g(4), cohort="co", reclaim="Any") for q in "ab"),
            cohort("co", "", g(4)),
            strategies=strategies,
        )
        yield (
            s.submit("a1", "a", 4)
            .submit("a2", "a", 4)
            .submit("a3", "a", 4)
            .submit("b1", "b", 6)
            .submit("b2", "b", 4)
            .submit("a4", "a", 4)
        )
        s = fair(
            f"hierarchy-almost-lowest-common-{strategies}",
            "reclaim hierarchy",
            cohort("root", "", g(4)),
            cohort("left", "root"),
            cohort("right", "root"),
            queue("l1", g(2), cohort="left", reclaim="Any"),
            queue("l2", g(2), cohort="left", reclaim="Any"),
            queue("r1", g(2), cohort="right", reclaim="Any"),
            queue("r2", g(2), cohort="right", reclaim="Any"),
            strategies=strategies,
        )
        for index in range(1, 7):
            s.submit(f"x{index}", "l1", 2)
        yield (
            s.submit("y1", "r1", 2)
            .submit("y2", "r1", 2)
            .submit("y3", "r2", 3)
            .submit("z1", "l2", 2)
            .submit("z2", "l2", 1)
        )

    s = fair(
        "weight-zero-is-first-victim",
        "reclaim weights",
        queue("a", g(2), cohort="co", reclaim="Any"),
        queue("b", g(2), cohort="co", weight=0),
        queue("c", g(2), cohort="co", weight=5),
        cohort("co", "", g(4)),
    )
    yield (
        s.submit("b1", "b", 2)
        .submit("b2", "b", 2)
        .submit("c1", "c", 2)
        .submit("c2", "c", 2)
        .submit("c3", "c", 2)
        .submit("a1", "a", 2)
        .submit("a2", "a", 2)
    )

    s = fair(
        "weight-zero-sole-borrower-borrows",
        "weights borrowing",
        queue("a", g(2), cohort="co"),
        queue("b", g(2), cohort="co", weight=0),
    )
    yield s.submit("b1", "b", 4).submit("a1", "a", 1).finish("b1")

    s = fair(
        "weight-zero-against-weight-zero",
        "reclaim weights",
        queue("a", g(2), cohort="co", reclaim="Any", weight=0),
        queue("b", g(2), cohort="co", weight=0),
        cohort("co", "", g(4)),
    )
    yield (
        s.submit("b1", "b", 2)
        .submit("b2", "b", 2)
        .submit("b3", "b", 2)
        .submit("b4", "b", 2)
        .submit("a1", "a", 2)
        .submit("a2", "a", 2)
        .submit("a3", "a", 2)
    )

    s = fair(
        "within-nominal-takes-unconditionally",
        "reclaim",
        queue("a", g(4), cohort="co", reclaim="Any"),
        queue("b", g(0), cohort="co"),
        queue("c", g(0), cohort="co", weight=9),
    )
    yield s.submit("b1", "b", 2).submit("c1", "c", 2).submit("a1", "a", 2).submit("a2", "a", 2)

    s = fair(
        "reclaim-lower-priority-only",
        "reclaim priorities",
        queue("a", g(2), cohort="co", reclaim="LowerPriority"),
        queue("b", g(2), cohort="co"),
        cohort("co", "", g(2)),
    )
    yield (
        s.submit("b1", "b", 2, 5)
        .submit("b2", "b", 2, 1)
        .submit("b3", "b", 2, 5)
        .submit("a1", "a", 2, 3)
        .submit("a2", "a", 2, 3)
        .submit("a3", "a", 1, 9)
    )

    s = fair(
        "reclaim-never-keeps-within-queue",
        "preemption priorities",
        queue("a", g(2), cohort="co", within="LowerPriority"),
        queue("b", g(2), cohort="co"),
    )
    yield s.submit("b1", "b", 3).submit("a1", "a", 1).submit("a2", "a", 1, 5).submit("a3", "a", 1, 9)

    s = fair(
        "own-candidates-while-borrowing",
        "preemption reclaim priorities",
        queue("a", g(2), cohort="co", within="LowerPriority", reclaim="Any"),
        queue("b", g(2), cohort="co"),
        cohort("co", "", g(2)),
    )
    yield (
        s.submit("a1", "a", 2)
        .submit("a2", "a", 2, 1)
        .submit("b1", "b", 2)
        .submit("a3", "a", 2, 5)
        .submit("b2", "b", 2)
        .submit("a4", "a", 1, 9)
    )

    s = fair(
        "tournament-non-borrowing-first",
        "order",
        queue("a", g(4), cohort="co"),
        queue("b", g(2), cohort="co"),
        queue("c", g(0), cohort="co"),
    )
    yield (
        s.submit("all", "c", 6)
        .submit("b1", "b", 3)
        .submit("a1", "a", 4)
        .submit("b2", "b", 2)
        .finish("all")
        .finish("a1")
    )

    s = fair(
        "tournament-lower-share-first",
        "order weights",
        queue("a", g(1), cohort="co", weight=1),
        queue("b", g(1), cohort="co", weight=3),
        queue("c", g(6), cohort="co"),
    )
    yield (
        s.submit("all", "c", 8)
        .submit("a1", "a", 3)
        .submit("b1", "b", 4)
        .submit("a2", "a", 2)
        .submit("b2", "b", 2)
        .finish("all")
    )

    s = fair(
        "tournament-priority-then-age",
        "order priorities",
        *(queue(q, g(0), cohort="co") for q in "abc"),
        cohort("co", "", g(4)),
    )
    yield (
        s.submit("all", "c", 4)
        .submit("a1", "a", 2)
        .submit("b1", "b", 2, 5)
        .submit("c1", "c", 2, 5)
        .finish("all")
        .finish("b1")
    )

    s = fair(
        "tournament-in-a-tree",
        "order hierarchy weights",
        cohort("root", "", g(6)),
        cohort("left", "root", weight=2),
        cohort("right", "root"),
        queue("l1", g(0), cohort="left"),
        queue("l2", g(0), cohort="left"),
        queue("r1", g(0), cohort="right"),
    )
    yield (
        s.submit("all", "r1", 6)
        .submit("x1", "l1", 2)
        .submit("y1", "l2", 2)
        .submit("z1", "r1", 2)
        .submit("x2", "l1", 1)
        .submit("z2", "r1", 1)
        .finish("all")
    )

    s = fair(
        "cohort-weights-between-siblings",
        "reclaim hierarchy weights",
        cohort("root", "", g(6)),
        cohort("left", "root", weight=2),
        cohort("right", "root", weight=1),
        queue("l1", g(0), cohort="left", reclaim="Any"),
        queue("r1", g(0), cohort="right", reclaim="Any"),
    )
    for index in range(1, 7):
        s.submit(f"r{index}", "r1", 1)
    yield s.submit("l-a", "l1", 1).submit("l-b", "l1", 2).submit("l-c", "l1", 1).submit("l-d", "l1", 1)

    s = fair(
        "dominant-resource",
        "reclaim resources",
        queue("a", group(["cpu", "gpu"], {"f": [2, 2]}), cohort="co", reclaim="Any"),
        queue("b", group(["cpu", "gpu"], {"f": [2, 2]}), cohort="co", reclaim="Any"),
        cohort("co", "", group(["cpu", "gpu"], {"f": [6, 2]})),
    )
    s.submit("b1", "b", {"cpu": 5, "gpu": 2}).submit("b2", "b", {"cpu": 2, "gpu": 1}).submit(
        "a1", "a", {"cpu": 3, "gpu": 1}
    ).submit("a2", "a", {"gpu": 3})
    yield s.submit("a3", "a", {"cpu": 2})

    s = fair(
        "share-sums-over-flavors",
        "reclaim fungibility",
        flavor("h"),
        queue("a", group("gpu", {"f": 2, "h": 2}), cohort="co", reclaim="Any"),
        queue("b", group("gpu", {"f": 0, "h": 0}), cohort="co", reclaim="Any"),
        cohort("co", "", group("gpu", {"f": 2, "h": 6})),
    )
    yield (
        s.submit("b1", "b", 3)
        .submit("b2", "b", 4)
        .submit("b3", "b", 4)
        .submit("a1", "a", 3)
        .submit("a2", "a", 4)
        .submit("a3", "a", 2)
    )

    s = fair(
        "lending-limit-bounds-the-share",
        "lending reclaim",
        queue("a", g(6, None, 2), cohort="co", reclaim="Any"),
        queue("b", g(2), cohort="co", reclaim="Any"),
    )
    yield s.submit("b1", "b", 2).submit("b2", "b", 2).submit("a1", "a", 5).submit("a2", "a", 1)

    s = fair(
        "borrow-within-cohort-is-ignored",
        "borrow-within reclaim priorities",
        queue("a", g(2), cohort="co", reclaim="LowerPriority", borrow_within=0),
        queue("b", g(2), cohort="co"),
        cohort("co", "", g(4)),
    )
    yield s.submit("b1", "b", 3, 2).submit("b2", "b", 3, 2).submit("a1", "a", 4, 5).submit("a2", "a", 2, 5)

    s = fair(
        "weight-edit-under-load",
        "weights edits reclaim",
        queue("a", g(0), cohort="co", reclaim="Any"),
        queue("b", g(0), cohort="co", reclaim="Any"),
        cohort("co", "", g(6)),
    )
    for index in range(1, 7):
        s.submit(f"b{index}", "b", 1)
    yield (
        s.submit("a1", "a", 1)
        .submit("a2", "a", 3)
        .edit("ClusterQueue", "a", fairSharing={"weight": "3"})
        .submit("a3", "a", 1)
    )

    s = fair(
        "fill-back",
        "reclaim fill-back",
        queue("a", g(6), cohort="co", reclaim="Any"),
        queue("b", g(0), cohort="co"),
    )
    yield (
        s.submit("b1", "b", 4)
        .submit("b2", "b", 1)
        .submit("b3", "b", 1)
        .submit("a1", "a", 4)
        .submit("a2", "a", 1)
    )
