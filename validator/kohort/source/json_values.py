"""JSON read by the standard library: ten times as fast, with the same values as the YAML reader gives."""

from __future__ import annotations

import json
import math
from typing import Any

_SAFE_DIGITS = 18


class _OddError(ValueError):
    """Something that the YAML reader has to judge."""


def read_json(text: str, most_levels: int) -> Any:
    """The value of a text that is one JSON object or list without any oddity. Raises ValueError for all others.

    Odd are repeated keys, numbers beyond 64 bits or floats, NaN, and nesting beyond `most_levels`.
    """
    if text.lstrip()[:1] not in {"{", "["}:
        raise _OddError
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
        )
    except RecursionError as error:
        raise _OddError from error
    _check_depth(value, most_levels)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _OddError
    return value


def _integer(text: str) -> int:
    if len(text) > _SAFE_DIGITS:
        raise _OddError
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _OddError
    return value


def _constant(text: str) -> Any:
    raise _OddError(text)


def _check_depth(value: Any, levels: int) -> None:
    if levels < 0:
        raise _OddError
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return
    for item in value:
        if isinstance(item, dict | list):
            _check_depth(item, levels - 1)
