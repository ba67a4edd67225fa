"""Pod sets of an AppWrapper: declared by path, or inferred from the wrapped object.

Source: AppWrapper 1.2 `utils.InferPodSets`, `GetComponentPodSpecs` and `getValueAtPath`; Kueue's built-in
integration names the sets `<appwrapper>-<n>`. Inference knows fewer kinds than Kueue does on its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from kohort.dataclass import dataclass
from kohort.objects.lookalikes import visible
from kohort.objects.podset import PodSet, PodSets, Reader, dotted, length
from kohort.objects.podset_kinds import job_pods

if TYPE_CHECKING:
    from kohort.spans import Path

_STEP: Final = re.compile(r"\[([0-9]{1,9})\]|\.([^.\[]+)")
_ROOT: Final = "template"


# What jobs bring along, by group: none of it makes a pod.
_WITHOUT_PODS: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({"ConfigMap", "PersistentVolumeClaim", "Secret", "Service", "ServiceAccount"}),
    "networking.k8s.io": frozenset({"Ingress", "NetworkPolicy"}),
    "policy": frozenset({"PodDisruptionBudget"}),
    "rbac.authorization.k8s.io": frozenset({"Role", "RoleBinding"}),
    "resource.k8s.io": frozenset({"ResourceClaim", "ResourceClaimTemplate"}),
    "route.openshift.io": frozenset({"Route"}),
    "scheduling.volcano.sh": frozenset({"PodGroup"}),
    "scheduling.x-k8s.io": frozenset({"PodGroup"}),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A pod template inside a wrapped object and how many pods are made of it; `path` starts in the object."""

    path: Path
    count: int


def appwrapper_podsets(obj: Mapping[str, Any]) -> PodSets:
    """Return the pod sets of all components; `inferable` is false when a component shows none."""
    wrapper = Reader(obj)
    name = wrapper.value("metadata", "name") or ""
    components = wrapper.value("spec", "components")
    found: list[PodSet] = []
    reasons: list[str] = []
    complete = True
    for index in range(length(components)):
        component = wrapper.value("spec", "components", index)
        parts, wrong = component_parts(component)
        if not parts and _makes_no_pods(component):
            continue
        reasons += (f"components[{index}]: {reason}" for reason in wrong)
        complete = complete and bool(parts)
        for part in parts:
            path: Path = ("spec", "components", index, "template", *part.path)
            template = wrapper.value(*path)
            if isinstance(template, Mapping) and isinstance(template.get("spec"), Mapping):
                found.append(PodSet(f"{name}-{len(found)}".lower(), part.count, template, path))
            else:
                reasons.append(
                    f"components[{index}]: {visible(dotted((_ROOT, *part.path)))} has no pod template with a spec"
                )
    if not length(components):
        return PodSets((), inferable=False, reasons=("it has no components",))
    return PodSets(tuple(found), inferable=complete and bool(found), reasons=tuple(reasons))


def _makes_no_pods(component: Any) -> bool:
    """Whether a component wraps something that is known to have no pods, and declares none."""
    if not isinstance(component, Mapping) or length(component.get("podSets")):
        return False
    template = component.get("template")
    if not isinstance(template, Mapping):
        return False
    group, slash, _ = str(template.get("apiVersion") or "").rpartition("/")
    return template.get("kind") in _WITHOUT_PODS.get(group if slash else "", ())


def component_parts(component: Any) -> tuple[list[Part], list[str]]:
    """Return the parts of one component (declared ones win over inference) and what is wrong with it."""
    if not isinstance(component, Mapping) or not isinstance(component.get("template"), Mapping):
        return [], ["it has no template"]
    if length(component.get("podSets")):
        return declared_parts(component)
    return inferred_parts(component["template"])


def declared_parts(component: Mapping[str, Any]) -> tuple[list[Part], list[str]]:
    """Return what `podSets` of a component declares, and which of its paths cannot be read."""
    reader = Reader(component)
    parts: list[Part] = []
    for index in range(length(reader.value("podSets"))):
        text = reader.value("podSets", index, "path")
        path = parse_path(text)
        if path is None:
            shown = str(text)[:80]
            reader.reasons.append(
                f"podSets[{index}].path {shown!a} is no path such as template.spec.template"
            )
        else:
            parts.append(Part(path, reader.count("podSets", index, "replicas")))
    return parts, reader.reasons


def inferred_parts(template: Mapping[str, Any]) -> tuple[list[Part], list[str]]:
    """Return what AppWrapper infers from a wrapped object, or the reason why it infers nothing."""
    infer = _KINDS.get((str(template.get("apiVersion") or ""), str(template.get("kind") or "")))
    if infer is None:
        shown = str(template.get("kind"))[:64]
        return [], [f"pods of kind {shown!a} are not inferred; declare podSets if it has any"]
    reader = Reader(template)
    return infer(reader), reader.reasons


def parse_path(text: Any) -> Path | None:
    """Return the steps below `template` of a path such as `template.spec.groups[1].template`, or None."""
    if not isinstance(text, str) or not text.startswith(_ROOT):
        return None
    steps: list[str | int] = []
    at = len(_ROOT)
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        steps.append(int(step[1]) if step[1] else step[2])
        at = step.end()
    return tuple(steps)


def _pod(_: Reader) -> list[Part]:
    return [Part((), 1)]


def _replicated(reader: Reader) -> list[Part]:
    return [Part(("spec", "template"), reader.count("spec", "replicas"))]


def _job(reader: Reader) -> list[Part]:
    return [Part(("spec", "template"), job_pods(reader, "spec"))]


def _job_set(reader: Reader) -> list[Part]:
    parts = []
    for index in range(length(reader.value("spec", "replicatedJobs"))):
        job = ("spec", "replicatedJobs", index)
        if reader.value(*job, "template") is not None:
            count = reader.count(*job, "replicas") * job_pods(reader, *job, "template", "spec")
            parts.append(Part((*job, "template", "spec", "template"), count))
    return parts


def _pytorch(reader: Reader) -> list[Part]:
    roles = [("spec", "pytorchReplicaSpecs", role) for role in ("Master", "Worker")]
    return [
        Part((*role, "template"), reader.count(*role, "replicas"))
        for role in roles
        if reader.value(*role, "template") is not None
    ]


def _ray(*at: str) -> Callable[[Reader], list[Part]]:
    def infer(reader: Reader) -> list[Part]:
        parts = [Part((*at, "headGroupSpec", "template"), 1)]
        for index in range(length(reader.value(*at, "workerGroupSpecs"))):
            group: Path = (*at, "workerGroupSpecs", index)
            if reader.value(*group, "template") is not None:
                parts.append(Part((*group, "template"), reader.count(*group, "replicas")))
        return parts

    return infer


_KINDS: Final[Mapping[tuple[str, str], Callable[[Reader], list[Part]]]] = {
    ("v1", "Pod"): _pod,
    ("apps/v1", "Deployment"): _replicated,
    ("apps/v1", "StatefulSet"): _replicated,
    ("batch/v1", "Job"): _job,
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): _job_set,
    ("kubeflow.org/v1", "PyTorchJob"): _pytorch,
    ("ray.io/v1", "RayCluster"): _ray("spec"),
    ("ray.io/v1", "RayJob"): _ray("spec", "rayClusterSpec"),
}
