"""Lengths and moments of a scenario's time, read to whole milliseconds.

A length is Go's notation (`90s`, `1h30m`) with days before it (`90d`, `1d12h`). A moment is a length from the start, or
a date on which the run is when its `start` is a date too.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from kohort.model.kinds.fields import Words
from kohort.objects.durations import MILLISECOND, DurationError, parse_duration

DAY = 86_400_000
_DAYS = re.compile(r"(-?)([0-9]{1,6})d(.*)")
_PATTERN = r"^([0-9]+d)?([0-9]+(\.[0-9]+)?(ms|s|m|h))*$"
_WANTED = "a length of time such as 30s, 10m, 2h or 90d"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as typed: milliseconds from the start, or a date."""

    after: int = 0
    day: dt.datetime | None = None


def _error(code: str, text: str) -> PydanticCustomError:
    return PydanticCustomError("kohort", "{text}", {"code": code, "text": text, "at": ()})


def length(value: Any) -> int:
    """Milliseconds, below zero too. Raises pydantic's error with our words."""
    if not isinstance(value, str):
        raise _error("SRC102", _WANTED)
    match = _DAYS.fullmatch(value)
    try:
        rest = parse_duration(match[3]) if match and match[3] else 0 if match else parse_duration(value)
    except DurationError as problem:
        reason = problem.reason.partition(": ")[2] or problem.reason
        raise _error("SRC105", f"is no length of time: {reason}") from None
    days = int(match[2]) * DAY if match else 0
    total = days + rest // MILLISECOND if rest >= 0 else -(-rest // MILLISECOND)
    return -total if match and match[1] else total


def _length(value: Any) -> int:
    found = length(value)
    if found < 0:
        raise _error("SRC105", "is below zero")
    return found


def _positive(value: Any) -> int:
    found = length(value)
    if found <= 0:
        raise _error(
            "SRC105", "is no length above zero" if found else "is zero: nothing can happen in no time"
        )
    return found


def _moment(value: Any) -> Moment:
    if isinstance(value, (dt.date, dt.datetime)) or (
        isinstance(value, str) and re.match(r"[0-9]{4}-", value)
    ):
        try:
            day = dt.datetime.fromisoformat(str(value).replace(" ", "T"))
        except ValueError:
            raise _error("SRC105", "is no date: write 2026-03-31 or 2026-03-31T08:30") from None
        return Moment(day=day.replace(tzinfo=None))
    found = length(value)
    if found < 0:
        raise _error("SRC105", "is in the past: a run starts at 0s")
    return Moment(found)


_LENGTH_SCHEMA = WithJsonSchema({"type": "string", "pattern": _PATTERN})

LengthField: TypeAlias = Annotated[
    int, PlainValidator(_length), _LENGTH_SCHEMA, Words("length of time", "lengths of time")
]
PositiveLength: TypeAlias = Annotated[
    int,
    PlainValidator(_positive),
    _LENGTH_SCHEMA,
    Words("length of time above zero", "lengths of time above zero"),
]
MomentField: TypeAlias = Annotated[
    Moment,
    PlainValidator(_moment),
    WithJsonSchema({"type": "string"}),
    Words("moment (a length from the start, or a date)", "moments"),
]


def _moments(value: Any) -> Moment | tuple[Moment, ...]:
    if not isinstance(value, list):
        return _moment(value)
    found = []
    for number, item in enumerate(value):
        try:
            found.append(_moment(item))
        except PydanticCustomError as error:
            context = error.context or {}
            raise PydanticCustomError("kohort", "{text}", {**context, "at": (number,)}) from None
    if not found:
        raise _error("SRC105", "is empty")
    return tuple(found)


MomentsField: TypeAlias = Annotated[
    Moment | tuple[Moment, ...],
    PlainValidator(_moments),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
    Words("moment, or several", "moments"),
]
