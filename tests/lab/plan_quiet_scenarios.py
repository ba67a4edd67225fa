"""Changes that leave running work alone: nothing, only new work, or pending work that is considered again."""

from plan_scenario import Scenario

from kohort.lab.recording.objects import check, cohort, flavor, group, local_queue, queue
from kohort.lab.recording.story import Story
from kohort.planner.plan import Disruption

NOTHING, NEW = Disruption.NOTHING.value, Disruption.NEW_WORK.value
REQUEUES, MAY_PREEMPT = Disruption.REQUEUES.value, Disruption.MAY_PREEMPT.value
F, G = flavor("f"), flavor("g")


def story(*objects):
    return Story("plan", "plan", *objects)


def alone(quota=8, **fields):
    """One queue of its own, `a`, half in use: `run` has 4 and `wait` asks for more than is left."""
    return (
        story(F, queue("a", group("gpu", {"f": quota}), **fields))
        .submit("run", "a", 4)
        .submit("wait", "a", 6)
    )


def later(name="late", queue_name="a", gpus=1, **more):
    return story().submit(name, queue_name, gpus, **more)


SCENARIOS = (
    Scenario("a-flavor-that-nobody-lists", alone(), NOTHING, (G,)),
    Scenario(
        "resources-in-another-order",
        story(F, queue("a", group(["cpu", "gpu"], {"f": [8, 8]})))
        .submit("run", "a", {"cpu": 1, "gpu": 4})
        .submit("wait", "a", {"cpu": 1, "gpu": 6}),
        NOTHING,
        (queue("a", group(["gpu", "cpu"], {"f": [8, 8]})),),
    ),
    Scenario(
        "an-unlisted-flavor-goes",
        story(F, G, queue("a", group("gpu", {"f": 4}))).submit("run", "a", 4),
        NOTHING,
        removed=(("ResourceFlavor", "g"),),
    ),
    Scenario(
        "quota-lowered-without-a-cohort",
        story(F, queue("a", group("gpu", {"f": 8}))).submit("run", "a", 6),
        NEW,
        (queue("a", group("gpu", {"f": 4})),),
        named={"run": NEW},
        arrives=later(),
        then={"late": "pending"},
    ),
    Scenario(
        "less-may-be-borrowed",
        story(
            F,
            queue("a", group("gpu", {"f": (4, 4, None)}), cohort="c"),
            queue("b", group("gpu", {"f": 8}), cohort="c"),
        ).submit("run", "a", 7),
        NEW,
        (queue("a", group("gpu", {"f": (4, 1, None)}), cohort="c"),),
        arrives=later(),
        then={"late": "pending"},
    ),
    Scenario(
        "less-is-lent-and-nobody-reclaims",
        story(
            F,
            queue("a", group("gpu", {"f": 4}), cohort="c"),
            queue("b", group("gpu", {"f": (8, None, 8)}), cohort="c"),
        ).submit("run", "a", 8),
        NEW,
        (queue("b", group("gpu", {"f": (8, None, 2)}), cohort="c"),),
        arrives=later(),
        then={"late": "pending"},
    ),
    Scenario(
        "flavors-in-another-order",
        story(F, G, queue("a", group("gpu", {"f": 8, "g": 8}))).submit("run", "a", 2),
        NEW,
        (queue("a", group("gpu", {"g": 8, "f": 8})),),
        arrives=later(),
        then={"late": "admitted"},
        on={"run": "f", "late": "g"},
    ),
    Scenario(
        "the-queue-preempts-no-more",
        story(F, queue("a", group("gpu", {"f": 8}), within="LowerPriority")).submit("run", "a", 8),
        NEW,
        (queue("a", group("gpu", {"f": 8}), within="Never"),),
        arrives=later(gpus=4, priority=10),
        then={"late": "pending"},
    ),
    Scenario(
        "an-idle-flavor-goes",
        story(F, G, queue("a", group("gpu", {"f": 4, "g": 4}))).submit("run", "a", 4),
        NEW,
        (queue("a", group("gpu", {"f": 4})),),
        arrives=later(),
        then={"late": "pending"},
    ),
    Scenario(
        "a-new-queue",
        alone(),
        NEW,
        (queue("n", group("gpu", {"f": 2})), local_queue("n")),
        arrives=later("late", "n", 2),
        then={"late": "admitted"},
    ),
    Scenario(
        "quota-raised-without-a-cohort",
        alone(),
        REQUEUES,
        (queue("a", group("gpu", {"f": 10})),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "more-may-be-borrowed",
        story(
            F,
            queue("a", group("gpu", {"f": (4, 0, None)}), cohort="c"),
            queue("b", group("gpu", {"f": 8}), cohort="c"),
        )
        .submit("run", "a", 2)
        .submit("wait", "a", 5),
        REQUEUES,
        (queue("a", group("gpu", {"f": (4, 4, None)}), cohort="c"),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "more-is-lent",
        story(
            F,
            queue("a", group("gpu", {"f": 4}), cohort="c"),
            queue("b", group("gpu", {"f": (8, None, 0)}), cohort="c"),
        )
        .submit("own", "b", 1)
        .submit("wait", "a", 6),
        REQUEUES,
        (queue("b", group("gpu", {"f": (8, None, 4)}), cohort="c"),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "a-cohort-gets-a-pool",
        story(F, queue("a", group("gpu", {"f": 4}), cohort="c")).submit("run", "a", 2).submit("wait", "a", 6),
        REQUEUES,
        (cohort("c", "", group("gpu", {"f": 4})),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "the-pool-of-a-cohort-grows",
        story(
            F,
            cohort("c", "", group("gpu", {"f": 1})),
            queue("a", group("gpu", {"f": 4}), cohort="c"),
        )
        .submit("run", "a", 2)
        .submit("wait", "a", 6),
        REQUEUES,
        (cohort("c", "", group("gpu", {"f": 4})),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "another-flavor",
        story(F, G, queue("a", group("gpu", {"f": 4}))).submit("run", "a", 4).submit("wait", "a", 3),
        REQUEUES,
        (queue("a", group("gpu", {"f": 4, "g": 4})),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
        on={"run": "f", "wait": "g"},
    ),
    Scenario(
        "another-resource",
        story(F, queue("a", group("gpu", {"f": 8})))
        .submit("run", "a", 4)
        .submit("wait", "a", {"gpu": 1, "cpu": 1}),
        REQUEUES,
        (queue("a", group(["gpu", "cpu"], {"f": [8, 8]})),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "held",
        story(F, check("c"), queue("a", group("gpu", {"f": 8}), checks=[{"name": "c"}]))
        .submit("run", "a", 4)
        .check("run", "c", "Ready")
        .submit("holds", "a", 2)
        .submit("wait", "a", 6),
        REQUEUES,
        (queue("a", group("gpu", {"f": 8}), checks=[{"name": "c"}], stopPolicy="Hold"),),
        named={"holds": REQUEUES, "wait": REQUEUES},
        happens={"holds": "pending"},
        touched=("wait",),
        inactive={"a": "Stopped", "work/a": "ClusterQueueIsInactive"},
    ),
    Scenario(
        "started-again",
        story(F, queue("a", group("gpu", {"f": 8}), stopPolicy="Hold")).submit("wait", "a", 6),
        REQUEUES,
        (queue("a", group("gpu", {"f": 8}), stopPolicy="None"),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "another-namespace-selector",
        alone(),
        REQUEUES,
        (queue("a", group("gpu", {"f": 8}), namespaceSelector={"matchLabels": {"team": "x"}}),),
        named={"wait": REQUEUES},
        arrives=story().finish("run"),
        then={"run": "finished", "wait": "pending"},
    ),
    Scenario(
        "a-namespace-is-let-in",
        story(F, queue("a", group("gpu", {"f": 8}), namespaceSelector={"matchLabels": {"team": "x"}})).submit(
            "wait", "a", 6
        ),
        REQUEUES,
        (queue("a", group("gpu", {"f": 8}), namespaceSelector={}),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "a-local-queue-comes-that-work-names",
        story(F, queue("a", group("gpu", {"f": 8})), local_queue("other", "a")).submit("wait", "l", 6),
        REQUEUES,
        (local_queue("l", "a"),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "a-local-queue-goes",
        alone(),
        REQUEUES,
        removed=(("LocalQueue", "a"),),
        named={"wait": REQUEUES},
        touched=("wait",),
    ),
    Scenario(
        "best-effort-after-strict",
        story(F, queue("a", group("gpu", {"f": 8}), queueingStrategy="StrictFIFO"))
        .submit("run", "a", 4)
        .submit("big", "a", 6)
        .submit("small", "a", 2),
        REQUEUES,
        (queue("a", group("gpu", {"f": 8}), queueingStrategy="BestEffortFIFO"),),
        named={"big": REQUEUES, "small": REQUEUES},
        happens={"small": "admitted"},
        touched=("big",),
    ),
    Scenario(
        "a-taint-goes",
        story(
            flavor("f", {"pool": "f"}, ["key=value:NoSchedule"]), queue("a", group("gpu", {"f": 8}))
        ).submit("wait", "a", 4),
        REQUEUES,
        (flavor("f", {"pool": "f"}),),
        named={"wait": REQUEUES},
        happens={"wait": "admitted"},
    ),
    Scenario(
        "a-check-goes",
        story(F, check("c"), queue("a", group("gpu", {"f": 8}), checks=[{"name": "c"}])).submit(
            "holds", "a", 4
        ),
        REQUEUES,
        (queue("a", group("gpu", {"f": 8})),),
        named={"holds": REQUEUES},
        happens={"holds": "admitted"},
    ),
)
