"""What the webhooks refuse about an AppWrapper, found once and shared by the rules of this family.

Source: AppWrapper 1.2.2 `validateAppWrapperCreate`, `InferPodSets`, `ValidatePodSets`; recorded verdicts in
tests/conformance/webhooks/appwrapper.yaml. Consequences of one defect (a template that cannot be read is also not
counted) are not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from kohort.dataclass import dataclass
from kohort.objects.appwrapper import Part, inferred_parts
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import visible
from kohort.objects.podset import dotted
from kohort.rules.appwrapper.paths import PathError, pod_spec, walk
from kohort.rules.appwrapper.podspec import unreadable
from kohort.rules.refused.violations import clean
from kohort.spans import Path

GROUP: Final = "workload.codeflare.dev"
MOST_PODSETS: Final = 8
Reason = Literal["nested", "namespace", "path", "podspec", "inference", "podsets", "none", "many"]
_INFERS_WITHOUT_TEMPLATE: Final = frozenset({"Pod", "Job", "JobSet", "RayCluster", "RayJob"})
_IGNORES_BAD_COUNTS: Final = frozenset({"Job", "JobSet", "Pod"})


@dataclass(frozen=True, slots=True)
class Denial:
    """One reason of the webhook: where, of which kind, in its words."""

    path: Path
    reason: Reason
    message: str
    help: tuple[str, ...] = ()


def is_appwrapper(obj: KubeObject) -> bool:
    """Whether the object is an AppWrapper of the API that the rules know."""
    return obj.group == GROUP and obj.version == "v1beta2"


def denials(obj: KubeObject, cluster: Cluster) -> list[Denial]:
    """What the webhook refuses on create; empty where the schema refuses first."""
    found: list[Denial] | None = obj.memo.get("appwrapper denials")
    if found is None:
        judged = is_appwrapper(obj) and clean(obj, cluster)
        found = obj.memo["appwrapper denials"] = list(_judge(obj)) if judged else []
    return found


def _judge(obj: KubeObject) -> Iterator[Denial]:
    total, unread, seen = 0, False, set[Path]()
    for index, component in mappings(obj.get("spec", "components")):
        template = component.get("template")
        if not isinstance(template, Mapping):
            continue
        at: Path = ("spec", "components", index)
        yield from _component(obj, template, at)
        count, found = _podsets(component, template, at)
        for denial in found:
            if denial.path not in seen:
                seen.add(denial.path)
                yield denial
        unread = unread or any(d.reason in {"podspec", "inference", "path"} for d in found)
        unread = unread or template.get("kind") == "AppWrapper"
        total += count
    if total == 0 and not unread:
        yield Denial(("spec", "components"), "none", "components contains no podspecs", _without(obj))
    if total > MOST_PODSETS:
        message = f"components contains {total} podspecs; at most {MOST_PODSETS} are allowed"
        yield Denial(
            ("spec", "components"), "many", message, ("split it, or put equal pods into one pod set",)
        )


def _without(obj: KubeObject) -> tuple[str, ...]:
    kinds = [str(item.get("template", {}).get("kind")) for _, item in mappings(obj.get("spec", "components"))]
    if not kinds:
        return ("wrap at least one object that makes pods",)
    shown = visible(", ".join(dict.fromkeys(kinds))[:120])
    return (
        f"the pods of {shown} are not inferred: declare podSets with a path, or wrap an object with pods",
    )


def _component(obj: KubeObject, template: Mapping[str, Any], at: Path) -> Iterator[Denial]:
    if (template.get("apiVersion"), template.get("kind")) == (f"{GROUP}/v1beta2", "AppWrapper"):
        helps = ("put its components into this AppWrapper",)
        yield Denial((*at, "template"), "nested", "Nested AppWrappers are forbidden", helps)
    metadata = template.get("metadata")
    namespace = metadata.get("namespace") if isinstance(metadata, Mapping) else None
    # an AppWrapper without a namespace goes wherever kubectl stands
    if isinstance(namespace, str) and namespace and obj.namespace and namespace != obj.namespace:
        yield Denial(
            (*at, "template", "metadata", "namespace"),
            "namespace",
            "AppWrappers cannot create objects in other namespaces",
            (f"leave the namespace out, or write {obj.namespace}",),
        )


def _podsets(component: Mapping[str, Any], template: Mapping[str, Any], at: Path) -> tuple[int, list[Denial]]:
    """How many pod sets the webhook counts, and what it has against them."""
    found: list[Denial] = []
    declared = [entry for _, entry in mappings(component.get("podSets"))]
    for index, entry in enumerate(declared):
        path = entry.get("path")
        text = path if isinstance(path, str) else ""
        found += _readable(template, text, (*at, "template"), (*at, "podSets", index, "path"))
    inferred, reasons = _infer(template)
    for reason in reasons:
        found.append(Denial((*at, "template"), "inference", f"error inferring PodSets: {reason}"))
    for part in inferred:
        text = f"template.{dotted(part.path)}".rstrip(".")
        found += _readable(template, text, (*at, "template"), (*at, "template"))
    if not any(denial.reason in {"path", "podspec", "inference"} for denial in found):
        found += _compare(declared, inferred, (*at, "podSets"))
    failed = any(
        denial.reason == "inference" or denial.path[: len(at) + 1] == (*at, "template") for denial in found
    )
    return 0 if failed else max(len(declared), len(inferred)), found


def _readable(template: Mapping[str, Any], text: str, root: Path, place: Path) -> list[Denial]:
    """What stops the webhook from reading a pod template: the path itself, or a field of the spec it leads to."""
    if not text:
        return [Denial(place, "path", "podspec must specify path", ("for example template.spec.template",))]
    try:
        steps, spec = pod_spec(template, text)
    except PathError as error:
        reason: Reason = "path" if place[-1] == "path" else "inference"
        return [Denial(place, reason, f"path does not refer to a v1.PodSpecTemplate: {error}")]
    wrong = unreadable(spec)
    return [Denial((*root, *steps, *path), "podspec", message, helps) for path, message, helps in wrong]


def _infer(template: Mapping[str, Any]) -> tuple[list[Part], list[str]]:
    """The pod sets that the webhook infers, and why it cannot."""
    kind = str(template.get("kind"))
    parts, reasons = inferred_parts(template)
    if kind not in _INFERS_WITHOUT_TEMPLATE:
        parts = [part for part in parts if _exists(template, part)]
    if not parts or kind in _IGNORES_BAD_COUNTS:
        return parts, []  # a kind that nothing is inferred of is no error; Jobs read a bad count as absent
    return parts, reasons


def _exists(template: Mapping[str, Any], part: Part) -> bool:
    try:
        walk(template, f"template.{dotted(part.path)}")
    except PathError:
        return False
    return True


def _compare(declared: list[Mapping[str, Any]], inferred: list[Part], path: Path) -> list[Denial]:
    """Declared pod sets against inferred ones: the first difference, as the webhook names it."""
    places: dict[str, int] = {}
    for index, entry in enumerate(declared):
        text = str(entry.get("path"))
        if text in places:
            message = f"multiple DeclaredPodSets with path '{visible(text)}'"
            return [Denial((*path, index, "path"), "podsets", message)]
        places[text] = index
    if not declared or not inferred:
        return []
    helps = ("leave podSets out: the pods of this kind are inferred",)
    if len(declared) != len(inferred):
        message = f"DeclaredPodSet count {len(declared)} differs from inferred count {len(inferred)}"
        return [Denial(path, "podsets", message, helps)]
    for part in inferred:
        text = f"template.{dotted(part.path)}".rstrip(".")
        if text not in places:
            return [Denial(path, "podsets", f"PodSet with path '{text}' is missing", helps)]
        index = places[text]
        count = declared[index].get("replicas")
        given = count if isinstance(count, int) and not isinstance(count, bool) else 1
        if given != part.count:
            message = f"replica count {given} differs from inferred count {part.count} for PodSet at path position '{text}'"
            place = (*path, index, "replicas") if count is not None else (*path, index)
            return [Denial(place, "podsets", message, helps)]
    return []
