"""The annotations with which a user steers AppWrapper's retries, as the controller reads them.

Source: AppWrapper 1.2.2 `pkg/utils` and controller: values that do not parse are logged and replaced by the default;
durations are cut to 0 … 24h, the retry limit is not cut.
"""

from __future__ import annotations

import re
from typing import Final

from kohort.dataclass import dataclass
from kohort.objects.durations import HOUR, MINUTE, SECOND, DurationError, parse_duration
from kohort.objects.kube import KubeObject

PREFIX: Final = "workload.codeflare.dev.appwrapper/"
CEILING: Final = 24 * HOUR
TTL: Final = 7 * 24 * HOUR
RETRY_LIMIT: Final = "retryLimit"
RETRIES: Final = 3
SUCCESS_TTL: Final = "successTTLDuration"
EXIT_CODES: Final = ("terminalExitCodes", "retryableExitCodes")
# annotation → what the controller takes where it is absent, in nanoseconds
DURATIONS: Final = {
    "admissionGracePeriodDuration": MINUTE,
    "warmupGracePeriodDuration": 5 * MINUTE,
    "failureGracePeriodDuration": MINUTE,
    "retryPausePeriodDuration": 90 * SECOND,
    "forcefulDeletionGracePeriodDuration": 10 * MINUTE,
    "deletionOnFailureGracePeriodDuration": 0,
    SUCCESS_TTL: TTL,
}
KNOWN: Final = (*DURATIONS, RETRY_LIMIT, *EXIT_CODES)
# of pod sets and pods, not of the AppWrapper itself
PODSET_KEYS: Final = ("tas-pod-index-label", "tas-sub-group-index-label", "tas-sub-group-count")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Knobs:
    """What one AppWrapper runs with: retries after the first attempt, durations in nanoseconds."""

    retries: int
    durations: dict[str, int]


def given(obj: KubeObject) -> dict[str, str]:
    """The annotations of the prefix, without it."""
    return {key[len(PREFIX) :]: text for key, text in obj.annotations().items() if key.startswith(PREFIX)}


def duration(text: str) -> int | None:
    """Nanoseconds, None where Go does not read the text."""
    try:
        return parse_duration(text)
    except DurationError:
        return None


def whole(text: str) -> int | None:
    """A whole number as Go's Atoi reads it, None where it does not."""
    return int(text) if _NUMBER.fullmatch(text) else None


def knobs(obj: KubeObject) -> Knobs:
    """The values in force with the controller's defaults."""
    texts = given(obj)
    retries = whole(texts.get(RETRY_LIMIT, ""))
    durations = {}
    for key, default in DURATIONS.items():
        value = duration(texts.get(key, ""))
        durations[key] = default if value is None else min(max(value, 0), CEILING)
    return Knobs(RETRIES if retries is None else retries, durations)
