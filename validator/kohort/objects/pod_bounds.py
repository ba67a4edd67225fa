"""What Kueue says of pods that ask for more than their own limits or than a LimitRange of their namespace allows.

Source: Kueue 0.19.1 `pkg/workload/resources.go` (ValidateResources, ValidateLimitRange) and `pkg/util/limitrange`: of several
LimitRanges the lowest maximum and the highest minimum count, defaults are filled in before, amounts are whole (milli-cores).
The words are Kueue's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kohort.objects.pod_requests import Amounts, adjusted, pod_requests
from kohort.objects.quantity import Quantity, QuantityError

_LIMITS: Final = "resources validation failed"
_RANGES: Final = "resources didn't satisfy LimitRange constraints"
_OVER_OWN: Final = "requests must not exceed its limits"
_OVER: Final = "requests must not be above the limitRange max"
_UNDER: Final = "requests must not be below the limitRange min"


def refusal(templates: Sequence[Any], limit_ranges: Sequence[Any]) -> str:
    """Why a workload with these pod templates, in order, is not looked at; empty where nothing is wrong.

    RuntimeClass objects may stand among the LimitRanges.
    """
    if not limit_ranges and all(map(_requests_are_limits, templates)):
        return ""  # most pods: nothing has to be read as an amount
    own = [error for number, each in enumerate(templates) for error in _own(each, number, limit_ranges)]
    if own:
        return f"{_LIMITS}: {_together(own)}"
    bounds = {
        kind: (_bound(limit_ranges, kind, "max"), _bound(limit_ranges, kind, "min"))
        for kind in ("Container", "Pod")
    }
    if not any(amounts for pair in bounds.values() for amounts in pair):
        return ""
    found: list[str] = []
    for number, template in enumerate(templates):
        at = _path(number)
        for field, index, requests, limits in adjusted(template, limit_ranges):
            if field == "resources":
                continue
            most, least = bounds["Container"]
            high, low = _merged(requests, limits, max), _merged(requests, limits, min)
            found += _broken(f"{at}.{field}[{index}]", high, low, most, least)
        total = pod_requests(template, limit_ranges).values
        found += _broken(at, total, total, *bounds["Pod"])
    return f"{_RANGES}: {_together(found)}" if found else ""


def _requests_are_limits(template: Any) -> bool:
    """Whether every request is written just as its limit, or has none."""
    spec = template.get("spec") if isinstance(template, Mapping) else None
    if not isinstance(spec, Mapping) or spec.get("resources"):
        return False
    for field in ("initContainers", "containers"):
        listed = spec.get(field)
        for each in listed if isinstance(listed, (list, tuple)) else ():
            given = each.get("resources") if isinstance(each, Mapping) else None
            requests, limits = (
                (given.get("requests"), given.get("limits")) if isinstance(given, Mapping) else (None, None)
            )
            if not isinstance(requests, Mapping) or not isinstance(limits, Mapping):
                continue
            if any(limits.get(name, value) != value for name, value in requests.items()):
                return False
    return True


def _own(template: Any, number: int, limit_ranges: Sequence[Any]) -> Iterator[str]:
    for field, index, requests, limits in adjusted(template, limit_ranges):
        names = _above(requests, limits)
        if names:
            place = field if field == "resources" else f"{field}[{index}]"
            yield _error(f"{_path(number)}.{place}", names, _OVER_OWN)


def _broken(path: str, high: Amounts, low: Amounts, most: Amounts, least: Amounts) -> Iterator[str]:
    if names := _above(high, most):
        yield _error(path, names, _OVER)
    if names := _above(least, low):
        yield _error(path, names, _UNDER)


def _above(amounts: Amounts, bounds: Amounts) -> list[str]:
    """The resources of which there is more than the bound; those that only one of both names do not count."""
    return sorted(
        name
        for name, amount in amounts.items()
        if name in bounds and _whole(amount, name) > _whole(bounds[name], name)
    )


def _whole(amount: Quantity, resource: str) -> int:
    return amount.milli() if resource == "cpu" else amount.units()


def _merged(one: Amounts, other: Amounts, which: Any) -> Amounts:
    both = {name: which(one[name], other[name]) for name in one.keys() & other.keys()}
    return {**one, **other, **both}


def _bound(limit_ranges: Sequence[Any], kind: str, side: str) -> Amounts:
    """The lowest `max` or the highest `min` of all LimitRanges."""
    found: Amounts = {}
    for obj in limit_ranges:
        spec = obj.get("spec") if isinstance(obj, Mapping) else None
        items = spec.get("limits") if isinstance(spec, Mapping) else None
        for item in items if isinstance(items, (list, tuple)) else ():
            stated = item.get(side) if isinstance(item, Mapping) and item.get("type") == kind else None
            for name, value in stated.items() if isinstance(stated, Mapping) else ():
                try:
                    amount = Quantity.parse(value)
                except QuantityError:
                    continue
                known = found.get(str(name))
                closer = known is None or (amount < known if side == "max" else known < amount)
                found[str(name)] = amount if closer or known is None else known
    return found


def _path(number: int) -> str:
    return f"spec.podSets[{number}].template.spec"


def _error(path: str, names: Sequence[str], words: str) -> str:
    return f"{path}: Invalid value: [{','.join(_quoted(name) for name in names)}]: {words}"


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _together(errors: Sequence[str]) -> str:
    """Several errors in Go's way: each once, in brackets."""
    once = list(dict.fromkeys(errors))
    return once[0] if len(once) == 1 else f"[{', '.join(once)}]"
