"""Kinds of work: Kueue's names of frameworks, the resources behind them, and what AppWrapper may wrap. Data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

APPWRAPPER: Final = "workload.codeflare.dev/appwrapper"

# Framework of Kueue's Configuration → (API group, plural resource, kind).
_FRAMEWORKS: Final = {
    "batch/job": ("batch", "jobs", "Job"),
    "deployment": ("apps", "deployments", "Deployment"),
    "jobset.x-k8s.io/jobset": ("jobset.x-k8s.io", "jobsets", "JobSet"),
    "kubeflow.org/jaxjob": ("kubeflow.org", "jaxjobs", "JAXJob"),
    "kubeflow.org/mpijob": ("kubeflow.org", "mpijobs", "MPIJob"),
    "kubeflow.org/paddlejob": ("kubeflow.org", "paddlejobs", "PaddleJob"),
    "kubeflow.org/pytorchjob": ("kubeflow.org", "pytorchjobs", "PyTorchJob"),
    "kubeflow.org/tfjob": ("kubeflow.org", "tfjobs", "TFJob"),
    "kubeflow.org/xgboostjob": ("kubeflow.org", "xgboostjobs", "XGBoostJob"),
    "leaderworkerset.x-k8s.io/leaderworkerset": (
        "leaderworkerset.x-k8s.io",
        "leaderworkersets",
        "LeaderWorkerSet",
    ),
    "pod": ("", "pods", "Pod"),
    "ray.io/raycluster": ("ray.io", "rayclusters", "RayCluster"),
    "ray.io/rayjob": ("ray.io", "rayjobs", "RayJob"),
    "ray.io/rayservice": ("ray.io", "rayservices", "RayService"),
    "sparkoperator.k8s.io/sparkapplication": (
        "sparkoperator.k8s.io",
        "sparkapplications",
        "SparkApplication",
    ),
    "statefulset": ("apps", "statefulsets", "StatefulSet"),
    "trainer.kubeflow.org/trainjob": ("trainer.kubeflow.org", "trainjobs", "TrainJob"),
    APPWRAPPER: ("workload.codeflare.dev", "appwrappers", "AppWrapper"),
}

# What the controller of AppWrapper 1.2.2 may create by its own role (lab.md 5.1), as `group/Kind`.
WRAPPABLE: Final = (
    "/Pod",
    "/Service",
    "apps/Deployment",
    "apps/StatefulSet",
    "batch/Job",
    "jobset.x-k8s.io/JobSet",
    "kubeflow.org/PyTorchJob",
    "ray.io/RayCluster",
    "ray.io/RayJob",
    "scheduling.x-k8s.io/PodGroup",
)

_IRREGULAR: Final = {"Ingress": "ingresses", "NetworkPolicy": "networkpolicies"}


def by_group(frameworks: Iterable[str]) -> dict[str, list[str]]:
    """API group → plural resources of the frameworks, sorted; names that are not known are left out."""
    groups: dict[str, list[str]] = {}
    for name in sorted(set(frameworks)):
        if name in _FRAMEWORKS:
            group, resource, _ = _FRAMEWORKS[name]
            groups.setdefault(group, []).append(resource)
    return {group: sorted(groups[group]) for group in sorted(groups)}


def kinds_of(frameworks: Iterable[str]) -> list[tuple[str, str]]:
    """(API group, kind) of the frameworks, sorted; names that are not known are left out."""
    return sorted(
        (_FRAMEWORKS[name][0], _FRAMEWORKS[name][2]) for name in set(frameworks) if name in _FRAMEWORKS
    )


def known_kinds() -> tuple[str, ...]:
    """The kinds of all frameworks."""
    return tuple(kind for _, _, kind in _FRAMEWORKS.values())


def split_kind(text: str) -> tuple[str, str]:
    """(group, kind) of `group/Kind`; a core kind stands alone, with a slash or with its version (`v1/Secret`)."""
    group, _, kind = text.rpartition("/")
    return ("" if group == "v1" else group), kind


def group_of(kind: str, wrapped: Iterable[str] = ()) -> str | None:
    """The API group of a namespaced kind of work; `wrapped` are further `group/Kind`s. None where it is not known."""
    for group, _, known in _FRAMEWORKS.values():
        if known == kind:
            return group
    return next((group for group, known in map(split_kind, (*WRAPPABLE, *wrapped)) if known == kind), None)


def plural(kind: str) -> str:
    """The resource of a kind, by the rule that all kinds worth wrapping follow."""
    return _IRREGULAR.get(kind) or f"{kind.lower()}s"
