"""Durations and points in time. Source: the CEL language definition, sections Timestamps and Durations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from kohort.policy.cel.library.texts import text
from kohort.policy.cel.values import MAX_INT, Duration, Moment, word_for
from kohort.policy.cel.wrong import Wrong

_UNITS: Final = {
    "h": 3600 * 10**9,
    "m": 60 * 10**9,
    "s": 10**9,
    "ms": 10**6,
    "us": 10**3,
    "µs": 10**3,
    "ns": 1,
}
_PART: Final = re.compile(r"([0-9]{0,20})(?:\.([0-9]{0,20}))?(ms|us|µs|ns|h|m|s)")
_MOMENT: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_OFFSET: Final = re.compile(r"([+-]?)([0-9]{1,2}):([0-9]{2})")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = 10**9


def duration(value: Any) -> Duration:
    """`1h30m`. Raises Wrong for what is none."""
    if isinstance(value, Duration):
        return value
    written = text(value, "duration")
    rest, total = written.lstrip("+-"), 0
    wrong = Wrong(f"`{written}` is no duration, such as 1h30m")
    if len(written) - len(rest) > 1 or not rest:
        raise wrong
    if rest != "0":
        at = 0
        while at < len(rest):
            found = _PART.match(rest, at)
            if found is None or not (found.group(1) or found.group(2)):
                raise wrong
            number, fraction, unit = found.groups()
            total += int(number or 0) * _UNITS[unit]
            total += int(fraction) * _UNITS[unit] // 10 ** len(fraction) if fraction else 0
            at = found.end()
    if total > MAX_INT:
        raise wrong
    return Duration(-total if written.startswith("-") else total)


def moment(value: Any) -> Moment:
    """`2026-01-01T00:00:00Z`, or seconds since 1970. Raises Wrong for what is none."""
    if isinstance(value, Moment):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Moment(int(value) * _SECOND)
    written = text(value, "timestamp")
    found, wrong = (
        _MOMENT.fullmatch(written),
        Wrong(f"`{written}` is no timestamp, such as 2026-01-01T00:00:00Z"),
    )
    if found is None:
        raise wrong
    zone = found.group(8).upper().replace("Z", "+00:00")
    try:
        seconds = int((datetime.fromisoformat(f"{written[:19].upper()}{zone}") - _EPOCH).total_seconds())
    except (ValueError, OverflowError):
        raise wrong from None
    return Moment(seconds * _SECOND + int((found.group(7) or "0").ljust(9, "0")))


def shown_duration(value: Duration) -> str:
    """In seconds: `90s`, `1.5s`."""
    seconds, rest = divmod(abs(value.nanos), _SECOND)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{'-' if value.nanos < 0 else ''}{seconds}{fraction}s"


def shown_moment(value: Moment) -> str:
    """`2026-01-01T00:00:00Z`."""
    seconds, rest = divmod(value.nanos, _SECOND)
    try:
        at = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        raise Wrong("the timestamp is beyond the years 1 to 9999") from None
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{at:%Y-%m-%dT%H:%M:%S}{fraction}Z".rjust(20 + len(fraction), "0")


def _zone(name: str) -> tzinfo:
    found = _OFFSET.fullmatch(name)
    if found:
        sign, hours, minutes = found.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(-offset if sign == "-" else offset)
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise Wrong(f"there is no time zone `{name}`") from None


def _of_moment(name: str, part: Callable[[datetime], int], total: int | None = None) -> Callable[..., int]:
    """A part of a point in time, in a time zone; of a duration all of it in units of `total` nanoseconds."""

    def of(value: Any, zone: Any = "UTC") -> int:
        if isinstance(value, Duration) and total is not None:
            return int(value.nanos / total) if name != "getMilliseconds" else value.nanos // total
        if not isinstance(value, Moment):
            raise Wrong(f"`{name}` takes a timestamp, not {word_for(value)}")
        at = _EPOCH + timedelta(microseconds=value.nanos // 1000)
        return part(at.astimezone(_zone(text(zone, name))))

    return of


TIMES: Final[Mapping[str, Callable[..., Any]]] = {
    "duration": duration,
    "timestamp": moment,
    "getFullYear": _of_moment("getFullYear", lambda at: at.year),
    "getMonth": _of_moment("getMonth", lambda at: at.month - 1),
    "getDate": _of_moment("getDate", lambda at: at.day),
    "getDayOfMonth": _of_moment("getDayOfMonth", lambda at: at.day - 1),
    "getDayOfWeek": _of_moment("getDayOfWeek", lambda at: at.isoweekday() % 7),
    "getDayOfYear": _of_moment("getDayOfYear", lambda at: at.timetuple().tm_yday - 1),
    "getHours": _of_moment("getHours", lambda at: at.hour, 3600 * _SECOND),
    "getMinutes": _of_moment("getMinutes", lambda at: at.minute, 60 * _SECOND),
    "getSeconds": _of_moment("getSeconds", lambda at: at.second, _SECOND),
    "getMilliseconds": _of_moment("getMilliseconds", lambda at: at.microsecond // 1000, 10**6),
}
