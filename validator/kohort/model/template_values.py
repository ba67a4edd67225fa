"""Values of a template's parameters: read strictly by type, compared with range, choice and pattern."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kohort.model.repo import Parameter
from kohort.model.shown import shown
from kohort.objects.durations import SECOND, DurationError, parse_duration
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.quantity_format import NANO

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

Value: TypeAlias = bool | int | float | str | Quantity

NUMERIC: Final = frozenset({"integer", "number", "quantity"})
RANGED: Final = NUMERIC | {"duration"}
TEXTS: Final = frozenset({"string", "duration", "quantity"})
_LARGEST: Final = 2**63 - 1  # what Kubernetes' integers hold
_LONGEST: Final = 65_536  # characters of a text
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,19}")
_SHOWN: Final = 10


class UnfitError(ValueError):
    """A value that a parameter does not take; the text completes a sentence that begins with the value."""


def read_value(parameter: Parameter, raw: Any) -> Value:
    """The typed value of what YAML gave.

    Quantities are exact, durations stay as typed. Nothing is converted: `"8"` is no integer, `1.10` no text.

    Raises:
        UnfitError: with what is wrong, in words.
    """
    value = _READERS[parameter.type](raw)
    measure = measured(parameter.type, value)
    if parameter.minimum is not None and measure is not None and measure < Fraction(str(parameter.minimum)):
        raise UnfitError(f"{_show(value)} is below {_bound(parameter, parameter.minimum)}")
    if parameter.maximum is not None and measure is not None and measure > Fraction(str(parameter.maximum)):
        raise UnfitError(f"{_show(value)} is above {_bound(parameter, parameter.maximum)}")
    if parameter.enum and not any(_same(parameter.type, value, choice) for choice in parameter.enum):
        words = ", ".join(shown(choice) for choice in parameter.enum[:_SHOWN])
        raise UnfitError(f"{_show(value)} is none of {words}")
    if parameter.pattern and isinstance(value, str) and not matches(parameter.pattern, value):
        raise UnfitError(f"{_show(value)} does not match the pattern {parameter.pattern}")
    return value


def from_text(parameter: Parameter, text: str) -> Any:
    """What a text of the command line means for a parameter; unchanged where it is no number or truth value."""
    if parameter.type in {"integer", "number"} and _INTEGER.fullmatch(text):
        return int(text)
    if parameter.type == "number":
        try:
            return float(text)
        except ValueError:
            return text
    return {"true": True, "false": False}.get(text, text) if parameter.type == "boolean" else text


def measured(kind: str, value: Value) -> Fraction | None:
    """What ranges compare: numbers, quantities in whole units (cores, bytes), durations in seconds; None for the rest."""
    if isinstance(value, Quantity):
        return Fraction(value.nano, NANO)
    if kind == "duration":
        return Fraction(parse_duration(value), SECOND)
    if isinstance(value, (bool, str)):
        return None
    return Fraction(value)


def text_of(value: Value) -> str:
    """A value inside a text; quantities in the form that the server stores."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.canonical() if isinstance(value, Quantity) else str(value)


def matches(pattern: str, text: str) -> bool:
    """Whether the whole text matches. In linear time whatever the pattern is, so neither look-around nor back-references.

    Raises:
        UnfitError: when the pattern is none.
    """
    from pydantic_core import ValidationError  # slow to import, and few templates have patterns

    validator = _pattern(pattern)
    if validator is None:
        raise UnfitError(
            f"{shown(pattern)} is no regular expression (neither look-around nor back-references)"
        )
    try:
        validator.validate_python(text)
    except ValidationError:
        return False
    return True


@cache
def _pattern(pattern: str) -> SchemaValidator | None:
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    schema = core_schema.str_schema(pattern=f"^(?:{pattern})$", regex_engine="rust-regex", strict=True)
    try:
        return SchemaValidator(schema)
    except SchemaError:
        return None


def _integer(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise UnfitError(f"{_show(raw)} is no whole number")
    if abs(raw) > _LARGEST:
        raise UnfitError("the number does not fit 64 bits")
    return raw


def _number(raw: Any) -> int | float:
    if isinstance(raw, float) and math.isfinite(raw):
        return raw
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise UnfitError(f"{_show(raw)} is no number")
    return _integer(raw)


def _string(raw: Any) -> str:
    if isinstance(raw, str):
        if len(raw) > _LONGEST:
            raise UnfitError(f"a text may have at most {_LONGEST} characters, this one has {len(raw)}")
        return raw
    hint = "; write it in quotes" if isinstance(raw, (bool, int, float)) else ""
    raise UnfitError(f"{_show(raw)} is no text{hint}")


def _boolean(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise UnfitError(f"{_show(raw)} is neither true nor false")
    return raw


def _quantity(raw: Any) -> Quantity:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        raise UnfitError(f"{_show(raw)} is no quantity such as 8, 500m or 64Gi")
    if isinstance(raw, int):
        _integer(raw)
    try:
        amount = Quantity.parse(raw)
    except QuantityError as wrong:
        raise UnfitError(f"{_show(raw)} is no quantity: {wrong.reason}") from None
    if amount.sign < 0:
        raise UnfitError(f"{_show(raw)} is below zero")
    return amount


def _duration(raw: Any) -> str:
    try:
        length = parse_duration(raw)
    except DurationError as wrong:
        raise UnfitError(wrong.reason) from None
    if length < 0:
        raise UnfitError(f"{_show(raw)} is below zero")
    return str(raw)


_READERS: Final[Mapping[str, Callable[[Any], Value]]] = {
    "integer": _integer,
    "number": _number,
    "string": _string,
    "boolean": _boolean,
    "quantity": _quantity,
    "duration": _duration,
}


def _same(kind: str, value: Value, choice: Any) -> bool:
    try:
        other = _READERS[kind](choice)
    except UnfitError:
        return False
    one, two = measured(kind, value), measured(kind, other)
    return value == other if one is None or two is None else one == two


def _bound(parameter: Parameter, bound: float) -> str:
    return f"{bound} seconds" if parameter.type == "duration" else str(bound)


def _show(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _LARGEST:
        return "the number"
    return shown(text_of(value) if isinstance(value, Quantity) else value)
