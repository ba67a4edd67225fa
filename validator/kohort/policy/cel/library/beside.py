"""What Kohort's policies may use and Kubernetes' may not: numbers and base64. Source: cel-go's extensions of math and encoders."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.policy.cel.library.lists import largest, smallest
from kohort.policy.cel.library.texts import text
from kohort.policy.cel.values import is_number, word_for
from kohort.policy.cel.wrong import Wrong


def _all(values: tuple[Any, ...]) -> list[Any]:
    return values[0] if len(values) == 1 and isinstance(values[0], list) else list(values)


def _number(name: str, of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def ask(value: Any) -> Any:
        if not is_number(value):
            raise Wrong(f"`{name}` takes a number, not {word_for(value)}")
        return of(value)

    return ask


def _rounded(name: str, of: Callable[[float], float]) -> Callable[[Any], Any]:
    return _number(name, lambda value: float(of(value)) if math.isfinite(value) else value)


def _decoded(value: Any) -> bytes:
    try:
        return base64.b64decode(text(value, "base64.decode"), validate=True)
    except (binascii.Error, ValueError):
        raise Wrong("this is no base64") from None


def _encoded(value: Any) -> str:
    if not isinstance(value, bytes):
        raise Wrong(f"`base64.encode` takes bytes, not {word_for(value)}: write bytes(…)")
    return base64.b64encode(value).decode()


BESIDE: Final[Mapping[str, Callable[..., Any]]] = {
    "math.greatest": lambda *values: largest(_all(values)),
    "math.least": lambda *values: smallest(_all(values)),
    "math.abs": _number("math.abs", abs),
    "math.sign": _number("math.sign", lambda value: (value > 0) - (value < 0)),
    "math.ceil": _rounded("math.ceil", math.ceil),
    "math.floor": _rounded("math.floor", math.floor),
    "math.trunc": _rounded("math.trunc", math.trunc),
    "math.round": _rounded("math.round", lambda value: math.copysign(math.floor(abs(value) + 0.5), value)),
    "base64.encode": _encoded,
    "base64.decode": _decoded,
}
