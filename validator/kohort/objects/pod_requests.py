"""What one pod requests in effect, as Kueue counts it before it looks at quota.

Source: Kueue 0.19.1 `workload.AdjustResources` (LimitRange defaults, then limits for absent requests) and
component-helpers 0.36 `PodRequests` (containers, sidecars, init containers, pod-level resources, overhead);
the defaults inside a LimitRange are those of Kubernetes 1.36. RuntimeClasses stand among the LimitRanges where they are
known: the overhead of the one that a template names counts, unless the template states its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from kohort.dataclass import dataclass
from kohort.objects.quantity import Quantity, QuantityError

if TYPE_CHECKING:
    from kohort.spans import Path

Amounts = dict[str, Quantity]

_POD_LEVEL: Final = frozenset({"cpu", "memory"})
_HUGEPAGES: Final = "hugepages-"


@dataclass(frozen=True, slots=True)
class PodRequests:
    """Requests of one pod.

    Attributes:
        values: per resource; a resource requested as 0 is present with 0.
        problems: (path inside the template, reason) of every value that is no quantity and was left out.
    """

    values: Amounts
    problems: tuple[tuple[Path, str], ...] = ()


def pod_requests(template: Any, limit_ranges: Sequence[Any] = ()) -> PodRequests:
    """Return the effective requests of one pod of `template` (a mapping with `spec`) in a namespace with these LimitRanges.

    RuntimeClass objects may stand among them.
    """
    reader = _Amounts()
    spec = template.get("spec") if isinstance(template, Mapping) else None
    if not isinstance(spec, Mapping):
        return PodRequests({}, (((), "the pod template has no spec"),))
    defaults = _limit_range_defaults(limit_ranges, reader)
    total: Amounts = {}
    for _, amounts in _containers(spec, "containers", defaults, reader):
        _add(total, amounts)
    _init_containers(spec, total, defaults, reader)
    if isinstance(spec.get("resources"), Mapping):
        own = _effective(spec["resources"], ("spec", "resources"), defaults.get("Pod"), reader)
        total.update({k: q for k, q in own.items() if k in _POD_LEVEL or k.startswith(_HUGEPAGES)})
    _add(total, reader.read(spec.get("overhead") or _overhead(spec, limit_ranges), ("spec", "overhead")))
    return PodRequests(total, tuple(reader.problems))


def adjusted(template: Any, limit_ranges: Sequence[Any] = ()) -> Iterator[tuple[str, int, Amounts, Amounts]]:
    """Requests and limits of each container after all defaults: `containers` or `initContainers` with the index.

    Requests and limits of the pod as a whole come as `resources`. Values that are no quantities are left out.
    """
    spec = template.get("spec") if isinstance(template, Mapping) else None
    if not isinstance(spec, Mapping):
        return
    reader = _Amounts()
    defaults = _limit_range_defaults(limit_ranges, reader)
    for field in ("initContainers", "containers"):
        listed = spec.get(field)
        for index, each in enumerate(listed if isinstance(listed, (list, tuple)) else ()):
            given = each.get("resources") if isinstance(each, Mapping) else None
            yield (field, index, *_both(given, defaults.get("Container"), reader))
    if isinstance(spec.get("resources"), Mapping):
        yield ("resources", 0, *_both(spec["resources"], defaults.get("Pod"), reader))


def _both(given: Any, defaults: _Defaults | None, reader: _Amounts) -> tuple[Amounts, Amounts]:
    resources = given if isinstance(given, Mapping) else {}
    limits = reader.read(resources.get("limits"), ())
    if defaults is not None:
        limits = defaults.limits | limits
    return _effective(resources, (), defaults, reader), limits


def _overhead(spec: Mapping[str, Any], objects: Sequence[Any]) -> Any:
    """What the RuntimeClass of a pod adds to it; None without one that is known."""
    wanted = spec.get("runtimeClassName")
    for obj in objects if wanted else ():
        metadata = (
            obj.get("metadata") if isinstance(obj, Mapping) and obj.get("kind") == "RuntimeClass" else None
        )
        if isinstance(metadata, Mapping) and metadata.get("name") == wanted:
            overhead = obj.get("overhead")
            return overhead.get("podFixed") if isinstance(overhead, Mapping) else None
    return None


class _Amounts:
    """Reads maps of quantities and remembers what was none."""

    def __init__(self) -> None:
        self.problems: list[tuple[Path, str]] = []

    def read(self, value: Any, path: Path) -> Amounts:
        """The quantities of a mapping; what is none is noted with its path and left out."""
        if not isinstance(value, Mapping):
            if value is not None:
                self.problems.append((path, "it is not a mapping of resources to quantities"))
            return {}
        amounts: Amounts = {}
        for name, text in value.items():
            try:
                amounts[str(name)] = Quantity.parse(text)
            except QuantityError as error:
                self.problems.append(((*path, str(name)), error.reason))
        return amounts


@dataclass(frozen=True, slots=True)
class _Defaults:
    limits: Amounts
    requests: Amounts


def _limit_range_defaults(limit_ranges: Iterable[Any], reader: _Amounts) -> dict[str, _Defaults]:
    """Merge the defaults per type; of several LimitRanges the first that states a value wins."""
    merged: dict[str, _Defaults] = {}
    for number, limit_range in enumerate(limit_ranges):
        spec = limit_range.get("spec") if isinstance(limit_range, Mapping) else None
        items = spec.get("limits") if isinstance(spec, Mapping) else None
        for index, item in enumerate(items if isinstance(items, (list, tuple)) else ()):
            if not isinstance(item, Mapping) or item.get("type") not in ("Container", "Pod"):
                continue
            path: Path = ("limitRanges", number, "spec", "limits", index)
            names = ("default", "defaultRequest", "max", "min")
            limits, requests, most, least = (reader.read(item.get(name), (*path, name)) for name in names)
            if item["type"] == "Container":
                limits = most | limits
                requests = least | limits | requests
            into = merged.setdefault(item["type"], _Defaults({}, {}))
            for target, amounts in ((into.limits, limits), (into.requests, requests)):
                for name, amount in amounts.items():
                    target.setdefault(name, amount)
    return merged


def _containers(
    spec: Mapping[str, Any], field: str, defaults: dict[str, _Defaults], reader: _Amounts
) -> Iterator[tuple[Mapping[str, Any], Amounts]]:
    containers = spec.get(field)
    if containers is None:
        return
    if not isinstance(containers, (list, tuple)):
        reader.problems.append((("spec", field), "it is not a list of containers"))
        return
    for index, container in enumerate(containers):
        path: Path = ("spec", field, index)
        if not isinstance(container, Mapping):
            reader.problems.append((path, "it is not a container"))
            continue
        resources = container.get("resources")
        if resources is not None and not isinstance(resources, Mapping):
            reader.problems.append(((*path, "resources"), "it is not a mapping with requests and limits"))
        given = resources if isinstance(resources, Mapping) else {}
        yield container, _effective(given, (*path, "resources"), defaults.get("Container"), reader)


def _effective(
    resources: Mapping[str, Any], path: Path, defaults: _Defaults | None, reader: _Amounts
) -> Amounts:
    """Requests as stated, else the LimitRange's default request, else the limit (stated or defaulted)."""
    requests = reader.read(resources.get("requests"), (*path, "requests"))
    limits = reader.read(resources.get("limits"), (*path, "limits"))
    if defaults is None:
        return limits | requests
    return defaults.limits | limits | defaults.requests | requests


def _init_containers(
    spec: Mapping[str, Any], total: Amounts, defaults: dict[str, _Defaults], reader: _Amounts
) -> None:
    """Sidecars run all along and add up; other init containers run one by one beside the sidecars before them."""
    sidecars: Amounts = {}
    peak: Amounts = {}
    for container, amounts in _containers(spec, "initContainers", defaults, reader):
        if container.get("restartPolicy") == "Always":
            _add(total, amounts)
            _add(sidecars, amounts)
            _raise(peak, sidecars)
        else:
            _add(amounts, sidecars)
            _raise(peak, amounts)
    _raise(total, peak)


def _add(total: Amounts, amounts: Amounts) -> None:
    for name, amount in amounts.items():
        total[name] = total[name] + amount if name in total else amount


def _raise(total: Amounts, amounts: Amounts) -> None:
    for name, amount in amounts.items():
        if name not in total or total[name] < amount:
            total[name] = amount
