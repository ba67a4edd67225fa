"""What to write instead: renamed fields and words of other API versions, names that are close, quotes."""

from __future__ import annotations

from kohort.diagnostics import Edit, Fix
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.kube import KubeObject
from kohort.objects.kueue.queue import OLD_POLICIES
from kohort.objects.schema import Violation
from kohort.spans import show_path

# (kind, API version that lacks the field, field) → the field that replaced it there
RENAMED = {
    ("ClusterQueue", "v1beta2", "cohort"): "cohortName",
    ("ClusterQueue", "v1beta1", "cohortName"): "cohort",
    ("ClusterQueue", "v1beta2", "admissionChecks"): "admissionChecksStrategy",
    ("Cohort", "v1beta1", "parent"): "parentName",
    ("Cohort", "v1beta2", "parent"): "parentName",
    ("Workload", "v1beta2", "priorityClassName"): "priorityClassRef",
    ("Workload", "v1beta2", "priorityClassSource"): "priorityClassRef",
    ("MultiKueueCluster", "v1beta2", "kubeConfig"): "clusterSource",
}
# a rename that keeps the value's meaning can be applied without asking
_PLAIN_RENAMES = frozenset({"cohortName", "cohort", "parentName"})


def _new_name(obj: KubeObject, violation: Violation) -> str:
    return RENAMED.get((obj.kind, obj.version, str(violation.path[-1])), "") if violation.path else ""


def advice(obj: KubeObject, violation: Violation) -> tuple[str, ...]:
    """Concrete next steps for one violation."""
    if violation.reason == "unknown-field":
        new = _new_name(obj, violation)
        if new:
            return (f"{obj.version} calls it {show_path((*violation.path[:-1], new))}",)
        close = did_you_mean(str(violation.path[-1]), violation.allowed)
        if close:
            return (f"did you mean {' or '.join(close)}?",)
        return (f"known here: {', '.join(violation.allowed)}",) if violation.allowed else ()
    if violation.reason == "enum" and isinstance(violation.value, str):
        word = OLD_POLICIES.get(violation.value)
        if word in violation.allowed:
            return (f"v1beta2 calls it {word}",)
        close = did_you_mean(violation.value, violation.allowed)
        return (f"did you mean {' or '.join(close)}?",) if close else ()
    if _wants_quotes(violation):
        return ("write the value in quotes, so that YAML reads it as text",)
    return ()


def repair(obj: KubeObject, violation: Violation) -> Fix | None:
    """A fix that is certain to say what was meant, or None."""
    if not violation.path:
        return None
    if violation.reason == "unknown-field":
        new = _new_name(obj, violation)
        parent = obj.get(*violation.path[:-1])
        if new in _PLAIN_RENAMES and isinstance(parent, dict) and new not in parent:
            edit = Edit("rename", obj.at(*violation.path, part="key"), new)
            return Fix(f"rename {violation.path[-1]} to {new}", (edit,), safe=False)
    if violation.reason == "enum" and isinstance(violation.value, str):
        word = OLD_POLICIES.get(violation.value)
        if word is not None and word in violation.allowed:
            return Fix(f"write {word}", (Edit("replace", obj.at(*violation.path), word),))
    if _wants_quotes(violation):
        return Fix("put the value in quotes", (Edit("quote", obj.at(*violation.path)),))
    return None


def _wants_quotes(violation: Violation) -> bool:
    return (
        violation.reason == "wrong-type"
        and isinstance(violation.value, (bool, int, float))
        and "text" in violation.message
    )
