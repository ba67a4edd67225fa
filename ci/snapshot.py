"""Write a generated snapshot of a busy cluster, as `kubectl get … -A -o json` prints it, for benchmarks.

`snapshot.py FILE [--queues 1000] [--workloads 20000] [--trees 10] [--yaml]`; the same arguments give the same bytes. The
cluster is full: of three queues one lends, one uses its own, one borrows; what waits fits nowhere, and may preempt nobody.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Object = dict[str, Any]
PER_DEPARTMENT = 50
FLAVORS = {"a100": 8, "h100": 4}  # nominal GPUs of every queue
CPU, MEMORY_GI = 11, 96  # that come with one GPU; the quota holds more, so that GPUs are what is scarce
DAY = "2026-11-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}Z"


def stamp(number: int) -> str:
    """A time that grows with the number, one every ten seconds from the 1st."""
    seconds = number * 10
    return DAY.format(
        day=1 + seconds // 86400 % 28,
        hour=seconds // 3600 % 24,
        minute=seconds // 60 % 60,
        second=seconds % 60,
    )


def thing(
    kind: str, name: str, spec: Object, namespace: str = "", group: str = "kueue.x-k8s.io/v1beta2"
) -> Object:
    """One object with the metadata that a server adds."""
    metadata: Object = {"creationTimestamp": "2026-10-01T08:00:00Z", "generation": 1, "name": name}
    if namespace:
        metadata["namespace"] = namespace
    metadata |= {"resourceVersion": "1000", "uid": f"{kind.lower()}-{namespace}-{name}"}
    return {"apiVersion": group, "kind": kind, "metadata": metadata, "spec": spec}


def amounts(gpus: int, spare: int = 1) -> dict[str, str]:
    """What so many GPUs come with, cpu and memory `spare` times."""
    return {
        "cpu": str(CPU * gpus * spare),
        "memory": f"{MEMORY_GI * gpus * spare}Gi",
        "nvidia.com/gpu": str(gpus),
    }


def queue(name: str, department: str) -> Object:
    """A ClusterQueue with two flavors."""
    flavors = [
        {
            "name": flavor,
            "resources": [{"name": r, "nominalQuota": q} for r, q in amounts(gpus, spare=2).items()],
        }
        for flavor, gpus in FLAVORS.items()
    ]
    spec = {
        "cohortName": department,
        "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
        "namespaceSelector": {},
        "preemption": {
            "borrowWithinCohort": {"policy": "Never"},
            "reclaimWithinCohort": "Any",
            "withinClusterQueue": "LowerPriority",
        },
        "queueingStrategy": "BestEffortFIFO",
        "resourceGroups": [{"coveredResources": ["cpu", "memory", "nvidia.com/gpu"], "flavors": flavors}],
        "stopPolicy": "None",
    }
    active = condition("Active", "True", "Ready", "Can admit new workloads", 0)
    return thing("ClusterQueue", name, spec) | {"status": {"conditions": [active]}}


def condition(kind: str, status: str, reason: str, message: str, at: int) -> Object:
    """One condition."""
    return {
        "lastTransitionTime": stamp(at),
        "message": message,
        "observedGeneration": 1,
        "reason": reason,
        "status": status,
        "type": kind,
    }


def workload(number: int, team: str, gpus: int, priority: int, flavor: str = "") -> Object:
    """A Workload as the job controller makes it of a batch Job; it runs where it has a flavor, else it waits."""
    container = {
        "command": ["python", "-m", "train", "--config", f"/configs/run-{number:05d}.yaml"],
        "env": [
            {"name": "RUN", "value": f"run-{number:05d}"},
            {"name": "NCCL_DEBUG", "value": "WARN"},
            {
                "name": "POD_NAME",
                "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}},
            },
        ],
        "image": f"registry.example.com/{team}/train:1.4.{number % 10}",
        "imagePullPolicy": "IfNotPresent",
        "name": "main",
        "resources": {"limits": amounts(gpus), "requests": amounts(gpus)},
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "volumeMounts": [
            {"mountPath": "/data", "name": "data"},
            {"mountPath": "/configs", "name": "configs"},
        ],
    }
    pod = {
        "containers": [container],
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Never",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
        "volumes": [
            {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
            {"configMap": {"defaultMode": 420, "name": "configs"}, "name": "configs"},
        ],
    }
    name = f"job-run-{number:05d}"
    spec = {
        "active": True,
        "podSets": [{"count": 1, "name": "main", "template": {"metadata": {}, "spec": pod}}],
        "priority": priority,
        "priorityClassRef": {
            "group": "kueue.x-k8s.io",
            "kind": "WorkloadPriorityClass",
            "name": f"p{priority}",
        },
        "queueName": "main",
    }
    made = thing("Workload", name, spec, team)
    made["metadata"] |= {
        "creationTimestamp": stamp(number),
        "finalizers": ["kueue.x-k8s.io/resource-in-use"],
        "labels": {"kueue.x-k8s.io/job-uid": f"uid-{number:05d}"},
        "ownerReferences": [
            {
                "apiVersion": "batch/v1",
                "blockOwnerDeletion": True,
                "controller": True,
                "kind": "Job",
                "name": f"run-{number:05d}",
                "uid": f"uid-{number:05d}",
            }
        ],
    }
    made["status"] = admitted(number, team, gpus, flavor) if flavor else waiting(number, gpus)
    return made


def admitted(number: int, team: str, gpus: int, flavor: str) -> Object:
    """The status of work that runs."""
    chosen = dict.fromkeys(amounts(gpus), flavor)
    assignment = {"count": 1, "flavors": chosen, "name": "main", "resourceUsage": amounts(gpus)}
    return {
        "admission": {"clusterQueue": team, "podSetAssignments": [assignment]},
        "conditions": [
            condition(
                "QuotaReserved", "True", "QuotaReserved", f"Quota reserved in ClusterQueue {team}", number + 1
            ),
            condition("Admitted", "True", "Admitted", "The workload is admitted", number + 1),
        ],
    }


def waiting(number: int, gpus: int) -> Object:
    """The status of work that waits, in Kueue's words."""
    said = ", ".join(
        f"insufficient unused quota for nvidia.com/gpu in flavor {flavor}, {gpus} more needed"
        for flavor in FLAVORS
    )
    message = f"couldn't assign flavors to pod set main: {said}"
    return {"conditions": [condition("QuotaReserved", "False", "Pending", message, number + 1)]}


def objects(queues: int, workloads: int, trees: int) -> Iterator[Object]:
    """Everything, in the order in which kubectl lists kinds that are asked for together."""
    departments = -(-queues // PER_DEPARTMENT)
    teams = [f"team-{i:04d}" for i in range(queues)]
    for i in range(trees):
        yield thing("Cohort", f"division-{i:02d}", {})
    for i in range(departments):
        yield thing("Cohort", f"department-{i:02d}", {"parentName": f"division-{i % trees:02d}"})
    for flavor in FLAVORS:
        yield thing("ResourceFlavor", flavor, {"nodeLabels": {"example.com/pool": flavor}})
    for value in (1, 5, 10):
        made = thing("WorkloadPriorityClass", f"p{value}", {})
        del made["spec"]
        yield made | {"value": value}
    for i, team in enumerate(teams):
        yield thing("Namespace", team, {"finalizers": ["kubernetes"]}, group="v1")
        yield queue(team, f"department-{i // PER_DEPARTMENT:02d}")
        yield thing("LocalQueue", "main", {"clusterQueue": team, "stopPolicy": "None"}, team)
    number = 0
    for i, team in enumerate(teams):
        used = {"a100": FLAVORS["a100"] + lends(i) * 4, "h100": FLAVORS["h100"]}
        for flavor, gpus in used.items():
            for _ in range(gpus):
                yield workload(number, team, 1, 5, flavor)
                number += 1
    busy = [team for i, team in enumerate(teams) if lends(i) >= 0]
    for rest in range(max(0, workloads - number)):
        yield workload(number + rest, busy[rest % len(busy)], 1 + rest % 8, (1, 5)[rest % 2])


def lends(number: int) -> int:
    """-1 for a queue that lends, 1 for one that borrows, 0 for one that uses its own; even within each department."""
    place = number % PER_DEPARTMENT
    return place % 3 - 1 if place < PER_DEPARTMENT - PER_DEPARTMENT % 3 else 0


def write(file: Path, queues: int, workloads: int, *, trees: int = 10, yaml: bool = False) -> int:
    """Write one List, in JSON or in YAML; returns how many objects it holds."""
    items = list(objects(queues, workloads, trees))
    whole = {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}
    if yaml:
        import yaml as writer

        file.write_text(writer.dump(whole, Dumper=writer.CSafeDumper, default_flow_style=False), "utf-8")
    else:
        file.write_text(json.dumps(whole, indent=4) + "\n", "utf-8")
    return len(items)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--queues", type=int, default=1000)
    parser.add_argument("--workloads", type=int, default=20_000)
    parser.add_argument("--trees", type=int, default=10)
    parser.add_argument("--yaml", action="store_true")
    chosen = parser.parse_args()
    print(
        f"{write(chosen.file, chosen.queues, chosen.workloads, yaml=chosen.yaml):,} objects in {chosen.file}"
    )


if __name__ == "__main__":
    main()
