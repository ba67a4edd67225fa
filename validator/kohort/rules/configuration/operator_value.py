"""A value of AppWrapper's configuration with which its operator does not start.

Why:
    Durations have no decoder of their own here: a Go duration in a file is a whole number of nanoseconds, so "60s" cannot
    be read. Grace periods beyond the ceiling, an admission grace above the warm-up, and no time to live end the operator
    too.

Bad:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {faultTolerance: {warmupGracePeriod: 10m}}'

Good:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {faultTolerance: {warmupGracePeriod: 600000000000}}'

Source:
    AppWrapper 1.2, pkg/config/config.go: FaultToleranceConfig, ValidateAppWrapperConfig
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.decode import shown
from kohort.objects.durations import HOUR, MINUTE, SECOND, DurationError, format_duration, parse_duration
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.configuration.operator import FIELDS, NANOSECONDS, Operator, operator

RULE = Rule("CFG313", "appwrapper-config-value", Consequence.REFUSED, stage=Stage.FORM)
_ROOT: Final = "appwrapper.faultTolerance."
_DEFAULTS: Final = {
    "admissionGracePeriod": MINUTE,
    "warmupGracePeriod": 5 * MINUTE,
    "failureGracePeriod": MINUTE,
    "resetPause": 90 * SECOND,
    "deletionGracePeriod": 10 * MINUTE,
    "gracePeriodCeiling": 24 * HOUR,
    "successTTLCeiling": 7 * 24 * HOUR,
}
_BELOW_CEILING: Final = tuple(_DEFAULTS)[:5]
_WORDS: Final = {"bool": "true or false", "int": "a whole number", "string": "text"}


@RULE.each("ConfigMap")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per value; bounds only where all values can be read."""
    found = operator(obj)
    if found is None:
        return
    wrong = list(_types(found)) or list(_bounds(found))
    for path, message, helps in wrong:
        yield RULE.at(
            obj,
            ("data", found.keys[0]),
            f"{obj.ref}, {found.keys[0]}: {path}: {message}",
            part="key",
            cluster=cluster,
            help=helps,
        )


def _types(found: Operator) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for path, kind in FIELDS.items():
        value = found.at(*path.split("."))
        if value is None or kind == "any":
            continue
        if kind == NANOSECONDS:
            yield from _nanoseconds(path, value)
        elif not _fits(value, kind):
            yield path, f"must be {_WORDS[kind]}, not {shown(value)}", ()


def _fits(value: Any, kind: str) -> bool:
    if kind == "bool" or isinstance(value, bool):
        return kind == "bool" and isinstance(value, bool)
    return isinstance(value, str if kind == "string" else int)


def _nanoseconds(path: str, value: Any) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    if isinstance(value, int) and not isinstance(value, bool):
        return
    helps: tuple[str, ...] = ("Go reads nanoseconds here: one second is 1000000000",)
    if isinstance(value, str):
        with contextlib.suppress(DurationError):
            helps = (f"write {parse_duration(value)} for {value[:40]}",)
    yield path, f"must be a whole number of nanoseconds, not {shown(value)}", helps


def _bounds(found: Operator) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    given = {key: found.at("appwrapper", "faultTolerance", key) for key in _DEFAULTS}
    # an explicit null leaves the default in place; 0 is a value
    values = {key: default if given[key] is None else given[key] for key, default in _DEFAULTS.items()}
    ceiling, warm = values["gracePeriodCeiling"], values["warmupGracePeriod"]
    for key in _BELOW_CEILING:
        if values[key] > ceiling:
            told = f"{format_duration(values[key])} exceeds gracePeriodCeiling {format_duration(ceiling)}"
            yield f"{_ROOT}{key}", told, ()
    if values["admissionGracePeriod"] > warm:
        told = f"{format_duration(values['admissionGracePeriod'])} exceeds warmupGracePeriod {format_duration(warm)}"
        yield f"{_ROOT}admissionGracePeriod", told, ()
    if values["successTTLCeiling"] <= 0:
        yield f"{_ROOT}successTTLCeiling", "must be a positive duration", ()
