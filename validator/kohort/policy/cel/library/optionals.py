"""Optional values. Source: cel-go's optional types, which Kubernetes has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.policy.cel.values import Maybe, word_for
from kohort.policy.cel.wrong import Wrong

_EMPTY: Final = (0, "", b"", None, False)


def _optional(value: Any, name: str) -> Maybe:
    if isinstance(value, Maybe):
        return value
    raise Wrong(f"`{name}` takes an optional value, not {word_for(value)}")


def _value(of: Any) -> Any:
    found = _optional(of, "value")
    if not found.there:
        raise Wrong("there is no value: ask hasValue() first, or use orValue(…)")
    return found.value


def _something(value: Any) -> Maybe:
    empty = value in _EMPTY if not isinstance(value, (list, Mapping)) else not value
    return Maybe(there=False) if empty else Maybe(there=True, value=value)


def _or(one: Any, other: Any) -> Maybe:
    return one if _optional(one, "or").there else _optional(other, "or")


OPTIONALS: Final[Mapping[str, Callable[..., Any]]] = {
    "optional.of": lambda value: Maybe(there=True, value=value),
    "optional.none": lambda: Maybe(there=False),
    "optional.ofNonZeroValue": _something,
    "hasValue": lambda of: _optional(of, "hasValue").there,
    "value": _value,
    "or": _or,
    "orValue": lambda of, other: of.value if _optional(of, "orValue").there else other,
}
