"""Kueue's objects in few words, for scenarios: small integers, plain Kubernetes objects out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kohort.objects.admission_gates import GATED_BY

API = "kueue.x-k8s.io/v1beta2"
HOSTNAME = "kubernetes.io/hostname"
NAMESPACE = "work"  # where scenarios live unless they need several
Object = dict[str, Any]
# Quota of a resource: nominal alone, or (nominal, borrowing limit, lending limit), None for no limit.
Quota = int | str | tuple[int | str | None, ...]


def namespace(name: str = NAMESPACE, **labels: str) -> Object:
    """Return a namespace with labels."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, **({"labels": labels} if labels else {})},
    }


def flavor(
    name: str,
    labels: Mapping[str, str] | None = None,
    taints: Sequence[str] = (),
    tolerations: Sequence[Mapping[str, Any]] = (),
    topology: str = "",
) -> Object:
    """Return a ResourceFlavor; a taint is written `key=value:Effect`."""
    spec: Object = {"topologyName": topology} if topology else {}
    if labels:
        spec["nodeLabels"] = dict(labels)
    if taints:
        spec["nodeTaints"] = [_taint(each) for each in taints]
    if tolerations:
        spec["tolerations"] = [dict(each) for each in tolerations]
    return _object("ResourceFlavor", name, spec)


def topology(name: str, *levels: str) -> Object:
    """Return a Topology with the node labels of its levels, the widest first."""
    return _object("Topology", name, {"levels": [{"nodeLabel": each} for each in levels]})


def node(
    name: str,
    resources: Mapping[str, int | str],
    labels: Mapping[str, str],
    *,
    taints: Sequence[str] = (),
    ready: bool = True,
    cordoned: bool = False,
) -> Object:
    """Return a Node; its hostname label is its name, and it takes 110 pods unless `resources` say otherwise."""
    amounts = {"pods": "110", **{key: str(value) for key, value in resources.items()}}
    condition = {"type": "Ready", "status": "True" if ready else "False"}
    spec: Object = {"taints": [_taint(each) for each in taints]} if taints else {}
    if cordoned:
        spec["unschedulable"] = True
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOSTNAME: name, **labels}},
        "spec": spec,
        "status": {"capacity": amounts, "allocatable": amounts, "conditions": [condition]},
    }


def _taint(text: str) -> Object:
    pair, effect = text.rsplit(":", 1)
    key, _, value = pair.partition("=")
    return {"key": key, "value": value, "effect": effect}


def group(resources: Sequence[str] | str, flavors: Mapping[str, Quota | Sequence[Quota]]) -> Object:
    """Return a resource group: `group("gpu", {"a": 4, "b": (8, 2, None)})`; several resources take lists."""
    covered = [resources] if isinstance(resources, str) else list(resources)
    single = isinstance(resources, str)
    return {
        "coveredResources": covered,
        "flavors": [
            {"name": name, "resources": _resources(covered, [quotas] if single else quotas)}
            for name, quotas in flavors.items()
        ],
    }


def _resources(covered: Sequence[str], quotas: Any) -> list[Object]:
    return [{"name": name, **_quota(quota)} for name, quota in zip(covered, quotas, strict=True)]


def _quota(quota: Any) -> Object:
    nominal, *limits = quota if isinstance(quota, tuple) else (quota,)
    result = {"nominalQuota": str(nominal)}
    for key, limit in zip(("borrowingLimit", "lendingLimit"), limits, strict=False):
        if limit is not None:
            result[key] = str(limit)
    return result


def queue(name: str, *groups: Object, cohort: str = "", **fields: Any) -> Object:
    """Return a ClusterQueue open to every namespace, with further fields of its spec.

    `reclaim`, `within`, `borrow_within` (`LowerPriority` or a threshold) and `weight` stand for the nested ones.
    """
    spec: Object = {"namespaceSelector": {}, "resourceGroups": list(groups)}
    if cohort:
        spec["cohortName"] = cohort
    preemption: Object = {}
    if (reclaim := fields.pop("reclaim", None)) is not None:
        preemption["reclaimWithinCohort"] = reclaim
    if (within := fields.pop("within", None)) is not None:
        preemption["withinClusterQueue"] = within
    if (threshold := fields.pop("borrow_within", None)) is not None:
        preemption["borrowWithinCohort"] = {"policy": "LowerPriority"}
        if isinstance(threshold, int):
            preemption["borrowWithinCohort"]["maxPriorityThreshold"] = threshold
    if preemption:
        spec["preemption"] = preemption
    if (weight := fields.pop("weight", None)) is not None:
        spec["fairSharing"] = {"weight": str(weight)}
    if (checks := fields.pop("checks", None)) is not None:
        spec["admissionChecksStrategy"] = {"admissionChecks": checks}
    spec.update(fields)
    return _object("ClusterQueue", name, spec)


def cohort(name: str, parent: str = "", *groups: Object, weight: int | str | None = None) -> Object:
    """Return a Cohort."""
    spec: Object = {}
    if parent:
        spec["parentName"] = parent
    if groups:
        spec["resourceGroups"] = list(groups)
    if weight is not None:
        spec["fairSharing"] = {"weight": str(weight)}
    return _object("Cohort", name, spec)


def local_queue(name: str, cluster_queue: str = "", space: str = NAMESPACE, **fields: Any) -> Object:
    """Return a LocalQueue; it points to the ClusterQueue of its own name unless another is given."""
    made = _object("LocalQueue", name, {"clusterQueue": cluster_queue or name, **fields})
    made["metadata"]["namespace"] = space
    return made


def priority_class(name: str, value: int) -> Object:
    """Return a WorkloadPriorityClass."""
    return {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}


def check(name: str, *, active: bool = True) -> Object:
    """Return an AdmissionCheck; its controller, which the recorder plays, says whether it is active."""
    made = _object("AdmissionCheck", name, {"controllerName": "example.com/recorder"})
    made["status"] = {"conditions": [{"type": "Active", "status": "True" if active else "False"}]}
    return made


def podset(name: str, count: int, requests: Mapping[str, int | str], **fields: Any) -> Object:
    """Return a pod set; `min_count`, `selector`, `tolerations` and `affinity` stand for the nested fields.

    `topology` is its topologyRequest, in Kueue's words, `limits` those of its container.
    """
    container: Object = {
        "name": "c",
        "image": "lab.invalid/work:1",
        "resources": {"requests": {key: str(value) for key, value in requests.items()}},
    }
    spec: Object = {"restartPolicy": "Never", "containers": [container]}
    if fields.get("limits"):
        container["resources"]["limits"] = {key: str(value) for key, value in fields["limits"].items()}
    for key, place in (
        ("runtime_class", "runtimeClassName"),
        ("selector", "nodeSelector"),
        ("tolerations", "tolerations"),
        ("affinity", "affinity"),
    ):
        if fields.get(key):
            spec[place] = fields[key]
    made: Object = {"name": name, "count": count, "template": {"spec": spec}}
    if fields.get("min_count"):
        made["minCount"] = fields["min_count"]
    if fields.get("topology"):
        made["topologyRequest"] = dict(fields["topology"])
    return made


def workload(
    name: str,
    local: str,
    *podsets: Object,
    priority: int = 0,
    cls: str = "",
    space: str = NAMESPACE,
    gates: str = "",
) -> Object:
    """Return a Workload; `cls` names a WorkloadPriorityClass whose value is `priority`, `gates` hold its admission back."""
    spec: Object = {"queueName": local, "podSets": list(podsets), "priority": priority}
    if cls:
        spec["priorityClassRef"] = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": cls}
    made = _object("Workload", name, spec)
    made["metadata"]["namespace"] = space
    if gates:
        made["metadata"]["annotations"] = {GATED_BY: gates}
    return made


def limit_range(name: str, space: str = NAMESPACE, **limits: Mapping[str, int | str]) -> Object:
    """Return a LimitRange for containers; `max`, `min`, `default` and `defaultRequest` are its fields."""
    item = {
        "type": "Container",
        **{key: {k: str(v) for k, v in amounts.items()} for key, amounts in limits.items()},
    }
    return {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": name, "namespace": space},
        "spec": {"limits": [item]},
    }


def runtime_class(name: str, overhead: Mapping[str, int | str]) -> Object:
    """Return a RuntimeClass whose pods cost so much more."""
    fixed = {key: str(value) for key, value in overhead.items()}
    return {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": name},
        "handler": "lab",
        "overhead": {"podFixed": fixed},
    }


def _object(kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name}, "spec": spec}
