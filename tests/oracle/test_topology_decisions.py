"""Placement by topology against Kueue's own packages, on random nodes: domains, modes, and victims where pods are in the way.

`KOHORT_TOPOLOGY=A..B` tries other seeds than those that always run.
"""

from __future__ import annotations

import json
import os
import random

import pytest
from decision_model import _moment, _object
from decision_scenarios import stamp, thing
from test_decisions import kueue  # noqa: F401 - the fixture

from kohort.objects.kueue import read_cluster_queue, read_flavor
from kohort.objects.quantity import Quantity
from kohort.semantics.amount import kueue_request
from kohort.semantics.asks import work_of
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice
from kohort.semantics.cycle.nominate import best
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.topology import Forest, Host

pytestmark = pytest.mark.go

GPU = "nvidia.com/gpu"
HOST = "kubernetes.io/hostname"
SHAPES = (("block", "rack", HOST), ("rack", HOST), ("block", "rack"), (HOST,))
_MODES = {Mode.NO_FIT: "NoFit", Mode.FIT: "Fit"}


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def make(self):
        rng = self.rng
        levels = rng.choice(SHAPES)
        nodes = [self.node(f"n{i}", levels) for i in range(rng.randrange(1, 10))]
        admitted = [self.admitted(f"w{i}", levels, nodes) for i in range(rng.choice([0, 1, 2, 3, 5]))]
        podset = {"name": "main", "count": rng.randrange(1, 9), "template": pod(rng.choice([1, 1, 2, 3]))}
        topology = self.topology(levels, podset)
        if topology:
            podset["topologyRequest"] = topology
        if rng.random() < 0.1:
            podset["template"]["spec"]["nodeSelector"] = {"zone": rng.choice("ab")}
        spec = {"priority": rng.choice([0, 1, 2]), "queueName": "main", "podSets": [podset]}
        pending = thing("Workload", "new", spec, namespace="blue", uid="new", creationTimestamp=stamp(50))
        return {
            "flavors": [thing("ResourceFlavor", "f", {"nodeLabels": {"pool": "f"}, "topologyName": "t"})],
            "topologies": [thing("Topology", "t", {"levels": [{"nodeLabel": each} for each in levels]})],
            "nodes": nodes,
            "cohorts": [],
            "queues": [self.queue()],
            "admitted": admitted,
            "pending": pending,
            "queue": "q",
            "strategies": [],
            "tried": [],
        }

    def node(self, name, levels):
        rng = self.rng
        labels = {"pool": "f", HOST: name, "zone": rng.choice("ab")}
        if "block" in levels:
            labels["block"] = f"b{rng.randrange(2)}"
        if "rack" in levels:
            labels["rack"] = f"{labels.get('block', '')}r{rng.randrange(3)}"
        free = {
            GPU: str(rng.choice([1, 2, 4, 4, 8])),
            "cpu": "64",
            "memory": "64Gi",
            "pods": str(rng.choice([2, 5, 110])),
        }
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": {}}
        node["status"] = {
            "allocatable": free,
            "capacity": free,
            "conditions": [{"type": "Ready", "status": "True"}],
        }
        return node

    def topology(self, levels, podset):
        rng = self.rng
        kind = rng.choice(["required", "preferred", "unconstrained", "none", "slices", "slices in"])
        if kind in {"required", "preferred"}:
            return {kind: rng.choice(levels)}
        if kind == "unconstrained":
            return {"unconstrained": True}
        if kind == "none":
            return {}
        size = rng.choice([2, 3])
        podset["count"] = size * rng.randrange(1, 4)
        at = rng.randrange(len(levels))
        made = {"podSetSliceRequiredTopology": levels[at], "podSetSliceSize": size}
        if kind == "slices in":
            made[rng.choice(["required", "preferred"])] = levels[rng.randrange(at + 1)]
        return made

    def queue(self):
        quota = {"name": GPU, "nominalQuota": str(self.rng.choice([4, 12, 60]))}
        group = {"coveredResources": [GPU], "flavors": [{"name": "f", "resources": [quota]}]}
        policy = {"withinClusterQueue": self.rng.choice(["Never", "LowerPriority", "LowerPriority"])}
        return thing(
            "ClusterQueue", "q", {"namespaceSelector": {}, "resourceGroups": [group], "preemption": policy}
        )

    def admitted(self, name, levels, nodes):
        rng = self.rng
        chosen = rng.sample(nodes, rng.randrange(1, min(3, len(nodes)) + 1))
        gpus = rng.choice([1, 1, 2])
        named = levels[-1:] if levels[-1] == HOST else levels
        paths = {
            tuple(node["metadata"]["labels"][level] for level in named): rng.randrange(1, 3)
            for node in chosen
        }
        count = sum(paths.values())
        spec = {
            "priority": rng.choice([0, 1]),
            "podSets": [{"name": "main", "count": count, "template": pod(gpus)}],
        }
        work = thing(
            "Workload", name, spec, namespace="blue", uid=name, creationTimestamp=stamp(rng.randrange(20))
        )
        slices = {
            "domainCount": len(paths),
            "valuesPerLevel": [
                {"individual": {"roots": [path[i] for path in paths]}} for i in range(len(named))
            ],
            "podCounts": {"individual": list(paths.values())},
        }
        given = {
            "name": "main",
            "count": count,
            "flavors": {GPU: "f"},
            "resourceUsage": {GPU: str(gpus * count)},
            "topologyAssignment": {"levels": list(named), "slices": [slices]},
        }
        at = stamp(20 + rng.randrange(20))
        reserved = {
            "type": "QuotaReserved",
            "status": "True",
            "reason": "x",
            "message": "",
            "lastTransitionTime": at,
        }
        work["status"] = {
            "admission": {"clusterQueue": "q", "podSetAssignments": [given]},
            "conditions": [reserved],
        }
        work["placed"] = [[list(path), pods] for path, pods in paths.items()]
        return work


def pod(gpus):
    requests = {GPU: str(gpus), "cpu": "1"}
    return {"spec": {"containers": [{"name": "main", "resources": {"requests": {GPU: requests[GPU]}}}]}}


def decide(scenario):
    state = State(Settings())
    state.flavors["f"] = read_flavor(_object(scenario["flavors"][0]))
    levels = tuple(each["nodeLabel"] for each in scenario["topologies"][0]["spec"]["levels"])
    state.topologies["t"] = levels
    state.specs["q"] = read_cluster_queue(_object(scenario["queues"][0]))
    state.rebuild()
    hosts = [
        Host(
            node["metadata"]["name"],
            node["metadata"]["labels"],
            {r: kueue_request(Quantity.parse(q), r) for r, q in node["status"]["allocatable"].items()},
        )
        for node in scenario["nodes"]
    ]
    state.forests = {"f": Forest("t", levels, state.flavors["f"], hosts)}
    for obj in scenario["admitted"]:
        work = work_of(obj, state.settings)
        work.created = work.order_time = _moment(obj["metadata"]["creationTimestamp"])
        (given,) = obj["status"]["admission"]["podSetAssignments"]
        state.now = _moment(obj["status"]["conditions"][0]["lastTransitionTime"])
        units = int(given["resourceUsage"][GPU])
        domains = tuple((tuple(path), pods) for path, pods in obj["placed"])
        choice = PodSetChoice(
            "main", given["count"], {GPU: FlavorChoice("f", Mode.FIT, 0, -1)}, {GPU: units}, domains=domains
        )
        state.reserve(work, state.queues["q"], Assignment(Mode.FIT, 0, (choice,), {("f", GPU): units}))
    work = work_of(scenario["pending"], state.settings)
    work.created = work.order_time = _moment(stamp(50))
    before = {leaf: dict(leaf.taken) for leaf in state.forests["f"].leaves.values()}
    found, victims = best(work, state.queues["q"], state, explain=False)
    after = {leaf: dict(leaf.taken) for leaf in state.forests["f"].leaves.values()}
    assert before == {
        leaf: {r: u for r, u in taken.items() if r in before[leaf] or u} for leaf, taken in after.items()
    }
    return {
        "mode": _MODES.get(found.mode, "Preempt"),
        "placed": {
            each.name: [{"values": list(values), "count": pods} for values, pods in each.domains]
            for each in found.podsets
            if each.domains and found.mode is Mode.FIT
        },
        "victims": sorted(each.work.name for each in victims),
    }


def seeds():
    first, _, last = os.environ.get("KOHORT_TOPOLOGY", "0..600").partition("..")
    return range(int(first), int(last))


@pytest.mark.timeout(0 if os.environ.get("KOHORT_TOPOLOGY") else 300)
def test_placements_are_those_of_kueue(kueue):  # noqa: F811 - the fixture
    wrong, modes, spread = {}, set(), 0
    for seed in seeds():
        scenario = Maker(seed).make()
        ours = decide(scenario)
        asked = {
            **scenario,
            "admitted": [{k: v for k, v in each.items() if k != "placed"} for each in scenario["admitted"]],
        }
        said = kueue(asked)
        placed = said["placed"] if said["mode"] == "Fit" else {}
        theirs = {
            "mode": said["mode"],
            "placed": placed,
            "victims": sorted(v["name"] for v in said["victims"] or ()),
        }
        modes.add((ours["mode"], bool(ours["victims"])))
        spread += sum(len(domains) > 1 for domains in ours["placed"].values())
        if theirs != ours:
            wrong[seed] = {"theirs": theirs, "ours": ours, "asks": asked["pending"]["spec"]["podSets"]}
    assert not wrong, (
        f"{len(wrong)} of {len(seeds())}: {json.dumps(dict(list(wrong.items())[:6]), indent=1)[:4000]}"
    )
    assert modes >= {("Fit", False), ("NoFit", False), ("Preempt", True), ("Preempt", False)}
    assert spread >= 20
