"""Changes that the server refuses, that cannot be applied at once, and the same ones by the runbook that the plan prints."""

from plan_loud_scenarios import of
from plan_quiet_scenarios import F, G, later, story
from plan_scenario import Scenario

from kohort.lab.recording.objects import check, flavor, group, local_queue, queue
from kohort.planner.plan import Disruption

RECREATE, STEPS = Disruption.RECREATE.value, Disruption.STEPS.value
MAY_PREEMPT = Disruption.MAY_PREEMPT.value
IMMUTABLE = "immutable"


def topology(*levels):
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Topology",
        "metadata": {"name": "t"},
        "spec": {"levels": [{"nodeLabel": each} for each in levels]},
    }


def placed(name, **spec):
    made = flavor("f", {"pool": "f"})
    return {**made, "spec": {**made["spec"], "topologyName": name, **spec}}


def checked(controller):
    made = check("c")
    return {**made, "spec": {"controllerName": controller}}


TWO_LOCAL = (F, queue("a", group("gpu", {"f": 4})), queue("b", group("gpu", {"f": 8})), local_queue("l", "a"))
IN_USE = (F, queue("a", group("gpu", {"f": 8})))
OLD, NEW = flavor("f", {"pool": "x"}), flavor("g", {"pool": "x"})

SCENARIOS = (
    Scenario(
        "a-local-queue-leads-elsewhere",
        story(*TWO_LOCAL).submit("run", "l", 4).submit("wait", "l", 2),
        RECREATE,
        (local_queue("l", "b"),),
        named={"wait": RECREATE},
        refused=IMMUTABLE,
    ),
    Scenario(
        "other-levels-of-a-topology",
        story(topology("rack", "host"), F, queue("a", group("gpu", {"f": 4}))).submit("run", "a", 4),
        RECREATE,
        (topology("rack"),),
        refused=IMMUTABLE,
    ),
    Scenario(
        "another-controller-of-a-check",
        story(check("c"), F, queue("a", group("gpu", {"f": 4}))).submit("run", "a", 4),
        RECREATE,
        (checked("example.com/other"),),
        refused=IMMUTABLE,
    ),
    Scenario(
        "other-labels-of-a-flavor-with-topology",
        story(topology("rack"), placed("t"), queue("a", group("gpu", {"f": 4}))),
        RECREATE,
        (placed("t", nodeLabels={"pool": "other"}),),
        refused=IMMUTABLE,
    ),
    Scenario(
        "a-queue-goes-with-its-work",
        story(*IN_USE).submit("run", "a", 4).submit("wait", "a", 6),
        STEPS,
        removed=(("LocalQueue", "a"), ("ClusterQueue", "a")),
        named={"run": STEPS, "wait": STEPS},
        touched=("wait",),
        hangs=(("ClusterQueue", "a"),),
        inactive={"a": "Terminating"},
    ),
    Scenario(
        "a-listed-flavor-goes",
        story(*IN_USE).submit("run", "a", 4),
        STEPS,
        removed=(("ResourceFlavor", "f"),),
        arrives=later(gpus=2),
        then={"late": "admitted"},
        hangs=(("ResourceFlavor", "f"),),
        forced={"a": "FlavorNotFound", "work/a": "ClusterQueueIsInactive"},
    ),
    Scenario(
        "a-listed-check-goes",
        story(F, check("c"), queue("a", group("gpu", {"f": 8}), checks=[{"name": "c"}]))
        .submit("run", "a", 4)
        .check("run", "c", "Ready"),
        STEPS,
        removed=(("AdmissionCheck", "c"),),
        hangs=(("AdmissionCheck", "c"),),
        forced={"a": "AdmissionCheckNotFound", "work/a": "ClusterQueueIsInactive"},
    ),
    Scenario(
        "a-topology-goes-that-a-flavor-names",
        story(topology("rack"), placed("t"), queue("a", group("gpu", {"f": 4}))),
        STEPS,
        removed=(("Topology", "t"),),
        hangs=(("Topology", "t"),),
        forced={"a": "TopologyNotFound", "work/a": "ClusterQueueIsInactive"},
    ),
    Scenario(
        "a-flavor-in-use-leaves-the-queue",
        story(F, G, queue("a", group("gpu", {"f": 4, "g": 4}))).submit("run", "a", 4),
        STEPS,
        (queue("a", group("gpu", {"g": 4})),),
        named={"run": STEPS},
        arrives=later(gpus=4),
        then={"late": "admitted"},
        on={"run": "f", "late": "g"},
    ),
    Scenario(
        "a-resource-in-use-leaves-the-queue",
        story(F, queue("a", group(["gpu", "cpu"], {"f": [8, 8]}))).submit("run", "a", {"gpu": 4, "cpu": 4}),
        STEPS,
        (queue("a", group("gpu", {"f": 8})),),
        named={"run": STEPS},
        arrives=story().submit("late", "a", {"gpu": 1, "cpu": 1}),
        then={"late": "pending"},
    ),
    Scenario(
        "a-whole-group-in-use-leaves-the-queue",
        story(F, G, queue("a", group("gpu", {"f": 8}), group("cpu", {"g": 8})))
        .submit("run", "a", {"gpu": 4, "cpu": 4})
        .submit("plain", "a", {"gpu": 2}),
        STEPS,
        (queue("a", group("gpu", {"f": 8})),),
        named={"run": STEPS},
        arrives=story().submit("late", "a", {"gpu": 1, "cpu": 1}),
        then={"late": "pending"},
    ),
    Scenario(
        "by-steps-another-name-for-a-flavor",
        story(OLD, queue("a", group("gpu", {"f": 8}))).submit("run", "a", 4).submit("wait", "a", 6),
        STEPS,
        (NEW, queue("a", group("gpu", {"g": 8}))),
        removed=(("ResourceFlavor", "f"),),
        named={"run": STEPS, "wait": Disruption.REQUEUES.value},
        happens={"run": "finished", "wait": "admitted"},
        on={"wait": "g"},
        steps="renaming ResourceFlavor f to g",
        ends=("run",),
    ),
    Scenario(
        "by-steps-to-another-cohort",
        story(F, of("m", 2, "one"), of("rich", 6, "one"), of("r", 4, "two", reclaim="Any"))
        .submit("own", "m", 2)
        .submit("more", "m", 4),
        MAY_PREEMPT,
        (of("m", 2, "two"),),
        named={"more": MAY_PREEMPT},
        happens={"more": "finished"},
        arrives=later("claim", "r", 4),
        then={"claim": "admitted"},
        steps="moving ClusterQueue m from cohort one to cohort two",
        ends=("more",),
    ),
    Scenario(
        "by-steps-without-a-resource",
        story(F, queue("a", group(["gpu", "cpu"], {"f": [8, 8]})))
        .submit("run", "a", {"gpu": 4, "cpu": 4})
        .submit("plain", "a", {"gpu": 2}),
        STEPS,
        (queue("a", group("gpu", {"f": 8})),),
        named={"run": STEPS},
        happens={"run": "finished"},
        steps="removing resource cpu from ClusterQueue a",
        ends=("run",),
    ),
    Scenario(
        "by-steps-a-local-queue-elsewhere",
        story(*TWO_LOCAL).submit("run", "l", 4).submit("wait", "l", 2),
        RECREATE,
        (local_queue("l", "b"),),
        named={"wait": RECREATE},
        happens={"wait": "admitted"},
        steps="moving LocalQueue work/l from ClusterQueue a to b",
    ),
    Scenario(
        "by-steps-a-queue-goes",
        story(*IN_USE).submit("run", "a", 4).submit("wait", "a", 6),
        STEPS,
        removed=(("LocalQueue", "a"), ("ClusterQueue", "a")),
        named={"run": STEPS, "wait": STEPS},
        happens={"run": "finished"},
        touched=("wait",),
        steps="removing ClusterQueue a",
        ends=("run",),
    ),
)
