"""Random clusters with one workload that waits, as plain Kubernetes objects: small numbers, so that limits are met often."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

VERSION = "kueue.x-k8s.io/v1beta2"
SHARED = ("cpu", "memory")
GPU = "nvidia.com/gpu"
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
_UNLIMITED = str(2**63 - 1)


def stamp(seconds):
    return (_EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def thing(kind, name, spec, **metadata):
    return {"apiVersion": VERSION, "kind": kind, "metadata": {"name": name} | metadata, "spec": spec}


def scenario(seed):
    """What `decisions/main.go` reads: the objects, the pending workload and its queue."""
    return _Maker(random.Random(seed)).make()


class _Maker:
    def __init__(self, rng):
        self.rng = rng
        self.shared = [f"f{n}" for n in range(rng.choice([1, 2, 3]))]
        self.gpus = [f"g{n}" for n in range(rng.choice([1, 2]))] if rng.random() < 0.4 else []

    def chance(self, part):
        return self.rng.random() < part

    def make(self):
        rng = self.rng
        cohorts = self.cohorts() if self.chance(0.9) else []
        names = [each["metadata"]["name"] for each in cohorts]
        queues = [self.queue(f"q{n}", names) for n in range(rng.choice([1, 2, 3, 4]))]
        target = rng.choice(queues)
        podsets = [self.podset(f"p{n}") for n in range(rng.choice([1, 1, 1, 2, 3]))]
        if len(podsets) > 1 and self.chance(0.25):
            at = rng.randrange(len(podsets) - 1)
            for each in podsets[at : at + rng.choice([2, 3])]:
                each["topologyRequest"] = {"podSetGroupName": "together"}
        pending = thing(
            "Workload",
            "new",
            {"priority": rng.choice([0, 1, 2]), "queueName": "main", "podSets": podsets},
            namespace="blue",
            uid="new",
            creationTimestamp=stamp(rng.randrange(20)),
        )
        return {
            "flavors": [self.flavor(name) for name in (*self.shared, *self.gpus)],
            "cohorts": cohorts,
            "queues": queues,
            "admitted": [self.admitted(f"w{n}", queues) for n in range(rng.choice([0, 1, 2, 4, 6, 8]))],
            "pending": pending,
            "queue": target["metadata"]["name"],
            "strategies": self.strategies(),
            "tried": self.tried(target, podsets),
        }

    def flavor(self, name):
        spec = {}
        if self.chance(0.2):
            spec["nodeLabels"] = {"type": self.rng.choice("ab")}
        if self.chance(0.1):
            effect = self.rng.choice(["NoSchedule", "NoExecute", "PreferNoSchedule"])
            spec["nodeTaints"] = [{"key": "spot", "value": "true", "effect": effect}]
        if self.chance(0.05):
            spec["tolerations"] = [{"operator": "Exists"}]
        return thing("ResourceFlavor", name, spec)

    def cohorts(self):
        names, made = [], []
        for n in range(self.rng.choice([1, 1, 1, 2, 3, 4])):
            spec = {"parentName": self.rng.choice(names)} if names else {}
            groups = self.groups(limits=bool(names), sparse=0.6)
            if groups:
                spec["resourceGroups"] = groups
            made.append(thing("Cohort", f"c{n}", spec | self.weight()))
            names.append(f"c{n}")
        return made

    def weight(self):
        return (
            {"fairSharing": {"weight": self.rng.choice(["0", "500m", "1", "2", "3"])}}
            if self.chance(0.3)
            else {}
        )

    def groups(self, *, limits, sparse=0.0):
        groups = []
        for covered, flavors in ((SHARED, self.shared), ((GPU,), self.gpus)):
            if not flavors or self.chance(sparse):
                continue
            names = self.rng.sample(flavors, len(flavors)) if self.chance(0.3) else list(flavors)
            if len(names) > 1 and self.chance(0.2):
                names.pop()
            groups.append(
                {
                    "coveredResources": list(covered),
                    "flavors": [
                        {
                            "name": name,
                            "resources": [self.quota(resource, limits=limits) for resource in covered],
                        }
                        for name in names
                    ],
                }
            )
        return groups

    def quota(self, resource, *, limits):
        nominal = _UNLIMITED if self.chance(0.03) else str(self.rng.choice([0, 1, 2, 3, 4, 5, 6, 8]))
        quota = {"name": resource, "nominalQuota": nominal}
        if limits and self.chance(0.25):
            quota["borrowingLimit"] = str(self.rng.choice([0, 1, 2, 4, 8]))
        if limits and self.chance(0.25):
            quota["lendingLimit"] = str(self.rng.choice([0, 1, 2, 4]))
        return quota

    def queue(self, name, cohorts):
        rng = self.rng
        home = rng.choice(cohorts) if cohorts and self.chance(0.95) else ""
        spec = {"namespaceSelector": {}, "resourceGroups": self.groups(limits=bool(home))}
        if home:
            spec["cohortName"] = home
        preemption = {
            "withinClusterQueue": rng.choice(["Never", "LowerPriority", "LowerOrNewerEqualPriority"]),
            "reclaimWithinCohort": rng.choice(["Never", "LowerPriority", "Any", "Any"]),
        }
        if preemption["reclaimWithinCohort"] != "Never" and self.chance(0.4):
            preemption["borrowWithinCohort"] = {"policy": rng.choice(["Never", "LowerPriority"])}
            if self.chance(0.5):
                preemption["borrowWithinCohort"]["maxPriorityThreshold"] = rng.choice([0, 1, 2])
        fungibility = {}
        for word in ("whenCanBorrow", "whenCanPreempt"):
            if self.chance(0.6):
                fungibility[word] = rng.choice(["MayStopSearch", "TryNextFlavor"])
        if self.chance(0.6):
            fungibility["preference"] = rng.choice(["BorrowingOverPreemption", "PreemptionOverBorrowing"])
        spec |= {"preemption": preemption} | self.weight()
        return thing("ClusterQueue", name, spec | ({"flavorFungibility": fungibility} if fungibility else {}))

    def podset(self, name):
        rng = self.rng
        requests = {}
        if self.chance(0.9):
            requests["cpu"] = rng.choice(["1", "2", "3", "500m", "0"])
        if self.chance(0.5) or not requests:
            requests["memory"] = str(rng.choice([1, 2, 3]))
        if self.chance(0.5 if self.gpus else 0.03):
            requests[GPU] = str(rng.choice([1, 2]))
        if self.chance(0.02):
            requests["example.com/nic"] = rng.choice(["0", "1"])
        spec = {"containers": [{"name": "c", "resources": {"requests": requests}}]}
        if self.chance(0.2):
            spec["nodeSelector"] = {rng.choice(["type", "zone"]): rng.choice("ab")}
        if self.chance(0.15):
            terms = [
                {"matchExpressions": [self.expression() for _ in range(rng.choice([1, 2]))]}
                for _ in range(rng.choice([1, 2]))
            ]
            required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
            spec["affinity"] = {"nodeAffinity": required}
        if self.chance(0.2):
            spec["tolerations"] = [{"key": "spot", "operator": "Exists"}]
        podset = {"name": name, "count": rng.choice([1, 1, 2, 3, 4]), "template": {"spec": spec}}
        if self.chance(0.2):
            podset["minCount"] = max(1, podset["count"] - rng.choice([1, 2, 3]))
        return podset

    def expression(self):
        key, operator = self.rng.choice(["type", "zone"]), self.rng.choice(["In", "NotIn"])
        return {"key": key, "operator": operator, "values": [self.rng.choice("ab")]}

    def admitted(self, name, queues):
        """Work that uses quota, more than there is too, and of flavors that its queue does not have."""
        rng = self.rng
        queue = rng.choice(queues)
        flavors = {}
        for group in queue["spec"]["resourceGroups"]:
            if flavors and self.chance(0.5):
                continue
            flavor = rng.choice(group["flavors"])["name"] if self.chance(0.93) else rng.choice(self.shared)
            for resource in group["coveredResources"]:
                if resource != "memory" or self.chance(0.5):
                    flavors[resource] = flavor
        usage = {resource: str(rng.choice([1, 1, 2, 2, 3, 4, 5])) for resource in flavors}
        reserved = {
            "type": "QuotaReserved",
            "status": "True",
            "lastTransitionTime": stamp(20 + rng.randrange(5)),
        }
        evicted = {
            "type": "Evicted",
            "status": "True",
            "reason": "Preempted",
            "lastTransitionTime": stamp(30),
        }
        template = {"spec": {"containers": [{"name": "c", "resources": {"requests": usage}}]}}
        made = thing(
            "Workload",
            name,
            {
                "priority": rng.choice([0, 1, 2]),
                "queueName": "main",
                "podSets": [{"name": "main", "count": 1, "template": template}],
            },
            namespace="blue",
            uid=f"{rng.randrange(10**6):06}",
            creationTimestamp=stamp(rng.randrange(20)),
        )
        assigned = {"name": "main", "count": 1, "flavors": flavors, "resourceUsage": usage}
        made["status"] = {
            "conditions": [reserved, *([evicted] if self.chance(0.1) else [])],
            "admission": {"clusterQueue": queue["metadata"]["name"], "podSetAssignments": [assigned]},
        }
        return made

    def strategies(self):
        final, initial = "LessThanOrEqualToFinalShare", "LessThanInitialShare"
        return self.rng.choice([[], [], [], [final, initial], [final], [initial]])

    def tried(self, queue, podsets):
        """Where an earlier attempt stopped: for each pod set and resource a flavor before the last, or −1."""
        if self.chance(0.8):
            return []
        last = {
            resource: len(group["flavors"]) - 1
            for group in queue["spec"]["resourceGroups"]
            for resource in group["coveredResources"]
        }
        return [
            {resource: self.rng.randrange(-1, last.get(resource, 0)) for resource in (*SHARED, GPU)}
            for _ in podsets
        ]
