"""Weights: where the manager shares fairly they cost running work its place, elsewhere they do nothing."""

from plan_loud_scenarios import RECLAIMED, of
from plan_quiet_scenarios import MAY_PREEMPT, NOTHING, F
from plan_scenario import Scenario

from kohort.lab.recording.objects import cohort
from kohort.lab.recording.story import FAIR, Story

SHARED = "InCohortFairSharing"
CLASSICAL = {
    "apiVersion": "config.kueue.x-k8s.io/v1beta2",
    "kind": "Configuration",
}


def crowded(*more, weight=None, configuration=None):
    """Of 12, b holds 10 and a 2; a's next job would bring a to a third of all that is lent."""
    queues = (of("a", 2, reclaim="Any"), of("b", 2, weight=weight), of("rich", 8))
    story = Story("plan", "plan", F, *queues, *more, configuration=configuration)
    return (
        story.submit("own", "b", 2)
        .submit("more", "b", 8)
        .submit("run", "a", 2)
        .submit("wait", "a", 4, priority=0)
    )


SCENARIOS = (
    Scenario(
        "a-weight-falls-where-shares-count",
        crowded(weight=4, configuration=FAIR),
        MAY_PREEMPT,
        change=(of("b", 2, weight=1),),
        named={"more": MAY_PREEMPT},
        happens={"wait": "admitted", "more": "pending"},
        evicted={"more": SHARED},
    ),
    Scenario(
        "a-guarantee-grows-where-shares-count",
        Story("plan", "plan", F, of("a", 2, reclaim="Any"), of("b", 8), configuration=FAIR)
        .submit("old", "b", 8)
        .submit("new", "b", 2)
        .submit("wait", "a", 4),
        MAY_PREEMPT,
        change=(of("a", 4, reclaim="Any"),),
        named={"new": MAY_PREEMPT, "wait": MAY_PREEMPT},
        happens={"wait": "admitted", "new": "pending"},
        evicted={"new": RECLAIMED},
    ),
    Scenario(
        "weights-where-nobody-looks-at-them",
        crowded(cohort("c", weight=3), weight=4),
        NOTHING,
        given=(CLASSICAL,),
        change=(of("b", 2, weight=1), cohort("c", weight=1)),
    ),
)
