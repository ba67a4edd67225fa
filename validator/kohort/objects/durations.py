"""Go's duration syntax, as Kubernetes and Kueue read it: "1h30m", "90s", "250ms"; days do not exist.

Source: Go's `time.ParseDuration` and `Duration.String` (metav1.Duration is that text in JSON).
"""

from __future__ import annotations

import re
from typing import Final

NANOSECOND: Final = 1
MICROSECOND: Final = 1000
MILLISECOND: Final = 1000 * MICROSECOND
SECOND: Final = 1000 * MILLISECOND
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE

_UNITS: Final = {
    "ns": NANOSECOND, "us": MICROSECOND, "\u00b5s": MICROSECOND, "\u03bcs": MICROSECOND, "ms": MILLISECOND,
    "s": SECOND, "m": MINUTE, "h": HOUR,
}  # fmt: skip
_MAX_INT64: Final = 2**63 - 1
_MAX_TEXT: Final = 256
_PART: Final = re.compile(r"([0-9]*)(\.?)([0-9]*)([^.0-9]*)")
_HINTS: Final = {
    "d": "a day is 24h", "w": "a week is 168h", "min": "a minute is m", "mins": "a minute is m",
    "sec": "a second is s", "secs": "a second is s", "hr": "an hour is h", "hour": "an hour is h",
}  # fmt: skip


class DurationError(ValueError):
    """A text that is no duration; `reason` says why in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def parse_duration(text: object) -> int:
    """Return the duration in nanoseconds.

    Raises:
        DurationError: when Go would refuse the text, or when the value is no text at all.
    """
    if not isinstance(text, str):
        raise DurationError(f'a duration is a text such as "30s", not {type(text).__name__}')
    if len(text) > _MAX_TEXT:
        raise DurationError(f"a duration may have at most {_MAX_TEXT} characters, this one has {len(text)}")
    shown = ascii(text)[1:-1]
    negative = text.startswith("-")
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0
    if not rest:
        raise DurationError(f'"{shown}" is not a duration: it has no number')
    total = 0
    while rest:
        match = _PART.match(rest)
        # Each part of the pattern may be empty, so it always matches.
        whole, _, fraction, unit = match.groups() if match else ("", "", "", "")
        if not whole and not fraction:
            raise DurationError(f'"{shown}" is not a duration: {rest[0]!a} is not a number')
        total += _part(shown, whole, fraction, unit)
        if total > _MAX_INT64 + 1:
            raise DurationError(f'"{shown}" is not a duration: it is longer than 292 years')
        rest = rest[match.end() :] if match else ""
    if total > _MAX_INT64 and not negative:
        raise DurationError(f'"{shown}" is not a duration: it is longer than 292 years')
    return -total if negative else total


def _part(shown: str, whole: str, fraction: str, unit: str) -> int:
    if not unit:
        raise DurationError(f'"{shown}" is not a duration: the unit is missing (ns, us, ms, s, m or h)')
    size = _UNITS.get(unit)
    if size is None:
        hint = _HINTS.get(unit, "units are ns, us, ms, s, m and h")
        raise DurationError(
            f'"{shown}" is not a duration: the unit "{ascii(unit)[1:-1]}" is not known; {hint}'
        )
    # Go multiplies the fraction in floating point and drops what is below a nanosecond.
    kept = _leading_fraction(fraction)
    return int(whole or "0") * size + int(float(kept[0]) * (float(size) / kept[1]))


def _leading_fraction(digits: str) -> tuple[int, float]:
    """Return the digits that fit 63 bits and their power of ten; further digits change nothing."""
    value, power = 0, 1.0
    for digit in digits:
        if value > (_MAX_INT64 - 9) // 10:
            break
        value = value * 10 + int(digit)
        power *= 10
    return value, power


def format_duration(nanoseconds: int) -> str:
    """Return the text that Go prints: "1h30m0s", "1.5s", "250ms", "0s"."""
    if nanoseconds == 0:
        return "0s"
    sign, size = ("-" if nanoseconds < 0 else ""), abs(nanoseconds)
    if size < SECOND:
        for unit, name in ((MILLISECOND, "ms"), (MICROSECOND, "\u00b5s"), (NANOSECOND, "ns")):
            if size >= unit:
                return f"{sign}{_decimal(size, unit)}{name}"
    minutes, seconds = divmod(size, MINUTE)
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(seconds, SECOND)}s"
    if hours:
        return f"{sign}{hours}h{minutes}m{text}"
    return f"{sign}{minutes}m{text}" if minutes else f"{sign}{text}"


def _decimal(value: int, unit: int) -> str:
    whole, rest = divmod(value, unit)
    digits = len(str(unit)) - 1
    return f"{whole}.{rest:0{digits}}".rstrip("0").rstrip(".") if rest else str(whole)
