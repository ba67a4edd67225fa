"""Kueue's performance suite: the file of its load generator (`test/performance/scheduler/configs/*/generator.yaml`).

Source: Kueue 0.19's generator: cohorts of queues with one flavor and quota of cpu, sets of workloads that come at a fixed
interval per queue, each of one pod. The file brings its queues along, so it can be played without a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.objects.kube import KubeObject, Typed, mappings
from kohort.simulator.importers.imported import Imported, Part, Recorded, TraceError
from kohort.source.reader import read_file

_API = "kueue.x-k8s.io/v1beta2"
_MOST = 2_000_000  # workloads; more is a slip of the pen


def read(data: bytes) -> Imported:
    """All workloads; `queue` is namespace/LocalQueue of `objects`."""
    found = Imported()
    for _, queue, spec in _queues(data):
        for _, group in mappings(spec.get("workloadsSets")):
            count, pause = _number(group, "count"), _number(group, "creationIntervalMs")
            for _, shape in mappings(group.get("workloads")):
                name = str(shape.get("className") or "work")
                if len(found.jobs) + count > _MOST:
                    raise TraceError(f"more than {_MOST:,} workloads")
                part = Part(1, 0, {"cpu": _number(shape, "request") * 1000})
                length, priority = max(1, _number(shape, "runtimeMs")), _number(shape, "priority")
                found.jobs += (
                    Recorded(
                        f"{name}-{queue}-{n}",
                        n * pause,
                        length,
                        (part,),
                        f"{queue}/lq",
                        name,
                        priority,
                        "as requested",
                    )
                    for n in range(count)
                )
    return found


def objects(data: bytes) -> list[KubeObject]:
    """The queues, flavors and namespaces that the file describes."""
    made = [_object("ResourceFlavor", "default", {})]
    for cohort, queue, spec in _queues(data):
        quota: dict[str, Any] = {"name": "cpu", "nominalQuota": str(_number(spec, "nominalQuota"))}
        if spec.get("borrowingLimit") is not None:
            quota["borrowingLimit"] = str(_number(spec, "borrowingLimit"))
        group = {"coveredResources": ["cpu"], "flavors": [{"name": "default", "resources": [quota]}]}
        preemption = {
            "reclaimWithinCohort": str(spec.get("reclaimWithinCohort") or "Never"),
            "withinClusterQueue": str(spec.get("withinClusterQueue") or "Never"),
        }
        body = {
            "cohortName": cohort,
            "namespaceSelector": {},
            "preemption": preemption,
            "resourceGroups": [group],
        }
        made.append(_object("ClusterQueue", queue, {"spec": body}))
        made.append(_object("LocalQueue", "lq", {"spec": {"clusterQueue": queue}}, queue))
    return made


def _object(kind: str, name: str, body: Mapping[str, Any], namespace: str = "") -> KubeObject:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    data = {"apiVersion": _API, "kind": kind, "metadata": metadata, **body}
    return KubeObject(_API, kind, name, namespace, data, Typed("trace"))


def _queues(data: bytes) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Cohort and name of every queue, with the set that it belongs to."""
    file = read_file("trace", data)
    value = file.documents[0].value if file.documents else None
    cohorts = mappings(value.get("cohorts")) if isinstance(value, Mapping) else []
    if not cohorts:
        raise TraceError("line 1: no `cohorts`: not a file of Kueue's load generator")
    for number, cohort in cohorts:
        for c in range(_number(cohort, "count")):
            for s, queues in mappings(cohort.get("queuesSets")):
                for q in range(_number(queues, "count")):
                    name = str(cohort.get("className") or "cohort")
                    kind = str(queues.get("className") or "cq")
                    prefix = f"{name}-{c}" if len(cohorts) == 1 else f"{name}{number}-{c}"
                    yield prefix, f"{prefix}-{kind}{s or ''}-{q}", queues


def _number(entry: Mapping[str, Any], key: str) -> int:
    value = entry.get(key, 0)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1_000_000_000:
        raise TraceError(f"`{key}` is no whole number from 0 up: {value!r}"[:200])
    return value
