"""What pods ask for, in Kueue's integers: from a Workload object, or from the pod templates of any kind of job.

Source: Kueue 0.19.1 `workload.totalRequestsFromPodSets` (excluded prefixes, then `resources.transformations`, then whole
units, never below zero) and `jobframework` (topology annotations). Everything is plain values of any shape; what is
malformed reads as absent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from kohort.objects.admission_gates import GATED_BY
from kohort.objects.pod_bounds import refusal
from kohort.objects.pod_requests import pod_requests
from kohort.objects.podset import PodSet, value_at
from kohort.objects.quantity import Quantity
from kohort.semantics.amount import UNLIMITED, kueue_request
from kohort.semantics.settings import Settings, Transformation
from kohort.semantics.status.reading import reclaimable
from kohort.semantics.work import PodSetAsk, TopologyAsk, Work

_MAX_INT32: Final = 2**31 - 1
_NANO: Final = 10**9
_PLACEMENT: Final = ("nodeSelector", "affinity", "tolerations")
_ANNOTATION: Final = "kueue.x-k8s.io/podset-"
_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})


def work_of(obj: Mapping[str, Any], settings: Settings, limit_ranges: Sequence[Any] = ()) -> Work:
    """A Workload object as it is submitted: its spec and the pods that ended early; nothing else of its status.

    RuntimeClass objects may stand among the LimitRanges of its namespace.
    """
    metadata = obj.get("metadata")
    named = metadata if isinstance(metadata, Mapping) else {}
    priority = value_at(obj, ("spec", "priority"))
    seconds = value_at(obj, ("spec", "maximumExecutionTimeSeconds"))
    status = obj.get("status")
    return Work(
        f"{_text(named.get('namespace'))}/{_text(named.get('name'))}",
        _text(value_at(obj, ("spec", "queueName"))),
        asks(obj, settings, limit_ranges),
        priority=priority if _whole(priority) else 0,
        uid=_text(named.get("uid")),
        active=value_at(obj, ("spec", "active")) is not False,
        priority_class=_priority_class(obj),
        reclaimable=reclaimable(status if isinstance(status, Mapping) else {}),
        max_execution=seconds * 1000 if _whole(seconds) and seconds > 0 else 0,
        gates=_text(value_at(named, ("annotations", GATED_BY))) if settings.on("AdmissionGatedBy") else "",
        refused=refusal(templates(obj), limit_ranges),
    )


def templates(obj: Mapping[str, Any]) -> list[Any]:
    """The pod templates of a Workload object, in order."""
    return [each.get("template") for each in _mappings(value_at(obj, ("spec", "podSets")))]


def asks(
    obj: Mapping[str, Any], settings: Settings, limit_ranges: Sequence[Any] = ()
) -> tuple[PodSetAsk, ...]:
    """The pod sets of a Workload object. LimitRanges of its namespace fill what its templates leave open."""
    found = []
    for each in _mappings(value_at(obj, ("spec", "podSets"))):
        template, topology = each.get("template"), each.get("topologyRequest")
        wanted = topology if isinstance(topology, Mapping) else {}
        found.append(
            PodSetAsk(
                _text(each.get("name")) or "main",
                _count(each.get("count"), 1) or 0,
                requests_of(template, settings, limit_ranges),
                _count(each.get("minCount"), None),
                _placement(template),
                _topology(wanted),
                _text(wanted.get("podSetGroupName")),
                _of_node(template, settings, limit_ranges),
            )
        )
    return tuple(found)


def asks_of(
    podsets: Iterable[PodSet], settings: Settings, limit_ranges: Sequence[Any] = ()
) -> tuple[PodSetAsk, ...]:
    """The pod sets that Kueue makes of a job (`objects/podsets.py`), topology read from the templates' annotations."""
    found = []
    for each in podsets:
        annotations = value_at(each.template, ("metadata", "annotations"))
        wanted = _annotated(annotations if isinstance(annotations, Mapping) else {})
        found.append(
            PodSetAsk(
                each.name,
                each.count,
                requests_of(each.template, settings, limit_ranges),
                each.min_count,
                _placement(each.template),
                _topology(wanted),
                _text(wanted.get("podSetGroupName")),
                _of_node(each.template, settings, limit_ranges),
            )
        )
    return tuple(found)


def requests_of(template: Any, settings: Settings, limit_ranges: Sequence[Any] = ()) -> dict[str, int]:
    """What one pod of a template asks for, without the implied `pods`."""
    values = pod_requests(template, limit_ranges).values
    kept = {
        name: amount for name, amount in values.items() if not name.startswith(settings.excluded_prefixes)
    }
    rules = {rule.source: rule for rule in settings.transformations}
    if not rules.keys() & kept.keys():
        return {name: max(0, kueue_request(amount, name)) for name, amount in kept.items()}
    return {name: _units(amount, name) for name, amount in _transformed(kept, rules).items()}


def _of_node(template: Any, settings: Settings, limit_ranges: Sequence[Any]) -> dict[str, int] | None:
    """What one pod takes of its node; None where quota counts the same, as it does by default."""
    if not settings.excluded_prefixes and not settings.transformations:
        return None
    values = pod_requests(template, limit_ranges).values
    return {name: max(0, kueue_request(amount, name)) for name, amount in values.items()}


def _transformed(given: Mapping[str, Quantity], rules: Mapping[str, Transformation]) -> dict[str, Fraction]:
    """Requests in base units after the transformations.

    What they generate may cancel out (negative factors), but the total of a resource never takes from what was asked.
    """
    exact = {name: Fraction(amount.nano, _NANO) for name, amount in given.items()}
    result: dict[str, Fraction] = {}
    generated: dict[str, Fraction] = {}
    for name, amount in exact.items():
        rule = rules.get(name)
        if rule is None or not rule.replace:
            result[name] = amount
        if rule is not None:
            base = amount * exact.get(rule.multiply_by, Fraction(1))
            for output, factor in rule.outputs.items():
                generated[output] = generated.get(output, Fraction(0)) + base * factor
    for name, amount in generated.items():
        result[name] = result.get(name, Fraction(0)) + max(Fraction(0), amount)
    return result


def _units(amount: Fraction, resource: str) -> int:
    return min(UNLIMITED, max(0, math.ceil(amount * 1000 if resource == "cpu" else amount)))


def _placement(template: Any) -> dict[str, Any]:
    """All of a pod that decides where it may run."""
    spec = value_at(template, ("spec",))
    if not isinstance(spec, Mapping):
        return {}
    return {field: spec[field] for field in _PLACEMENT if spec.get(field)}


def _topology(wanted: Mapping[str, Any]) -> TopologyAsk | None:
    """A `topologyRequest`; None where it asks for no topology, whatever else it says."""
    layers = [
        (_text(each.get("topology")), _count(each.get("size"), 0) or 0)
        for each in _mappings(wanted.get("podsetSliceRequiredTopologyConstraints"))
    ]
    slice_level, slice_size = _text(wanted.get("podSetSliceRequiredTopology")), wanted.get("podSetSliceSize")
    if layers and not slice_level:
        slice_level, slice_size = layers[0]
    unconstrained = wanted.get("unconstrained")
    required, preferred = _text(wanted.get("required")), _text(wanted.get("preferred"))
    if unconstrained is None and slice_size is None and not (required or preferred or slice_level):
        return None
    return TopologyAsk(required, preferred, unconstrained is True, slice_level, _count(slice_size, 0) or 0)


def _annotated(annotations: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations of a pod template as the `topologyRequest` that Kueue makes of them."""

    def said(name: str) -> str:
        return _text(annotations.get(f"{_ANNOTATION}{name}"))

    size = said("slice-size")
    found: dict[str, Any] = {
        "required": said("required-topology"),
        "preferred": said("preferred-topology"),
        "podSetSliceRequiredTopology": said("slice-required-topology"),
        "podSetGroupName": said("group-name"),
    }
    if size.isascii() and size.isdigit():
        found["podSetSliceSize"] = int(size)
    if said("unconstrained-topology") in _TRUE:
        found["unconstrained"] = True
    return found


def _priority_class(obj: Mapping[str, Any]) -> str:
    """The WorkloadPriorityClass that the priority follows; a PriorityClass of pods is only read once."""
    ref = value_at(obj, ("spec", "priorityClassRef"))
    if isinstance(ref, Mapping):
        return _text(ref.get("name")) if ref.get("kind") == "WorkloadPriorityClass" else ""
    source = _text(value_at(obj, ("spec", "priorityClassSource")))
    return _text(value_at(obj, ("spec", "priorityClassName"))) if source.startswith("kueue.") else ""


def _mappings(value: Any) -> Iterable[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, (list, tuple)) else ()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _count(value: Any, default: int | None) -> int | None:
    return value if _whole(value) and 0 <= value <= _MAX_INT32 else default
