"""Quota arithmetic: what a request may take from the tree (reference section 3)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import cohort, flavor, group, queue
from kohort.lab.recording.story import Story

F = flavor("f")


def g(nominal: int, borrow: int | None = None, lend: int | None = None) -> dict:
    return group("gpu", {"f": (nominal, borrow, lend)})


def probe(story: Story, queue_name: str, largest: int) -> Story:
    """One more than fits stays pending, then the largest that fits is taken, then both leave."""
    low, high = f"{queue_name}-fits", f"{queue_name}-too-large"
    return story.submit(high, queue_name, largest + 1).submit(low, queue_name, largest).delete(low, high)


def scenarios() -> Iterator[Story]:
    s = Story(
        "quota-available-flat-with-limits",
        "borrowing lending",
        F,
        cohort("c", "", g(10)),
        queue("q1", g(10), cohort="c"),
        queue("q2", g(10, 2), cohort="c"),
        queue("q3", g(10, None, 5), cohort="c"),
    )
    s.submit("u1", "q1", 20).submit("u2", "q2", 10).submit("u3", "q3", 6)
    for name, largest in (("q1", 4), ("q2", 2), ("q3", 4)):
        probe(s, name, largest)
    yield s

    s = Story(
        "quota-available-two-sides-lend-nothing",
        "borrowing lending hierarchy",
        F,
        cohort("root"),
        cohort("left", "root", g(10)),
        cohort("right", "root", g(10)),
        queue("q1", g(10), cohort="left"),
        queue("q2", g(10, None, 0), cohort="right"),
    )
    s.submit("u1", "q1", 10).submit("u2", "q2", 5)
    probe(s, "q1", 20)
    probe(s, "q2", 25)
    yield s

    s = Story(
        "quota-cohort-borrowing-limit",
        "borrowing hierarchy",
        F,
        cohort("root"),
        cohort("left", "root", g(10, 5)),
        cohort("right", "root", g(10)),
        queue("l1", g(10), cohort="left"),
        queue("l2", g(10, 5), cohort="left"),
        queue("r1", g(10), cohort="right"),
    )
    for name, largest in (("l1", 35), ("l2", 15), ("r1", 50)):
        probe(s, name, largest)
    yield s

    s = Story(
        "quota-cohort-lending-limit",
        "borrowing lending hierarchy",
        F,
        cohort("root"),
        cohort("left", "root", g(0, None, 5)),
        cohort("right", "root"),
        queue("l1", g(10, None, 5), cohort="left"),
        queue("l2", g(10), cohort="left"),
        queue("r1", g(0), cohort="right"),
        queue("top", g(0), cohort="root"),
    )
    for name, largest in (("l1", 20), ("l2", 15), ("r1", 5), ("top", 5)):
        probe(s, name, largest)
    yield s

    s = Story(
        "quota-overuse-spills-to-a-private-neighbour",
        "borrowing lending edits",
        F,
        cohort("c", "", g(10)),
        queue("q1", g(31), cohort="c"),
        queue("q2", g(10, 0, 0), cohort="c"),
    )
    s.submit("u1", "q1", 31).edit("ClusterQueue", "q1", resourceGroups=[g(10)]).submit("w", "q2", 1).finish(
        "u1"
    )
    yield s

    s = Story(
        "quota-overuse-lowers-everyone",
        "borrowing edits",
        F,
        cohort("c", "", g(10)),
        queue("q1", g(11), cohort="c"),
    )
    s.submit("u1", "q1", 11).edit("ClusterQueue", "q1", resourceGroups=[g(10)])
    probe(s, "q1", 9)
    yield s

    s = Story(
        "quota-three-levels-worked-example",
        "borrowing lending hierarchy",
        F,
        cohort("org", "", g(20)),
        cohort("research", "org", g(10, 15, 12)),
        cohort("prod", "org"),
        queue("a1", g(16, None, 6), cohort="research"),
        queue("a2", g(8, 4), cohort="research"),
        queue("b1", g(30, None, 10), cohort="prod"),
        queue("b2", g(0), cohort="prod"),
    )
    s.submit("ua1", "a1", 14).submit("ua2", "a2", 11).submit("ub1", "b1", 25).submit("ub2", "b2", 9)
    for name, largest in (("a1", 24), ("a2", 1), ("b1", 25), ("b2", 25)):
        probe(s, name, largest)
    yield s

    s = Story(
        "quota-implicit-cohort-has-no-limits",
        "borrowing hierarchy",
        F,
        queue("q1", g(3), cohort="nowhere"),
        queue("q2", g(5), cohort="nowhere"),
    )
    yield probe(s, "q1", 8)

    s = Story(
        "quota-inactive-queue-still-lends",
        "borrowing missing",
        F,
        queue("q1", g(3), cohort="c"),
        queue("q2", group("gpu", {"f": 5, "ghost": 4}), cohort="c"),
    )
    yield probe(s, "q1", 8).submit("v", "q2", 1)

    s = Story(
        "quota-stopped-queue-lends-and-its-usage-counts",
        "borrowing stop",
        F,
        queue("q1", g(3), cohort="c"),
        queue("q2", g(5), cohort="c"),
    )
    s.submit("v", "q2", 2).edit("ClusterQueue", "q2", stopPolicy="Hold")
    yield probe(s, "q1", 6)

    s = Story(
        "quota-parent-appears-and-leaves",
        "borrowing hierarchy edits",
        F,
        cohort("left"),
        cohort("right", "", g(6)),
        queue("q1", g(2), cohort="left"),
    )
    s.submit("w", "q1", 5).edit("Cohort", "left", parentName="root").edit(
        "Cohort", "right", parentName="root"
    )
    yield s.submit("x", "q1", 3).edit("Cohort", "left", parentName=None).finish("x")

    s = Story(
        "quota-cohort-object-removed-becomes-implicit",
        "borrowing hierarchy edits",
        F,
        cohort("c", "", g(6)),
        queue("q1", g(2), cohort="c"),
    )
    yield s.submit("w", "q1", 8).submit("x", "q1", 1).remove("Cohort", "c").finish("w").submit("y", "q1", 3)

    s = Story(
        "quota-cpu-in-thousandths-and-others-rounded-up",
        "resources",
        F,
        queue("q1", group(["cpu", "gpu"], {"f": [2, 3]})),
    )
    s.submit("a", "q1", {"cpu": "1500m", "gpu": "1500m"}).submit("b", "q1", {"cpu": "501m"}).submit(
        "c", "q1", {"cpu": "500m", "gpu": "1"}
    )
    yield s.submit("d", "q1", {"gpu": "1m"}).finish("c")

    s = Story(
        "quota-pods-resource-counts-pods", "resources", F, queue("q1", group(["gpu", "pods"], {"f": [10, 3]}))
    )
    yield (
        s.submit("a", "q1", 1, count=2)
        .submit("b", "q1", 1, count=2)
        .submit("c", "q1", 3, count=1)
        .finish("a")
    )

    s = Story(
        "quota-cohort-nominal-adds-up",
        "borrowing hierarchy",
        F,
        cohort("c", "", g(4)),
        queue("q1", g(1), cohort="c"),
        queue("q2", g(1), cohort="c"),
    )
    yield probe(s, "q1", 6)

    s = Story(
        "quota-queue-moves-to-another-cohort-under-load",
        "borrowing edits",
        F,
        queue("q1", g(2), cohort="c"),
        queue("q2", g(6), cohort="c"),
        queue("q3", g(6), cohort="d"),
    )
    s.submit("a", "q1", 5).submit("b", "q2", 4).edit("ClusterQueue", "q1", cohortName="d")
    yield s.submit("x", "q3", 4).submit("y", "q1", 1).finish("a")
