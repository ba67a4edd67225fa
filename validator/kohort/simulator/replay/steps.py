"""Read one step of a trace."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kohort.simulator.replay.trace import FIELDS, Plain, Step

_VERBS = {
    "submit": "submit", "finish": "finish", "complete": "finish", "end": "finish", "delete": "delete",
    "apply": "apply", "create": "apply", "edit": "apply", "update": "apply", "replace": "apply",
    "remove": "remove", "check": "check", "admissionCheck": "check", "deactivate": "deactivate",
    "suspend": "deactivate", "activate": "activate", "reactivate": "activate", "resume": "activate",
    "reclaimable": "reclaimable", "reclaim": "reclaimable", "wait": "wait", "sleep": "wait",
}  # fmt: skip
_SPELLINGS = {
    "counters": "counters", "evictionCounters": "counters", "flavours": "flavors",
    "reservation": "reservations", "notactive": "notActive", "inactive": "notActive", "shares": "weightedShare",
    "messages": "message", "reasons": "reason",
}  # fmt: skip
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m)?")
_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, None: 1000}


class TraceError(ValueError):
    """A trace that cannot be understood."""


def read_step(plain: Plain, where: str) -> list[Step]:
    """Return the step, or one step for each workload where it names several.

    Raises:
        TraceError: it does not say what to do, or to what.
    """
    word, target = _verb(plain, where)
    verb = _VERBS[word]
    obj = plain.get("object") or plain.get("obj") or plain.get("manifest") or {}
    if isinstance(target, Mapping):
        obj = target
    workload = plain.get("workload") or plain.get("name") or ""
    if isinstance(workload, Mapping):
        obj, workload = workload, ""
    if isinstance(target, str):
        workload = target
    names = [str(each) for each in plain.get("workloads") or ([workload] if workload else [])]
    if isinstance(target, Sequence) and not isinstance(target, str):
        names = [str(each) for each in target]
    if verb == "apply" and obj.get("kind") == "Workload" and word == "create":
        verb = "submit"
    if verb in ("submit", "apply", "remove") and not obj.get("kind"):
        raise TraceError(f"{where}: {word} without an object of a kind")
    if verb in ("finish", "delete", "check", "activate", "deactivate", "reclaimable") and not names:
        raise TraceError(f"{where}: {word} without a workload")
    if obj and verb == "submit":
        names = [str(obj["metadata"]["name"])]
    after = plain.get("after")
    if after is None:
        after = plain.get("expect") or {key: plain[key] for key in (*FIELDS, *_SPELLINGS) if key in plain}
    also = plain.get("alsoSeen") or (after.get("alsoSeen") if isinstance(after, Mapping) else None) or {}
    steps = [
        Step(
            verb,
            at=_milliseconds(plain.get("at", 0), where),
            obj=obj,
            workload=name,
            check=str(plain.get("check") or "") if verb == "check" else "",
            state=str(plain.get("state") or ""),
            after_seconds=_seconds(plain.get("requeueAfterSeconds", 0), where),
            podsets=plain.get("podsets") or plain.get("podSets") or {},
            nondeterministic=str(plain.get("nondeterministic") or ""),
        )
        for name in (names or [""])
    ]
    return [*steps[:-1], replace(steps[-1], after=read_after(after), also=read_after(also))]


def read_after(plain: object) -> dict[str, Any]:
    """Return the known fields of an `after` under their own names."""
    if not isinstance(plain, Mapping):
        return {}
    named = {_SPELLINGS.get(key, key): value for key, value in plain.items()}
    return {field: named[field] for field in FIELDS if named.get(field) is not None}


def _verb(plain: Plain, where: str) -> tuple[str, Any]:
    for key in ("do", "action", "op"):
        if key in plain:
            if plain[key] not in _VERBS:
                raise TraceError(f"{where}: {key} is {plain[key]!r}; known are {', '.join(sorted(_VERBS))}")
            return str(plain[key]), None
    for word in _VERBS:
        if word in plain:
            return word, plain[word]
    raise TraceError(f"{where}: it does not say what to do; known are {', '.join(sorted(_VERBS))}")


def _seconds(value: object, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise TraceError(f"{where}: requeueAfterSeconds is {value!r}, no whole number of seconds")


def _milliseconds(value: object, where: str) -> int:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return round(value * 1000)
    found = _SECONDS.fullmatch(str(value))
    if found is None:
        raise TraceError(f"{where}: at is {value!r}, no number of seconds")
    return round(float(found[1]) * _MILLISECONDS[found[2]])
