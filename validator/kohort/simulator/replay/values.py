"""When a recorded value and a machine's value mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.amount import kueue_request

_TRUE = ("True", "true", "1")


def alike(field: str, recorded: Any, ours: Any) -> bool:
    """Say whether the two agree; nothing, an empty mapping and an absent entry are the same."""
    if not recorded and not ours:
        return True
    if field == "reservations":
        return _amounts(recorded) == _amounts(ours)
    if field == "flags":
        return _flags(recorded, ours)
    if field == "message":
        return " ".join(str(recorded or "").split()) == " ".join(str(ours or "").split())
    if field in ("pending", "weightedShare", "counts", "counters"):
        return bool(_numbers(recorded) == _numbers(ours))
    return bool(recorded == ours)


def _amounts(value: Any) -> dict[tuple[str, str], int]:
    """Flatten flavor -> resource -> amount; texts are quantities, numbers are Kueue's integers already."""
    result: dict[tuple[str, str], int] = {}
    for flavor, resources in (value or {}).items():
        for resource, amount in (resources or {}).items():
            number = amount if isinstance(amount, int) else _amount(str(amount), resource)
            if number:
                result[flavor, resource] = number
    return result


def _amount(text: str, resource: str) -> int:
    try:
        return kueue_request(Quantity.parse(text), resource)
    except QuantityError:
        return -1


def _numbers(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: found for key, each in value.items() if (found := _numbers(each))}
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        return value


def _flags(recorded: Any, ours: Any) -> bool:
    """Compare conditions: `True Preempted`, or true and false alone, or a list of those that are true."""
    mine: Mapping[str, str] = {str(key).lower(): str(value) for key, value in (ours or {}).items()}
    if isinstance(recorded, Mapping):
        theirs = {str(key).lower(): value for key, value in recorded.items()}
        if any(key not in theirs and each.startswith(_TRUE) for key, each in mine.items()):
            return False
        return all(_flag(value, mine.get(key, "")) for key, value in theirs.items())
    named = {str(each).lower() for each in recorded or ()}
    return named == {key for key, each in mine.items() if each.startswith(_TRUE)}


def _flag(recorded: Any, ours: str) -> bool:
    if isinstance(recorded, bool):
        return recorded == ours.startswith(_TRUE)
    return str(recorded) == ours
