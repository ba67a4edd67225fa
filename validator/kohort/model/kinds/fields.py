"""Types of single values: names, quantities, limits, dates; each with its own words for what is wrong."""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from kohort.dataclass import dataclass
from kohort.diagnostics.visible import shows
from kohort.model.repo import Limit
from kohort.objects.names import dns_label, dns_subdomain
from kohort.objects.quantity import Quantity, QuantityError

_NAME = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_FRACTION = re.compile(r"([0-9]{1,9})(?:/([0-9]{1,9}))?|[0-9]{0,9}\.[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Words:
    """What people call a type: one and several of it."""

    one: str
    many: str


def _error(code: str, text: str) -> PydanticCustomError:
    return PydanticCustomError("kohort", "{text}", {"code": code, "text": text, "at": ()})


def _text(value: Any, wanted: str) -> str:
    if not isinstance(value, str):
        raise _error("SRC102", wanted)
    return value


def _read_name(value: Any) -> str:
    text = _text(value, "a name")
    wrong = dns_subdomain(text)
    if wrong:
        raise _error("SRC106", f"is no name: {wrong}")
    return text


def _read_label(value: Any) -> str:
    text = _text(value, "a name")
    wrong = dns_label(text)
    if wrong:
        raise _error("SRC106", f"is no namespace name: {wrong}")
    return text


def _read_sentence(value: Any) -> str:
    text = _text(value, "text")
    if not any(shows(letter) and not letter.isspace() for letter in text):
        raise _error("SRC105", "is empty")
    return text


def read_quantity(value: Any) -> Quantity:
    """A quantity that is not below zero. Raises pydantic's error with our words."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _error("SRC102", "a quantity such as 8, 500m or 64Gi")
    try:
        amount = Quantity.parse(value)
    except QuantityError as problem:
        raise _error("SRC105", f"is no quantity: {problem.reason}") from None
    if amount.sign < 0:
        raise _error("SRC105", "is below zero")
    return amount


def _read_limit(value: Any) -> Limit:
    if value == "any":
        return "any"
    if value == "none":
        return "none"
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 0:
            raise _error("SRC105", "is below zero; `none` or 0 forbids it, `any` sets no limit")
        return value
    if isinstance(value, str):
        raise _error("SRC104", "any|none|a whole number")
    raise _error("SRC102", "`any`, `none` or a whole number")


def _read_remainder(value: Any) -> Literal["remainder"] | int:
    if value == "remainder":
        return "remainder"
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 0:
            raise _error("SRC105", "is below zero")
        return value
    if isinstance(value, str):
        raise _error("SRC104", "remainder|a whole number")
    raise _error("SRC102", "`remainder` or a whole number")


def _read_percent(value: Any) -> int | None:
    if value == "unbounded":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 100:
            raise _error("SRC105", "is below 100: an overcommit allows more than healthy capacity")
        return value
    if isinstance(value, str):
        raise _error("SRC104", "unbounded|a whole number")
    raise _error("SRC102", "a percentage from 100, or `unbounded`")


def _read_fraction(value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _error("SRC102", "a part of one GPU such as 3/7")
    match = _FRACTION.fullmatch(str(value))
    if match is None or (match[2] is not None and int(match[2]) == 0):
        raise _error("SRC105", "is no part of a GPU: write a fraction such as 3/7")
    part = Fraction(str(value))
    if not 0 < part <= 1:
        raise _error("SRC105", "is no part of a GPU: it must be above 0 and at most 1")
    return part


def _read_date(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return value.date().isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    text = _text(value, "a date such as 2026-03-31")
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise _error("SRC105", "is no date: write year-month-day, such as 2026-03-31")
    return text


def _read_number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _error("SRC102", "a number")
    return value


def _read_status(value: Any) -> str:
    """A condition's status: `True`, `False`, `Unknown`; YAML reads the first two as booleans."""
    if isinstance(value, bool):
        return str(value)
    text = _text(value, "true, false or Unknown")
    if text not in ("True", "False", "Unknown"):
        raise _error("SRC104", "True|False|Unknown")
    return text


_QUANTITY_SCHEMA = {
    "anyOf": [{"type": "string"}, {"type": "number", "minimum": 0}],
    "x-kohort-type": "quantity",
}

_NAME_SCHEMA = {"type": "string", "pattern": f"^{_NAME}$", "maxLength": 253}
_LABEL_SCHEMA = {"type": "string", "pattern": f"^{_LABEL}$", "maxLength": 63}
_FRACTION_SCHEMA = {
    "anyOf": [{"type": "string", "pattern": "^[0-9]+(/[0-9]+)?$|^[0-9]*\\.[0-9]+$"}, {"type": "number"}]
}


def _words_or_count(*words: str, minimum: int = 0) -> WithJsonSchema:
    return WithJsonSchema({"anyOf": [{"enum": list(words)}, {"type": "integer", "minimum": minimum}]})


Sentence: TypeAlias = Annotated[
    str,
    PlainValidator(_read_sentence),
    WithJsonSchema({"type": "string", "minLength": 1}),
    Words("text", "texts"),
]
"""Words for people: something of them can be seen."""
Name: TypeAlias = Annotated[
    str, PlainValidator(_read_name), WithJsonSchema(_NAME_SCHEMA), Words("name", "names")
]
LabelName: TypeAlias = Annotated[
    str, PlainValidator(_read_label), WithJsonSchema(_LABEL_SCHEMA), Words("name", "names")
]
QuantityField: TypeAlias = Annotated[
    Quantity,
    PlainValidator(read_quantity),
    WithJsonSchema(_QUANTITY_SCHEMA),
    Words("quantity", "quantities"),
]
LimitField: TypeAlias = Annotated[
    Limit,
    PlainValidator(_read_limit),
    _words_or_count("any", "none"),
    Words("any, none or a whole number", "limits (any, none or a whole number)"),
]
RemainderField: TypeAlias = Annotated[
    Literal["remainder"] | int,
    PlainValidator(_read_remainder),
    _words_or_count("remainder"),
    Words("remainder or a whole number", "amounts"),
]
PercentField: TypeAlias = Annotated[
    int | None,
    PlainValidator(_read_percent),
    _words_or_count("unbounded", minimum=100),
    Words("percentage from 100, or unbounded", "percentages"),
]
FractionField: TypeAlias = Annotated[
    Fraction, PlainValidator(_read_fraction), WithJsonSchema(_FRACTION_SCHEMA), Words("fraction", "fractions")
]
NumberField: TypeAlias = Annotated[
    int | float, PlainValidator(_read_number), WithJsonSchema({"type": "number"}), Words("number", "numbers")
]
DateField: TypeAlias = Annotated[
    str,
    PlainValidator(_read_date),
    WithJsonSchema({"type": "string", "format": "date"}),
    Words("date", "dates"),
]
StatusField: TypeAlias = Annotated[
    str,
    PlainValidator(_read_status),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"enum": ["True", "False", "Unknown"]}]}),
    Words("true, false or Unknown", "statuses (true, false or Unknown)"),
]

Count: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000_000)]
Positive: TypeAlias = Annotated[int, Field(ge=1, le=1_000_000_000)]
StringMap: TypeAlias = dict[str, str]
Quantities: TypeAlias = dict[str, QuantityField]
