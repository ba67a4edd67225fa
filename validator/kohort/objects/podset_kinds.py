"""Pod sets of each kind that Kueue manages directly: counts, names and order.

Source: Kueue 0.19.1 `pkg/controller/jobs/*` (`PodSets`), per kind; versions of a group share a reader because
these fields are the same in all of them. What KubeRay adds to a head pod is in `podset_ray`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from kohort.objects.podset import PodSets, Reader, length
from kohort.objects.podset_ray import ray_cluster, ray_job, ray_service

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MAIN: Final = "main"
_MIN_PARALLELISM: Final = "kueue.x-k8s.io/job-min-parallelism"


def _pod(obj: Mapping[str, Any]) -> PodSets:
    reader = Reader(obj)
    reader.add(_MAIN, 1)
    return reader.result()


def _deployment(obj: Mapping[str, Any]) -> PodSets:
    reader = Reader(obj)
    count = reader.count("spec", "replicas")
    reader.add(_MAIN, count, "spec", "template")
    return reader.result(workloads=max(count, 1))


def _stateful_set(obj: Mapping[str, Any]) -> PodSets:
    reader = Reader(obj)
    reader.add(_MAIN, reader.count("spec", "replicas"), "spec", "template")
    return reader.result()


def _job(obj: Mapping[str, Any]) -> PodSets:
    reader = Reader(obj)
    fewest = reader.value("metadata", "annotations", _MIN_PARALLELISM)
    reader.add(
        _MAIN,
        job_pods(reader, "spec"),
        "spec",
        "template",
        min_count=int(fewest) if isinstance(fewest, str) and re.fullmatch("[0-9]{1,9}", fewest) else None,
    )
    return reader.result()


def job_pods(reader: Reader, *spec: str | int) -> int:
    """Return the pods of a Job that run at once: its parallelism, or fewer when fewer completions are wanted."""
    parallelism = reader.count(*spec, "parallelism")
    completions = reader.value(*spec, "completions")
    if isinstance(completions, int) and completions < 0:  # AppWrapper infers the smaller number of the two
        parallelism = 0
    return min(parallelism, reader.count(*spec, "completions", default=parallelism))


def _job_set(obj: Mapping[str, Any]) -> PodSets:
    reader = Reader(obj)
    for index in range(length(reader.value("spec", "replicatedJobs"))):
        job = ("spec", "replicatedJobs", index)
        count = reader.count(*job, "replicas") * job_pods(reader, *job, "template", "spec")
        reader.add(reader.value(*job, "name") or index, count, *job, "template", "spec", "template")
    return reader.result()


def _replicas(field: str, *roles: str) -> Callable[[Mapping[str, Any]], PodSets]:
    def infer(obj: Mapping[str, Any]) -> PodSets:
        reader = Reader(obj)
        for role in roles:
            if reader.value("spec", field, role) is not None:
                count = reader.count("spec", field, role, "replicas")
                reader.add(role, count, "spec", field, role, "template")
        return reader.result()

    return infer


def _leader_worker_set(obj: Mapping[str, Any]) -> PodSets:
    """Kueue admits each replica (a leader with its workers) as a Workload of its own."""
    reader = Reader(obj)
    replicas, size = reader.count("spec", "replicas"), reader.count("spec", "leaderWorkerTemplate", "size")
    template = ("spec", "leaderWorkerTemplate")
    leader = reader.value(*template, "leaderTemplate") is not None
    if leader:
        reader.add("leader", replicas, *template, "leaderTemplate")
    workers = max(size - leader, 0)
    reader.add("worker" if leader else _MAIN, replicas * workers, *template, "workerTemplate")
    return reader.result(workloads=max(replicas, 1))


def _workload(obj: Mapping[str, Any]) -> PodSets:
    reader = Reader(obj)
    for index in range(length(reader.value("spec", "podSets"))):
        at = ("spec", "podSets", index)
        fewest = reader.value(*at, "minCount")
        known = isinstance(fewest, int) and not isinstance(fewest, bool)
        name, count = reader.value(*at, "name") or _MAIN, reader.count(*at, "count")
        reader.add(name, count, *at, "template", min_count=fewest if known else None)
    return reader.result()


KINDS: Final[Mapping[tuple[str, str], Callable[[Mapping[str, Any]], PodSets]]] = {
    ("", "Pod"): _pod,
    ("apps", "Deployment"): _deployment,
    ("apps", "StatefulSet"): _stateful_set,
    ("batch", "Job"): _job,
    ("jobset.x-k8s.io", "JobSet"): _job_set,
    ("kubeflow.org", "PyTorchJob"): _replicas("pytorchReplicaSpecs", "Master", "Worker"),
    ("kubeflow.org", "TFJob"): _replicas("tfReplicaSpecs", "Chief", "Master", "PS", "Worker", "Evaluator"),
    ("kubeflow.org", "XGBoostJob"): _replicas("xgbReplicaSpecs", "Master", "Worker"),
    ("kubeflow.org", "PaddleJob"): _replicas("paddleReplicaSpecs", "Master", "Worker"),
    ("kubeflow.org", "JAXJob"): _replicas("jaxReplicaSpecs", "Worker"),
    ("kubeflow.org", "MPIJob"): _replicas("mpiReplicaSpecs", "Launcher", "Worker"),
    ("ray.io", "RayCluster"): ray_cluster,
    ("ray.io", "RayJob"): ray_job,
    ("ray.io", "RayService"): ray_service,
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _leader_worker_set,
    ("kueue.x-k8s.io", "Workload"): _workload,
}
