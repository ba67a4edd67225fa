"""One requirement of a selector: a key, an operator and values, held against labels.

Source: apimachinery 0.36 `labels.Requirement.Matches`; Gt and Lt exist for nodes only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kohort.dataclass import dataclass
from kohort.objects.names import label_key, label_value

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,64}")
_INT64: Final = range(-(2**63), 2**63)
LABEL_OPERATORS: Final = frozenset({"In", "NotIn", "Exists", "DoesNotExist"})
NODE_OPERATORS: Final = LABEL_OPERATORS | {"Gt", "Lt"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """A well-formed requirement."""

    key: str
    operator: str
    values: tuple[str, ...]


def readable_requirement(value: Any, operators: frozenset[str] = LABEL_OPERATORS) -> Requirement | None:
    """Return the requirement, or None for one that the server's own matching rejects as malformed."""
    if not isinstance(value, Mapping):
        return None
    key, operator, values = value.get("key"), value.get("operator"), value.get("values")
    values = [] if values is None else values
    if not isinstance(key, str) or not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        return None
    if not isinstance(operator, str) or operator not in operators or label_key(key) is not None:
        return None
    texts = tuple(text for text in values if isinstance(text, str) and label_value(text) is None)
    if len(texts) != len(values) or not _fits(operator, texts):
        return None
    return Requirement(key, operator, texts)


def _fits(operator: str, values: tuple[str, ...]) -> bool:
    if operator in ("In", "NotIn"):
        return bool(values)
    if operator in ("Gt", "Lt"):
        return len(values) == 1 and _integer(values[0]) is not None
    return not values


def label_requirement_holds(requirement: Requirement, labels: Mapping[str, str]) -> bool:
    """Whether the requirement holds for these labels; NotIn and DoesNotExist hold where the key is absent."""
    value = labels.get(requirement.key)
    match requirement.operator:
        case "In":
            return value in requirement.values
        case "NotIn":
            return value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
    have = None if value is None else _integer(value)
    bound = _integer(requirement.values[0])
    if have is None or bound is None:
        return False
    return have > bound if requirement.operator == "Gt" else have < bound


def _integer(text: str) -> int | None:
    """Read a 64-bit decimal integer as Go does, or None."""
    number = int(text) if _INTEGER.fullmatch(text) else None
    return number if number is not None and number in _INT64 else None
