"""One shared case played on the machine: its objects, and its jobs submitted one after the other."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.podsets import podsets
from kohort.semantics.asks import asks_of
from kohort.semantics.work import Work
from kohort.simulator.events import Happened
from kohort.simulator.machine import Machine
from kohort.simulator.settings import read_settings

SHARED = Path(__file__).parents[3] / "shared" / "cases"
_LABEL = "kueue.x-k8s.io/"


class Simulated:
    """A case whose jobs were submitted ten seconds apart, in the order of the files."""

    def __init__(self, number, *files, kueue="0.19.1", edit=lambda text: text, only=()):
        folder = next(SHARED.glob(f"{number}-*"))
        documents = [
            json.loads(json.dumps(document))
            for name in files
            for document in yaml.safe_load_all(edit((folder / name).read_text()))
        ]
        self.settings = read_settings(None, kueue)
        objects = [each for each in documents if each["kind"] != "Job"]
        self.machine = Machine.start([kube(each) for each in objects], settings=self.settings)
        self.limits = [each for each in objects if each["kind"] == "LimitRange"]
        self.now = 0
        self.events = []
        for job in documents:
            if job["kind"] == "Job" and (not only or job["metadata"]["name"] in only):
                self.submit(job)

    def submit(self, job):
        meta, labels = job["metadata"], job["metadata"]["labels"]
        work = Work(
            f"{meta['namespace']}/{meta['name']}",
            labels[_LABEL + "queue-name"],
            asks_of(podsets(job).found, self.settings, self.limits),
            priority_class=labels.get(_LABEL + "priority-class", ""),
        )
        self.now += 10_000
        self.machine.submit(work, self.now)
        self.settle()

    def settle(self):
        self.events += self.machine.settle()
        self.now = max(self.now, self.machine.world.now)
        self.view = self.machine.view()

    @property
    def states(self):
        return {key.partition("/")[2]: state for key, state in self.view.states.items()}

    def message(self, name):
        return next((text for key, text in self.view.message.items() if key.endswith(f"/{name}")), "")

    def flavors(self, name):
        return next(each for key, each in self.view.flavors.items() if key.endswith(f"/{name}"))

    @property
    def evicted(self):
        return [(e.workload, e.reason, e.preemptor) for e in self.events if e.kind is Happened.EVICTED]


def kube(document):
    meta = document["metadata"]
    return KubeObject(
        document["apiVersion"],
        document["kind"],
        meta["name"],
        meta.get("namespace", ""),
        document,
        Typed("case"),
    )
