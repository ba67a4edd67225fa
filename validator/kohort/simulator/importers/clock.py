"""Times as traces write them, to milliseconds. Those without a zone are taken as UTC, which shifts all alike."""

from __future__ import annotations

import datetime as dt
import re

_ELAPSED = re.compile(r"(?:([0-9]+)-)?(?:([0-9]+):)?([0-9]+):([0-9]+)(?:\.[0-9]+)?")


def moment(value: object) -> int | None:
    """A moment as ISO text, or as seconds since 1970 (or since any start); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return round(value * 1000) if abs(value) < 1e12 else None
    if isinstance(value, dt.datetime):
        return _since(value)
    if not isinstance(value, str) or len(value) > 64:
        return None
    text = value.strip()
    if re.fullmatch(r"-?[0-9]{1,12}(\.[0-9]{1,9})?", text):
        return round(float(text) * 1000)
    try:
        return _since(dt.datetime.fromisoformat(text.replace("/", "-")))
    except ValueError:
        return None


def _since(at: dt.datetime) -> int:
    zoned = at if at.tzinfo is not None else at.replace(tzinfo=dt.UTC)
    return (zoned - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(milliseconds=1)


def elapsed(text: str) -> int | None:
    """A length as Slurm writes it: `[days-][hours:]minutes:seconds`."""
    match = _ELAPSED.fullmatch(text.strip())
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
