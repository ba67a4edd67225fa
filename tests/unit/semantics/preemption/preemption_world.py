"""Small clusters for tests of preemption: queues and cohorts by numbers, work that runs, work that asks."""

from __future__ import annotations

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.gates import gates
from kohort.semantics.preemption.oracle import simulate
from kohort.semantics.preemption.targets import any_of, targets
from kohort.semantics.settings import FINAL_SHARE, INITIAL_SHARE, Settings
from kohort.semantics.state import State
from kohort.semantics.work import Eviction, PodSetAsk, Work

GPU = ("h100", "nvidia.com/gpu")
CPU = ("h100", "cpu")
BOTH = (FINAL_SHARE, INITIAL_SHARE)
LOWER, NEWER, ANY = "LowerPriority", "LowerOrNewerEqualPriority", "Any"


def queue(name, cohort="", gpu=None, *, within="", reclaim="", borrow=None, weight=None, **more):
    """`gpu` is nominal or (nominal, borrowing limit, lending limit); `cpu` likewise, in milli-cores; `borrow` a threshold or True."""
    spec = _groups(gpu, more.get("cpu")) | ({"cohortName": cohort} if cohort else {})
    preemption = {"withinClusterQueue": within, "reclaimWithinCohort": reclaim}
    spec["preemption"] = {key: value for key, value in preemption.items() if value}
    if borrow is not None:
        threshold = {} if borrow is True else {"maxPriorityThreshold": borrow}
        spec["preemption"]["borrowWithinCohort"] = {"policy": "LowerPriority"} | threshold
    if weight is not None:
        spec["fairSharing"] = {"weight": weight}
    return read_cluster_queue(_object("ClusterQueue", name, spec))


def cohort(name, parent="", gpu=None, *, weight=None):
    spec = _groups(gpu, None) | ({"parentName": parent} if parent else {})
    return read_cohort(
        _object("Cohort", name, spec | ({} if weight is None else {"fairSharing": {"weight": weight}}))
    )


def _groups(gpu, cpu):
    resources = [
        _quota(pair[1], quota if isinstance(quota, tuple) else (quota,))
        for pair, quota in ((GPU, gpu), (CPU, cpu))
        if quota is not None
    ]
    if not resources:
        return {}
    covered = [each["name"] for each in resources]
    return {
        "resourceGroups": [
            {"coveredResources": covered, "flavors": [{"name": "h100", "resources": resources}]}
        ]
    }


def _quota(name, numbers):
    keys = ("nominalQuota", "borrowingLimit", "lendingLimit")
    unit = "m" if name == "cpu" else ""
    return {"name": name} | {
        key: f"{number}{unit}" for key, number in zip(keys, numbers, strict=False) if number is not None
    }


def plain_cohort(values):
    """A Cohort of a random scenario."""
    spec = {"parentName": values["parent"]} if values["parent"] else {}
    return read_cohort(_object("Cohort", values["name"], spec | _plain(values)))


def plain_queue(values):
    """A ClusterQueue of a random scenario."""
    preemption = {"withinClusterQueue": values["within"], "reclaimWithinCohort": values["reclaim"]}
    if values["borrowOn"]:
        threshold = {} if values["borrow"] is None else {"maxPriorityThreshold": values["borrow"]}
        preemption["borrowWithinCohort"] = {"policy": "LowerPriority"} | threshold
    spec = {"cohortName": values["parent"]} if values["parent"] else {}
    spec["preemption"] = preemption
    return read_cluster_queue(_object("ClusterQueue", values["name"], spec | _plain(values)))


def _plain(values):
    flavors = {}
    for quota in values["quotas"]:
        numbers = (quota["nominal"], quota["borrow"], quota["lend"])
        flavors.setdefault(quota["flavor"], []).append(_quota(quota["resource"], numbers))
    spec = {"fairSharing": {"weight": values["weight"]}} if values["weight"] is not None else {}
    if flavors:
        covered = list(dict.fromkeys(quota["resource"] for quota in values["quotas"]))
        listed = [{"name": name, "resources": resources} for name, resources in flavors.items()]
        spec["resourceGroups"] = [{"coveredResources": covered, "flavors": listed}]
    return spec


def _object(kind, name, spec):
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("t.yaml"))


def assignment(usage, needed=None):
    """Everything in `usage` is assigned; what is in `needed` (all by default) does not fit without preemption."""
    needed = usage if needed is None else needed
    flavors = {
        pair[1]: FlavorChoice(pair[0], Mode.PREEMPT if pair in needed else Mode.FIT, 0, -1) for pair in usage
    }
    requests = {pair[1]: units for pair, units in usage.items()}
    return Assignment(Mode.PREEMPT, 0, (PodSetChoice("main", 1, flavors, requests),), dict(usage))


class World:
    """A state with work in it. Times are in seconds; every `run` reserves one second after the one before."""

    def __init__(self, *members, strategies=(), switches=None):
        switched = gates("0.19.1", switches or {})
        self.state = State(Settings(strategies=strategies, gates=switched))
        self.state.specs = {m.name: m for m in members if m.obj.kind == "ClusterQueue"}
        self.state.cohorts = {m.name: m for m in members if m.obj.kind == "Cohort"}
        self.state.rebuild()
        self.works = {}

    def run(
        self, name, queue, gpu=0, *, priority=0, created=0, reserved=None, evicting="", local="", **usage
    ):
        """Work that uses quota of a queue."""
        asked = {pair: units for pair, units in ((GPU, gpu), (CPU, usage.get("cpu", 0))) if units}
        work = self.ask(name, priority=priority, created=created, local=local)
        work.uid = usage.get("uid", "")
        self.state.now = 1000 * (len(self.works) if reserved is None else reserved)
        self.state.reserve(work, self.state.queues[queue], assignment(asked))
        if evicting:
            work.eviction = Eviction(evicting, self.state.now)
        self.works[name] = work
        return work

    def reserve(self, values):
        """Work of a random scenario."""
        work = self.ask(values["name"], priority=values["priority"], created=values["created"])
        work.uid = values["name"]
        self.state.now = 1000 * values["reserved"]
        usage = {(each["flavor"], each["resource"]): each["units"] for each in values["usage"]}
        self.state.reserve(work, self.state.queues[values["queue"]], assignment(usage))
        if values["evicting"]:
            work.eviction = Eviction(values["evicting"], 1000 * values["evicted"])
        self.works[values["name"]] = work

    @staticmethod
    def ask(name="new", *, priority=0, created=0, local=""):
        pods = (PodSetAsk("main", 1, {}),)
        return Work(
            f"blue/{name}", local or "default", pods, priority, created * 1000, order_time=created * 1000
        )

    def targets(self, queue, gpu=0, *, priority=0, created=0, cpu=0, needed=None, placed=None):
        """What the search answers, as `name: reason`, in its own order."""
        usage = {pair: units for pair, units in ((GPU, gpu), (CPU, cpu)) if units}
        work = self.ask(priority=priority, created=created)
        found = targets(
            work,
            self.state.queues[queue],
            assignment(usage, needed),
            self.state,
            placed=placed,
        )
        return [f"{target.work.name}: {target.reason}" for target in found]

    def victims(self, *args, **kwargs):
        return [told.partition(":")[0] for told in self.targets(*args, **kwargs)]

    def any_of(self, queue, gpu, *, priority=0):
        found = any_of(
            self.ask(priority=priority), self.state.queues[queue], assignment({GPU: gpu}), self.state
        )
        return [sorted(target.work.name for target in answer) for answer in found]

    def oracle(self, queue, gpu, *, priority=0, created=0):
        return simulate(
            self.ask(priority=priority, created=created), self.state.queues[queue], GPU, gpu, self.state
        )

    def used(self):
        """Usage of every cell, by node and pair."""
        return {
            (node.name, node.is_queue, pair): cell.used
            for node in self.state.ledger.tree.nodes()
            for pair, cell in self.state.ledger.cells(node).items()
        }
