"""Settings of the model from a manager's Configuration (v1beta1 or v1beta2) and the version of Kueue that runs.

Source: Kueue 0.19.1 `apis/config` defaults of both versions. Fields of a wrong shape read as absent: whether the manager
would start with the file is judged elsewhere (`kohort check`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from kohort.objects.durations import DurationError, parse_duration
from kohort.objects.quantity import Quantity, QuantityError
from kohort.semantics.gates import gate, gates
from kohort.semantics.settings import (
    FINAL_SHARE,
    INITIAL_SHARE,
    AdmissionSharing,
    PodsReady,
    Settings,
    Transformation,
)

_NANO_PER_MILLI: Final = 1_000_000
_NANO: Final = 10**9
_HALF_HOUR: Final = 1_800_000
_FIVE_MINUTES: Final = 300_000
_STRATEGIES: Final = frozenset({FINAL_SHARE, INITIAL_SHARE})


def read_settings(configuration: Mapping[str, Any] | None, kueue: str) -> Settings:
    """What the model needs of a Configuration object; None stands for the defaults of the version.

    Args:
        configuration: the object as plain values.
        kueue: version, `0.19.1`.
    """
    config = configuration or {}
    old = str(config.get("apiVersion", "")).endswith("v1beta1")
    resources = _mapping(config.get("resources"))
    switched = {
        str(name): on for name, on in _mapping(config.get("featureGates")).items() if isinstance(on, bool)
    }
    prefixes = resources.get("excludeResourcePrefixes")
    return Settings(
        kueue=kueue,
        strategies=_strategies(config.get("fairSharing"), old=old),
        admission_sharing=_admission_sharing(config.get("admissionFairSharing")),
        pods_ready=_pods_ready(config.get("waitForPodsReady"), kueue, old=old),
        ignore_undeclared=resources.get("quotaCheckStrategy") == "IgnoreUndeclared",
        excluded_prefixes=tuple(p for p in prefixes if isinstance(p, str))
        if isinstance(prefixes, list)
        else (),
        transformations=tuple(_transformations(resources.get("transformations"))),
        gates=gates(kueue, switched),
    )


def _strategies(sharing: Any, *, old: bool) -> tuple[str, ...]:
    if not isinstance(sharing, Mapping) or (old and sharing.get("enable") is not True):
        return ()
    named = sharing.get("preemptionStrategies")
    found = tuple(each for each in named if each in _STRATEGIES) if isinstance(named, list) else ()
    return found or (FINAL_SHARE, INITIAL_SHARE)


def _admission_sharing(sharing: Any) -> AdmissionSharing | None:
    if not isinstance(sharing, Mapping):
        return None
    weights = {}
    for name, weight in _mapping(sharing.get("resourceWeights")).items():
        if isinstance(weight, int | float) and not isinstance(weight, bool):
            weights[str(name)] = Fraction(weight)
    return AdmissionSharing(
        half_life=_millis(sharing.get("usageHalfLifeTime"), 0),
        sampling=_millis(sharing.get("usageSamplingInterval"), 0) or _FIVE_MINUTES,
        weights=weights,
    )


def _pods_ready(wait: Any, kueue: str, *, old: bool) -> PodsReady | None:
    given = isinstance(wait, Mapping)
    # v1beta1 turns it on by a field, v1beta2 by its presence; from 0.19 on it is on when nothing is said.
    enabled = (given and wait.get("enable") is True) if old else given
    if not enabled and (given or not gate("waitForPodsReady is on by default", kueue)):
        return None
    fields = wait if given else {}
    timeout = _millis(fields.get("timeout"), 0) or (_FIVE_MINUTES if old and given else _HALF_HOUR)
    recovery = 0 if old and given else timeout
    strategy = _mapping(fields.get("requeuingStrategy"))
    limit = strategy.get("backoffLimitCount")
    return PodsReady(
        timeout=timeout,
        recovery=_millis(fields.get("recoveryTimeout"), recovery),
        block_admission=_flag(fields.get("blockAdmission"), default=old and given),
        by_eviction=strategy.get("timestamp") != "Creation",
        backoff_limit=limit if isinstance(limit, int) and not isinstance(limit, bool) else None,
        backoff_base=_seconds(strategy.get("backoffBaseSeconds"), 60),
        backoff_max=_seconds(strategy.get("backoffMaxSeconds"), 3600),
    )


def _transformations(entries: Any) -> list[Transformation]:
    found = []
    for entry in entries if isinstance(entries, list) else ():
        source = _mapping(entry).get("input")
        if not isinstance(source, str):
            continue
        outputs = {}
        for name, amount in _mapping(entry.get("outputs")).items():
            try:
                outputs[str(name)] = Fraction(Quantity.parse(amount).nano, _NANO)
            except QuantityError:
                continue
        by = entry.get("multiplyBy")
        found.append(
            Transformation(
                source, outputs, entry.get("strategy") == "Replace", by if isinstance(by, str) else ""
            )
        )
    return found


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _flag(value: Any, *, default: bool) -> bool:
    return value if isinstance(value, bool) else default


def _seconds(value: Any, default: int) -> int:
    return (value if isinstance(value, int) and not isinstance(value, bool) else default) * 1000


def _millis(value: Any, default: int) -> int:
    if value is None:
        return default
    try:
        return parse_duration(value) // _NANO_PER_MILLI
    except DurationError:
        return default
