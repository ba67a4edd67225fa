"""`'%s has %d'.format([name, 8])`. Source: cel-go's string extension, version 2, which Kubernetes uses, in its locale en-US."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.policy.cel.library.conversions import shown, shown_float
from kohort.policy.cel.library.lists import items
from kohort.policy.cel.library.texts import quote, text
from kohort.policy.cel.values import Duration, Moment, is_number, word_for
from kohort.policy.cel.wrong import Wrong

_DIRECTIVE: Final = re.compile(r"%(?:(\.[0-9]{1,3})?([sdfexXob%])|(.{0,2}))", re.DOTALL)
_RAISED: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def formatted(template: Any, values: Any) -> str:
    """The text with its values: %s, %d, %f, %e, %x, %X, %o, %b and %%. Raises Wrong where they do not fit."""
    left = list(items(values, "format"))

    def one(found: re.Match[str]) -> str:
        digits, letter, strange = found.groups()
        if letter == "%":
            return "%"
        if strange is not None:
            raise Wrong(
                f"format knows no `%{strange[:1]}`: %s, %d, %f, %e, %x, %X, %o, %b, and %% for the sign itself"
            )
        if not left:
            raise Wrong(f"format has {found.group()} and no value for it")
        return _CLAUSES[letter](left.pop(0), int(digits[1:]) if digits else 6, found.group())

    made = _DIRECTIVE.sub(one, text(template, "format"))
    if left:
        raise Wrong(f"format is given {len(left)} more values than it has places for")
    return made


def _any(value: Any, _digits: int, _clause: str) -> str:
    if value is None:
        return "null"
    if isinstance(value, (list, Mapping)):
        return _within(value)
    return shown(value)


def _within(value: Any) -> str:
    """As a part of a list or map: so that CEL could read it again."""
    if isinstance(value, list):
        return f"[{', '.join(_within(each) for each in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{_within(key)}:{_within(value[key])}" for key in value)) + "}"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bytes):
        return f"b{quote(shown(value))}"
    if isinstance(value, float):
        return f"{value:.6f}" if math.isfinite(value) else f'"{shown_float(value)}"'
    if isinstance(value, (Duration, Moment)):
        return f'{"duration" if isinstance(value, Duration) else "timestamp"}("{shown(value)}")'
    return "null" if value is None else shown(value)


def _whole(value: Any, _digits: int, clause: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong(f"{clause} takes a whole number, not {_described(value)}")
    return str(int(value))


def _fraction(value: Any, clause: str) -> float:
    if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
        return float(value)
    if not isinstance(value, float):
        hint = ": write double(…)" if is_number(value) else ""
        raise Wrong(f"{clause} takes a number with a fraction, not {_described(value)}{hint}")
    return value


def _fixed(value: Any, digits: int, clause: str) -> str:
    number = _fraction(value, clause)
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "∞" if number > 0 else "-∞"
    return f"{number:,.{digits}f}"


def _scientific(value: Any, digits: int, clause: str) -> str:
    """As Kubernetes prints it, six digits whatever was asked for."""
    number = _fraction(value, clause)
    if not math.isfinite(number):
        return _fixed(number, digits, clause)
    mantissa, _, exponent = f"{number:.6e}".partition("e")
    return f"{mantissa}×10{exponent.lstrip('+').translate(_RAISED)}"


def _based(letter: str) -> Callable[[Any, int, str], str]:
    def of(value: Any, _digits: int, clause: str) -> str:
        if isinstance(value, bool) and letter == "b":
            return "1" if value else "0"
        if isinstance(value, (str, bytes)) and letter in "xX":
            found = (value if isinstance(value, bytes) else value.encode()).hex()
            return found.upper() if letter == "X" else found
        if isinstance(value, bool) or not isinstance(value, int):
            raise Wrong(f"{clause} takes a whole number, not {_described(value)}")
        return f"{int(value):{letter}}"

    return of


def _described(value: Any) -> str:
    return f"{word_for(value)} {value!r:.40}" if isinstance(value, (str, int, float)) else word_for(value)


_CLAUSES: Final[Mapping[str, Callable[[Any, int, str], str]]] = {
    "s": _any,
    "d": _whole,
    "f": _fixed,
    "e": _scientific,
    **{letter: _based(letter) for letter in "xXob"},
}
