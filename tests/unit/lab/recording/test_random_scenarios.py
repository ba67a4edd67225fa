"""Random scenarios: the same from the same seed, sound in form, and together they reach everything."""

from collections import Counter

from kohort.diagnostics import Consequence
from kohort.engine.judge import form_findings
from kohort.lab.recording.player import ANY_ADMITTED, ANY_RESERVED
from kohort.lab.recording.random_scenario import random_scenario
from kohort.objects.cluster import Cluster
from kohort.simulator.replay.playing import kube_object

FEATURES = {
    "borrowing limit", "lending limit", "hierarchy", "cohort", "fungibility", "fair", "weights", "priorities",
    "priority classes", "stop", "partial", "podsets", "checks", "edits", "strict", "hash", "selectors", "taints",
    "missing", "borrow-within", "reclaimable", "activation", "resources", "selector", "admission fair sharing",
}  # fmt: skip


def test_a_seed_gives_one_scenario():
    assert random_scenario(7) == random_scenario(7)
    assert random_scenario(7).steps != random_scenario(8).steps


def test_everything_is_reached():
    scenarios = [random_scenario(seed) for seed in range(300)]
    assert set().union(*(set(each.features) for each in scenarios)) >= FEATURES
    done = Counter(step.do for each in scenarios for step in each.steps)
    assert done.keys() >= {
        "submit",
        "finish",
        "delete",
        "apply",
        "remove",
        "check",
        "deactivate",
        "activate",
        "reclaimable",
    }
    assert all(8 <= len(each.steps) <= 25 for each in scenarios)


def test_the_server_would_take_every_object():
    for seed in range(60):
        scenario = random_scenario(seed)
        given = [*scenario.objects, *(step.obj for step in scenario.steps if step.do in ("submit", "apply"))]
        objects = [kube_object(obj, "scenario") for obj in given]
        refused = [
            finding.message
            for obj in objects
            for finding in form_findings(Cluster([obj], kueue="0.19.1"))
            if finding.consequence in (Consequence.REFUSED, Consequence.INVALID)
        ]
        assert refused == [], seed


def test_steps_speak_of_workloads_that_were_submitted():
    for seed in range(100):
        known = set()
        for step in random_scenario(seed).steps:
            if step.do == "submit":
                assert step.workload not in known
                known.add(step.workload)
            elif step.workload and not step.workload.startswith((ANY_ADMITTED, ANY_RESERVED)):
                assert step.workload in known, seed
