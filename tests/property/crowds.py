"""Random clusters under more load than they can hold: queues, cohorts and settings of all kinds, work, edits, ends.

The clusters are those of the recorded random scenarios (`lab/recording/random_queues.py`); here far more work waits, and
what ends is chosen among what runs, so parked work is looked at again and again.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from kohort.lab.recording.objects import podset, workload
from kohort.lab.recording.random_edits import edit
from kohort.lab.recording.random_queues import Layout, layout
from kohort.lab.recording.story import FAIR, FAIR_FINAL, FAIR_INITIAL, Story
from kohort.semantics.settings import Settings
from kohort.simulator.events import Event
from kohort.simulator.machine import Machine
from kohort.simulator.replay.playing import kube_object
from kohort.simulator.settings import read_settings
from kohort.simulator.view import View

AFS = {
    "admissionFairSharing": {
        "usageHalfLifeTime": "10m",
        "usageSamplingInterval": "5m",
        "resourceWeights": {"gpu": 1, "cpu": 1},
    }
}
CONFIGURATIONS: tuple[dict[str, Any], ...] = ({}, {}, {}, FAIR, FAIR_FINAL, FAIR_INITIAL, AFS)
VERSIONS = ("0.19.1", "0.19.1", "0.19.1", "0.18.5", "0.17.0", "0.16.0", "0.15.0")
GATES = (
    "FlavorFungibility",
    "PartialAdmission",
    "PrioritySortingWithinCohort",
    "SchedulingEquivalenceHashing",
    "FlavorFungibilityPreserveScanProgress",
    "RecomputeAssignmentUponPreemptionTargetsOverlap",
    "FairSharingPreemptWithinNominal",
    "UnadmittedWorkloadsObservability",
)
SIZES = (0, 1, 1, 1, 2, 2, 3, 4)


class Crowd:
    """One random cluster and what happens in it; the same seed gives the same as long as the model does the same."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(seed)
        configuration = rng.choice(CONFIGURATIONS)
        self.fair = "fairSharing" in configuration
        self.made: Layout = layout(rng, fair=self.fair, afs="admissionFairSharing" in configuration)
        self.story = Story(f"crowd-{seed}", "", *self.made.objects, configuration=configuration)
        self.settings = self._settings(configuration)
        self.count = 0
        # a few shapes that many ask for: what is alike is parked together
        self.shapes = [self._shape() for _ in range(rng.randint(2, 5))]
        self.priorities = rng.choice(((0,), (0, 1), (0, 0, 1, 2, 3)))
        objects = [kube_object(each, "crowd") for each in self.story.told().objects]
        stop, ready = rng.choice((0, 0, 1_500)), rng.choice((0, 0, 0, 2_000, None))
        self.machine = Machine.start(objects, settings=self.settings, stop_time=stop, ready_time=ready)

    def _settings(self, configuration: dict[str, Any]) -> Settings:
        rng = self.rng
        config = dict(configuration)
        if rng.random() < 0.15:
            config["waitForPodsReady"] = {
                "timeout": "20s",
                "blockAdmission": rng.random() < 0.5,
                "requeuingStrategy": {"backoffBaseSeconds": 3, "backoffLimitCount": 2},
            }
        if rng.random() < 0.25:
            config["featureGates"] = {rng.choice(GATES): rng.random() < 0.5}
        settings = read_settings(config, rng.choice(VERSIONS))
        slow = rng.random() < 0.1
        return replace(settings, cycle=20 if slow else 0, write=5 if slow else 0)

    def _shape(self) -> list[dict[str, Any]]:
        rng = self.rng
        covered = [name for resources, _ in self.made.groups for name in resources]
        chosen = [name for name in covered if rng.random() < 0.8] or [rng.choice(covered)]
        fields: dict[str, Any] = {}
        if self.made.labelled and rng.random() < 0.2:
            fields["selector"] = {"pool": rng.choice(self.made.labelled)}
        if self.made.tainted and rng.random() < 0.4:
            fields["tolerations"] = [{"key": rng.choice(self.made.tainted), "operator": "Exists"}]
        count = rng.choice((1, 1, 1, 2, 3))
        if count > 1 and rng.random() < 0.4:
            fields["min_count"] = rng.randint(1, count - 1)
        sets = [podset("main", count, {name: rng.choice(SIZES) for name in chosen}, **fields)]
        if rng.random() < 0.1:
            sets.append(podset("tail", 1, dict.fromkeys(chosen, 1)))
        return sets

    def play(self, steps: int) -> list[tuple[list[Event], View]]:
        """What happened in each step, and what the cluster shows after it."""
        at, told = 0, []
        for _ in range(steps):
            self._act(at)
            if self.rng.random() < 0.6:
                events = self.machine.settle()
            else:
                at += self.rng.choice((0, 300, 1_000, 4_000))
                events = self.machine.run_until(at)
            at = max(at + self.rng.choice((0, 0, 200, 1_000, 3_000, 30_000)), self.machine.world.now)
            told.append((events, self.machine.view()))
        return told

    def _act(self, at: int) -> None:
        rng, machine = self.rng, self.machine
        what = rng.random()
        holders = sorted(key for key, work in machine.world.works.items() if work.assignment is not None)
        waiting = sorted(key for key, work in machine.world.works.items() if work.assignment is None)
        if what < 0.42 or not machine.world.works:
            for _ in range(rng.choice((1, 1, 2, 6))):
                self._submit(at)
        elif what < 0.78 and holders:
            for _ in range(rng.choice((1, 1, 1, 2))):
                machine.finish(rng.choice(holders), at)
        elif what < 0.86:
            known = len(self.story.told().steps)
            edit(rng, self.made, self.story, fair=self.fair)
            for step in self.story.told().steps[known:]:
                obj = kube_object(step.obj, "crowd")
                if step.do == "remove":
                    machine.remove(obj.kind, obj.namespace, obj.name, at)
                else:
                    machine.apply(obj, at)
        elif what < 0.90 and self.made.checks and holders:
            state = rng.choice(("Ready", "Ready", "Retry", "Rejected"))
            machine.set_check(rng.choice(holders), self.made.checks[0], state, at)
        elif what < 0.93 and waiting:
            namespace, _, name = rng.choice(waiting).partition("/")
            machine.remove("Workload", namespace, name, at)
        elif what < 0.96 and machine.world.works:
            key = rng.choice(sorted(machine.world.works))
            machine.set_active(key, active=rng.random() < 0.5, at=at)
        elif what < 0.98 and machine.world.works:
            key = rng.choice(sorted(machine.world.works))
            machine.set_reclaimable(key, {"main": rng.randint(0, 2)}, at)
        elif holders:
            machine.set_ready(rng.choice(holders), ready=rng.random() < 0.7, at=at)

    def _submit(self, at: int) -> None:
        rng = self.rng
        self.count += 1
        sets = rng.choice(self.shapes) if rng.random() < 0.9 else self._shape()
        cls = rng.choice(sorted(self.made.classes)) if self.made.classes and rng.random() < 0.4 else ""
        priority = self.made.classes[cls] if cls else rng.choice(self.priorities)
        made = workload(f"w{self.count}", rng.choice(self.made.locals_), *sets, priority=priority, cls=cls)
        if rng.random() < 0.3:
            made["metadata"]["uid"] = f"{rng.randint(0, 99):02d}"
        self.machine.apply(kube_object(made, "crowd"), at)
