"""Pod sets of Ray clusters, jobs and services, with the containers that KubeRay adds to the head pod.

Source: Kueue 0.19.1 `raycluster.BuildPodSets`, `rayjob` and `rayservice`, whose numbers mirror KubeRay's:
autoscaler sidecar 500m/512Mi, job submitter 500m/200Mi, clean-up of Redis 200m/256Mi.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from kohort.objects.podset import PodSet, PodSets, Reader, length
from kohort.objects.quantity import Quantity, QuantityError

if TYPE_CHECKING:
    from kohort.spans import Path

Json = Mapping[str, Any]

_FT_ANNOTATION: Final = "ray.io/ft-enabled"
_AUTOSCALER: Final = {
    "requests": {"cpu": "500m", "memory": "512Mi"},
    "limits": {"cpu": "500m", "memory": "512Mi"},
}
_SUBMITTER: Final = {
    "requests": {"cpu": "500m", "memory": "200Mi"},
    "limits": {"cpu": "1", "memory": "1Gi"},
}
_REDIS_CLEANUP: Final = {"cpu": "200m", "memory": "256Mi"}


def ray_cluster(obj: Json) -> PodSets:
    """A RayCluster: `head`, then one pod set per worker group."""
    reader = Reader(obj)
    _cluster(reader, "spec")
    return reader.result()


def ray_service(obj: Json) -> PodSets:
    """A RayService: the pod sets of its cluster; the second cluster during an upgrade is not counted."""
    reader = Reader(obj)
    _cluster(reader, "spec", "rayClusterConfig")
    return reader.result()


def ray_job(obj: Json) -> PodSets:
    """A RayJob: its cluster, and a `submitter` pod or sidecar depending on submissionMode."""
    reader = Reader(obj)
    _cluster(reader, "spec", "rayClusterSpec")
    mode = reader.value("spec", "submissionMode") or "K8sJobMode"
    if mode == "SidecarMode":
        _extend_head(reader, {"name": "ray-job-submitter", "resources": _SUBMITTER})
    elif mode == "K8sJobMode" and reader.value("spec", "submitterPodTemplate") is not None:
        reader.add("submitter", 1, "spec", "submitterPodTemplate")
    elif mode == "K8sJobMode" and reader.found:
        container = {"name": "ray-job-submitter", "resources": _SUBMITTER}
        template = {"spec": {"containers": [container], "restartPolicy": "Never"}}
        reader.found.append(PodSet("submitter", 1, template, ("spec", "submitterPodTemplate")))
    return reader.result()


def _cluster(reader: Reader, *at: str) -> None:
    reader.add("head", 1, *at, "headGroupSpec", "template")
    if reader.found:
        if _fault_tolerant(reader, at):
            _reserve_cleanup(reader)
        if reader.value(*at, "enableInTreeAutoscaling") is True:
            resources = reader.value(*at, "autoscalerOptions", "resources")
            resources = resources if isinstance(resources, Mapping) else _AUTOSCALER
            _extend_head(reader, {"name": "autoscaler", "resources": resources})
    for index in range(length(reader.value(*at, "workerGroupSpecs"))):
        group: Path = (*at, "workerGroupSpecs", index)
        # The schema's default, set before anything reads the object, is no worker at all.
        count = reader.count(*group, "replicas", default=0) * max(reader.count(*group, "numOfHosts"), 1)
        reader.add(reader.value(*group, "groupName") or f"group-{index}", count, *group, "template")


def _fault_tolerant(reader: Reader, at: tuple[str, ...]) -> bool:
    annotation = reader.value("metadata", "annotations", _FT_ANNOTATION)
    return str(annotation).lower() == "true" or reader.value(*at, "gcsFaultToleranceOptions") is not None


def _head_containers(reader: Reader) -> list[Any]:
    containers = reader.found[0].template["spec"].get("containers") if reader.found else None
    return list(containers) if isinstance(containers, (list, tuple)) else []


def _with_containers(reader: Reader, containers: list[Any]) -> None:
    head = reader.found[0]
    spec = {**head.template["spec"], "containers": containers}
    reader.found[0] = replace(head, template={**head.template, "spec": spec})


def _extend_head(reader: Reader, container: Json) -> None:
    if reader.found and reader.found[0].name == "head":
        _with_containers(reader, [*_head_containers(reader), container])


def _reserve_cleanup(reader: Reader) -> None:
    """Raise the first container's requests to what KubeRay's clean-up job of Redis takes afterwards."""
    containers = _head_containers(reader)
    if not containers or not isinstance(containers[0], Mapping):
        reader.reasons.append("the head pod has no container that could make room for the clean-up of Redis")
        return
    resources = containers[0].get("resources")
    resources = resources if isinstance(resources, Mapping) else {}
    requests = resources.get("requests")
    requests = dict(requests) if isinstance(requests, Mapping) else {}
    for name, least in _REDIS_CLEANUP.items():
        if _less(requests.get(name), least):
            requests[name] = least
    containers[0] = {**containers[0], "resources": {**resources, "requests": requests}}
    _with_containers(reader, containers)


def _less(given: Any, least: str) -> bool:
    if given is None:
        return True
    try:
        return Quantity.parse(given) < Quantity.parse(least)
    except QuantityError:
        return False
