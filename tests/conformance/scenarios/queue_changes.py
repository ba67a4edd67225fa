"""Queues that stop, change, miss something or ask admission checks while work waits and runs (reference sections 2.11 and 5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import (
    check,
    flavor,
    group,
    local_queue,
    namespace,
    podset,
    priority_class,
    queue,
)
from kohort.lab.recording.story import Story

F = flavor("f")


def g(nominal: int, borrow: int | None = None, lend: int | None = None) -> dict:
    return group("gpu", {"f": (nominal, borrow, lend)})


def scenarios() -> Iterator[Story]:
    s = Story("queue-stop-hold-and-go", "stop", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 2)
        .edit("ClusterQueue", "q", stopPolicy="Hold")
        .submit("w2", "q", 1)
        .edit("ClusterQueue", "q", stopPolicy="None")
    )

    s = Story("queue-stop-drain-and-go", "stop", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 2)
        .submit("w2", "q", 2)
        .edit("ClusterQueue", "q", stopPolicy="HoldAndDrain")
        .submit("w3", "q", 1, 5)
        .edit("ClusterQueue", "q", stopPolicy="None")
        .finish("w3")
    )

    s = Story(
        "queue-stop-hold-cancels-reservations",
        "stop checks",
        F,
        check("ok"),
        queue("q", g(4), checks=[{"name": "ok"}]),
    )
    yield (
        s.submit("w1", "q", 2)
        .check("w1", "ok", "Ready")
        .submit("w2", "q", 1)
        .edit("ClusterQueue", "q", stopPolicy="Hold")
        .edit("ClusterQueue", "q", stopPolicy="None")
        .check("w2", "ok", "Ready")
    )

    for policy in ("Hold", "HoldAndDrain"):
        s = Story(
            f"queue-local-stop-{policy.lower()}",
            "stop",
            F,
            queue("q", g(4)),
            local_queue("a", "q"),
            local_queue("b", "q"),
        )
        yield (
            s.submit("w1", "a", 2)
            .submit("w2", "b", 1)
            .edit("LocalQueue", "a", stopPolicy=policy)
            .submit("w3", "a", 1)
            .submit("w4", "b", 1)
            .edit("LocalQueue", "a", stopPolicy="None")
        )

    s = Story("queue-local-points-nowhere", "missing", F, local_queue("a", "ghost"))
    yield (
        s.submit("w1", "a", 1)
        .submit("w2", "none", 1)
        .apply(queue("ghost", g(4)))
        .apply(local_queue("none", "ghost"))
    )

    s = Story(
        "queue-namespace-selector",
        "selector",
        F,
        namespace("in", team="yes"),
        namespace("out"),
        queue("q", g(4), namespaceSelector={"matchLabels": {"team": "yes"}}),
        local_queue("q", space="in"),
        local_queue("q", space="out"),
    )
    s.submit("w1", "q", 1, space="in").submit("w2", "q", 1, space="out").submit("w3", "q", 1, space="in")
    yield s.apply(namespace("out", team="yes")).submit("w4", "q", 1, space="out")

    s = Story(
        "queue-namespace-selector-strict-does-not-block",
        "selector strict",
        F,
        namespace("in", team="yes"),
        namespace("out"),
        queue("q", g(4), namespaceSelector={"matchLabels": {"team": "yes"}}, queueingStrategy="StrictFIFO"),
        local_queue("q", space="in"),
        local_queue("q", space="out"),
    )
    yield s.submit("w1", "q", 1, 5, space="out").submit("w2", "q", 1, space="in")

    s = Story("queue-namespace-selector-absent", "selector", F, queue("q", g(4), namespaceSelector=None))
    yield s.submit("w1", "q", 1).edit("ClusterQueue", "q", namespaceSelector={})

    s = Story(
        "queue-check-ready-retry-rejected",
        "checks",
        F,
        check("ok"),
        queue("q", g(4), checks=[{"name": "ok"}]),
    )
    s.submit("w1", "q", 2).submit("w2", "q", 2).submit("w3", "q", 2).check("w1", "ok", "Ready").check(
        "w2", "ok", "Retry"
    ).check("w2", "ok", "Ready")
    yield s.finish("w1").check("w3", "ok", "Rejected").activate("w3")

    s = Story(
        "queue-check-on-flavors",
        "checks fungibility",
        F,
        flavor("h"),
        check("ok"),
        queue("q", group("gpu", {"f": 1, "h": 4}), checks=[{"name": "ok", "onFlavors": ["h"]}]),
    )
    yield s.submit("w1", "q", 1).submit("w2", "q", 2).check("w2", "ok", "Ready")

    s = Story(
        "queue-check-missing-and-inactive",
        "checks missing",
        F,
        check("off", active=False),
        queue("q", g(4), checks=[{"name": "off"}, {"name": "ghost"}]),
    )
    yield (
        s.submit("w1", "q", 1)
        .apply(check("ghost"))
        .apply(check("off"))
        .check("w1", "off", "Ready")
        .check("w1", "ghost", "Ready")
    )

    s = Story("queue-check-added-under-load", "checks edits", F, check("ok"), queue("q", g(4)))
    yield (
        s.submit("w1", "q", 2)
        .edit("ClusterQueue", "q", admissionChecksStrategy={"admissionChecks": [{"name": "ok"}]})
        .submit("w2", "q", 1)
        .check("w2", "ok", "Ready")
        .edit("ClusterQueue", "q", admissionChecksStrategy=None)
    )

    s = Story("queue-reclaimable-pods-free-quota", "reclaimable", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 1, count=4)
        .submit("w2", "q", 2)
        .reclaimable("w1", main=1)
        .reclaimable("w1", main=2)
        .reclaimable("w1", main=4)
        .finish("w1")
    )

    s = Story("queue-reclaimable-podsets", "reclaimable podsets", F, queue("q", g(6)))
    yield (
        s.submit("w1", "q", [podset("a", 2, {"gpu": 1}), podset("b", 2, {"gpu": 2})])
        .submit("w2", "q", 3)
        .reclaimable("w1", a=2)
        .reclaimable("w1", a=2, b=1)
    )

    s = Story("queue-deactivate-and-activate", "activation", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 4)
        .submit("w2", "q", 2)
        .deactivate("w1")
        .activate("w1")
        .deactivate("w2")
        .finish("w1")
        .activate("w2")
        .deactivate("w2")
    )

    s = Story(
        "queue-priority-class-value-changes-order",
        "priorities edits",
        F,
        priority_class("p", 1),
        queue("q", g(2)),
    )
    yield (
        s.submit("run", "q", 2)
        .submit("w1", "q", 2, 5)
        .submit("w2", "q", 2, 1, cls="p")
        .edit("WorkloadPriorityClass", "p", value=9)
        .finish("run")
    )

    s = Story(
        "queue-priority-class-value-triggers-preemption",
        "priorities edits preemption",
        F,
        priority_class("p", 1),
        queue("q", g(2), within="LowerPriority"),
    )
    yield (
        s.submit("run", "q", 2, 5)
        .submit("w1", "q", 2, 1, cls="p")
        .edit("WorkloadPriorityClass", "p", value=9)
        .edit("WorkloadPriorityClass", "p", value=0)
    )

    s = Story("queue-quota-grows-and-shrinks", "edits", F, queue("q", g(2)))
    yield (
        s.submit("w1", "q", 2)
        .submit("w2", "q", 2)
        .edit("ClusterQueue", "q", resourceGroups=[g(4)])
        .edit("ClusterQueue", "q", resourceGroups=[g(1)])
        .submit("w3", "q", 1)
        .finish("w1")
        .finish("w2")
    )

    s = Story(
        "queue-flavor-leaves-under-load", "edits", F, flavor("h"), queue("q", group("gpu", {"f": 2, "h": 2}))
    )
    yield (
        s.submit("w1", "q", 2)
        .submit("w2", "q", 2)
        .edit("ClusterQueue", "q", resourceGroups=[group("gpu", {"h": 4})])
        .submit("w3", "q", 2)
        .finish("w1")
    )

    s = Story("queue-removed-under-load", "edits", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 3)
        .submit("w2", "q", 3)
        .remove("ClusterQueue", "q")
        .finish("w1")
        .apply(queue("q", g(4)))
    )

    s = Story("queue-local-removed-under-load", "edits", F, queue("q", g(4)))
    yield (
        s.submit("w1", "q", 3)
        .submit("w2", "q", 3)
        .remove("LocalQueue", "q", "work")
        .finish("w1")
        .apply(local_queue("q"))
    )

    s = Story("queue-cohort-cycle", "cycle hierarchy", F, queue("q", g(4), cohort="a"))
    from kohort.lab.recording.objects import cohort

    s.submit("w0", "q", 1).apply(cohort("a", "b")).apply(cohort("b", "a")).submit("w1", "q", 1)
    yield s.apply(cohort("b")).submit("w2", "q", 1)

    s = Story("queue-workload-moves", "edits", F, queue("q1", g(2)), queue("q2", g(2)))
    yield (
        s.submit("run", "q1", 2)
        .submit("w", "q1", 2)
        .edit("Workload", "w", queueName="q2")
        .submit("x", "q1", 2)
        .edit("Workload", "x", priority=5)
        .finish("run")
    )
