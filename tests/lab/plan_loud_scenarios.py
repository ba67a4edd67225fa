"""Changes by which running work may lose its place, or does."""

from plan_quiet_scenarios import MAY_PREEMPT, NEW, F, later, story
from plan_scenario import Scenario

from kohort.lab.recording.objects import check, cohort, group, local_queue, priority_class, queue
from kohort.planner.plan import Disruption

EVICTS = Disruption.EVICTS.value
RECLAIMED, IN_QUEUE, STOPPED = "InCohortReclamation", "InClusterQueue", "ClusterQueueStopped"


def of(name, quota, home="c", **fields):
    return queue(name, group("gpu", {"f": quota}), cohort=home, **fields)


SCENARIOS = (
    Scenario(
        "a-guarantee-grows-over-what-others-borrow",
        story(F, of("a", 2, reclaim="Any"), of("b", 8))
        .submit("old", "b", 8)
        .submit("new", "b", 2)
        .submit("wait", "a", 4),
        MAY_PREEMPT,
        (of("a", 4, reclaim="Any"),),
        named={"new": MAY_PREEMPT, "wait": MAY_PREEMPT},
        happens={"wait": "admitted", "new": "pending"},
        evicted={"new": RECLAIMED},
    ),
    Scenario(
        "who-counts-less-gives-way-first",
        story(F, of("a", 2, reclaim="Any"), of("b", 8))
        .submit("low", "b", 4)
        .submit("high", "b", 6, priority=10)
        .submit("wait", "a", 4),
        MAY_PREEMPT,
        (of("a", 4, reclaim="Any"),),
        named={"low": MAY_PREEMPT, "wait": MAY_PREEMPT},
        happens={"wait": "admitted", "low": "pending"},
        evicted={"low": RECLAIMED},
    ),
    Scenario(
        "a-guarantee-falls-below-use",
        story(F, of("a", 4, reclaim="Any"), of("b", 8)).submit("old", "b", 4).submit("new", "b", 3),
        MAY_PREEMPT,
        (of("b", 4),),
        named={"new": MAY_PREEMPT},
        arrives=later("claim", "a", 4),
        then={"claim": "admitted", "new": "pending"},
        then_evicted={"new": RECLAIMED},
    ),
    Scenario(
        "a-borrower-moves-to-where-others-reclaim",
        story(F, of("m", 2, "one"), of("rich", 6, "one"), of("r", 4, "two", reclaim="Any"))
        .submit("own", "m", 2)
        .submit("more", "m", 4),
        MAY_PREEMPT,
        (of("m", 2, "two"),),
        named={"more": MAY_PREEMPT},
        arrives=later("claim", "r", 4),
        then={"claim": "admitted", "more": "pending"},
        then_evicted={"more": RECLAIMED},
    ),
    Scenario(
        "a-cohort-moves-with-what-it-borrowed",
        story(
            F,
            cohort("top"),
            cohort("other"),
            cohort("sub", "top"),
            of("m", 2, "sub"),
            of("rich", 6, "top"),
            of("r", 4, "other", reclaim="Any"),
        )
        .submit("own", "m", 2)
        .submit("more", "m", 4),
        MAY_PREEMPT,
        (cohort("sub", "other"),),
        named={"more": MAY_PREEMPT},
        arrives=later("claim", "r", 4),
        then={"claim": "admitted", "more": "pending"},
        then_evicted={"more": RECLAIMED},
    ),
    Scenario(
        "a-cohort-loses-its-pool",
        story(F, cohort("c", "", group("gpu", {"f": 4}), weight=2), of("a", 2, reclaim="Any"), of("b", 2))
        .submit("own", "b", 2)
        .submit("more", "b", 4),
        MAY_PREEMPT,
        (cohort("c", weight=2),),
        named={"more": MAY_PREEMPT},
        arrives=later("claim", "a", 2),
        then={"claim": "admitted", "more": "pending"},
        then_evicted={"more": RECLAIMED},
    ),
    Scenario(
        "the-pool-of-a-cohort-shrinks",
        story(F, cohort("c", "", group("gpu", {"f": 4})), of("a", 2, reclaim="Any"), of("b", 2))
        .submit("own", "b", 2)
        .submit("more", "b", 4),
        MAY_PREEMPT,
        (cohort("c", "", group("gpu", {"f": 2})),),
        named={"more": MAY_PREEMPT},
        arrives=later("claim", "a", 2),
        then={"claim": "admitted", "more": "pending"},
        then_evicted={"more": RECLAIMED},
    ),
    Scenario(
        "a-cohort-goes-that-members-name",
        story(F, cohort("c", "", group("gpu", {"f": 4})), of("a", 2, reclaim="Any"), of("b", 2))
        .submit("own", "b", 2)
        .submit("more", "b", 4),
        MAY_PREEMPT,
        removed=(("Cohort", "c"),),
        named={"more": MAY_PREEMPT},
        arrives=later("claim", "a", 2),
        then={"claim": "admitted", "more": "pending"},
        then_evicted={"more": RECLAIMED},
    ),
    Scenario(
        "less-is-lent-by-who-reclaims",
        story(F, of("a", 2), of("b", (8, None, 8), reclaim="Any"))
        .submit("own", "a", 2)
        .submit("more", "a", 4),
        MAY_PREEMPT,
        (of("b", (8, None, 2), reclaim="Any"),),
        named={"more": MAY_PREEMPT},
        arrives=later("claim", "b", 8),
        then={"claim": "admitted", "more": "pending"},
        then_evicted={"more": RECLAIMED},
    ),
    Scenario(
        "the-queue-preempts-by-priority",
        story(F, queue("a", group("gpu", {"f": 8}), within="Never"))
        .submit("low", "a", 8)
        .submit("wait", "a", 6, priority=10),
        MAY_PREEMPT,
        (queue("a", group("gpu", {"f": 8}), within="LowerPriority"),),
        named={"low": MAY_PREEMPT, "wait": MAY_PREEMPT},
        happens={"wait": "admitted", "low": "pending"},
        evicted={"low": IN_QUEUE},
    ),
    Scenario(
        "the-queue-reclaims-what-it-lent",
        story(F, of("a", 4, reclaim="Never"), of("b", 4))
        .submit("own", "b", 4)
        .submit("more", "b", 3)
        .submit("wait", "a", 4),
        MAY_PREEMPT,
        (of("a", 4, reclaim="Any"),),
        named={"more": MAY_PREEMPT, "wait": MAY_PREEMPT},
        happens={"wait": "admitted", "more": "pending"},
        evicted={"more": RECLAIMED},
    ),
    Scenario(
        "the-queue-reclaims-by-priority-only",
        story(F, of("a", 4, reclaim="Any"), of("b", 4)).submit("own", "b", 4).submit("more", "b", 3),
        NEW,
        (of("a", 4, reclaim="LowerPriority"),),
        arrives=later("equal", "a", 4),
        then={"equal": "pending"},
    ),
    Scenario(
        "a-priority-rises-over-what-runs",
        story(F, priority_class("p", 0), queue("a", group("gpu", {"f": 8}), within="LowerPriority"))
        .submit("low", "a", 8, priority=50)
        .submit("wait", "a", 6, cls="p"),
        MAY_PREEMPT,
        (priority_class("p", 100),),
        named={"low": MAY_PREEMPT, "wait": MAY_PREEMPT},
        happens={"wait": "admitted", "low": "pending"},
        evicted={"low": IN_QUEUE},
    ),
    Scenario(
        "a-priority-falls-below-what-waits",
        story(F, priority_class("p", 100), queue("a", group("gpu", {"f": 8}), within="LowerPriority"))
        .submit("run", "a", 8, priority=100, cls="p")
        .submit("wait", "a", 6, priority=50),
        MAY_PREEMPT,
        (priority_class("p", 0),),
        named={"run": MAY_PREEMPT},
        happens={"wait": "admitted", "run": "pending"},
        evicted={"run": IN_QUEUE},
    ),
    Scenario(
        "a-check-comes-and-says-no",
        story(F, check("c"), queue("a", group("gpu", {"f": 8}))).submit("run", "a", 4),
        MAY_PREEMPT,
        (queue("a", group("gpu", {"f": 8}), checks=[{"name": "c"}]),),
        named={"run": MAY_PREEMPT},
        touched=("run",),
        arrives=story().submit("late", "a", 1).check("run", "c", "Rejected"),
        then={"run": "inactive", "late": "reserved"},
        then_evicted={"run": "DeactivatedDueToAdmissionCheck"},
    ),
    Scenario(
        "drained",
        story(F, of("a", 8), of("b", 4))
        .submit("one", "a", 4)
        .submit("two", "a", 3)
        .submit("other", "b", 4)
        .submit("wait", "a", 8),
        EVICTS,
        (of("a", 8, stopPolicy="HoldAndDrain"),),
        named={"one": EVICTS, "two": EVICTS, "wait": EVICTS},
        happens={"one": "pending", "two": "pending"},
        evicted={"one": STOPPED, "two": STOPPED},
        touched=("wait",),
        inactive={"a": "Stopped", "work/a": "ClusterQueueIsInactive"},
    ),
    Scenario(
        "one-local-queue-drained",
        story(F, queue("a", group("gpu", {"f": 8})), local_queue("l", "a"), local_queue("m", "a"))
        .submit("one", "l", 3)
        .submit("two", "m", 4)
        .submit("wait", "l", 5),
        EVICTS,
        (local_queue("l", "a", stopPolicy="HoldAndDrain"),),
        named={"one": EVICTS, "wait": EVICTS},
        happens={"one": "pending"},
        evicted={"one": "LocalQueueStopped"},
        touched=("wait",),
        inactive={"work/l": "Stopped"},
    ),
)
