"""Formats of numbers and strings that the API server enforces."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

RANGES: Final = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "": (-(2**63), 2**63 - 1),
}

# The largest number up to which every integer has an exact floating point value (as Go's JSON reader sees it).
MAX_FLOAT_INTEGER: Final = 2**53 - 1
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))\Z", re.ASCII | re.DOTALL
)
_RFC3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})\Z", re.ASCII
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", re.ASCII)
_MIN_DATE_TIME = 4


def is_date_time(text: str) -> bool:
    """Whether `text` passes the format date-time of the API server (lenient about the case of T and Z)."""
    if len(text) < _MIN_DATE_TIME:
        return False
    parts = text.lower().split("t")
    if len(parts) < 2 or not _is_date(parts[0]):
        return False
    match = _TIME.match(parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def is_rfc3339(text: str) -> bool:
    """Whether `text` is a time that Kubernetes' own types can read (metadata, typed objects)."""
    return _RFC3339.match(text) is not None and is_date_time(text)


def _is_date(text: str) -> bool:
    if _DATE.match(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return text.startswith("0000-")  # a year that Go has and Python lacks
    return True


def integer_of(value: float) -> int | None:
    """The integer that the API server sees in a floating point number, None when it sees none.

    `1.0` and `1e3` are integers; the largest is 2**53 - 1. A relative difference below 1e-9 is ignored.
    """
    if value != value or abs(value) > MAX_FLOAT_INTEGER:  # noqa: PLR0124 - not a number
        return None
    whole = round(value)
    if value == whole:
        return whole
    largest = abs(value) + abs(whole)
    return whole if whole and abs(value - whole) / largest < 1e-9 else None
