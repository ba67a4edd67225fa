"""A duration of AppWrapper's configuration below a second, most likely meant in seconds.

Why:
    The number is read as nanoseconds. A grace period of 60 is over at once: every AppWrapper fails before its pods can
    start.

Bad:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {faultTolerance: {failureGracePeriod: 60}}'

Good:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {faultTolerance: {failureGracePeriod: 60000000000}}'

Source:
    AppWrapper 1.2, pkg/config/config.go: time.Duration
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.objects.cluster import Cluster
from kohort.objects.durations import SECOND, format_duration
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule
from kohort.rules.configuration.operator import FIELDS, NANOSECONDS, operator

RULE = Rule("CFG314", "appwrapper-config-tiny-duration", Consequence.UNSAFE, severity=Severity.ERROR)


@RULE.each("ConfigMap")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per value."""
    found = operator(obj)
    if found is None:
        return
    for path, kind in FIELDS.items():
        value = found.at(*path.split("."))
        if kind != NANOSECONDS or not isinstance(value, int) or isinstance(value, bool):
            continue
        if value and abs(value) < SECOND:
            yield RULE.at(
                obj,
                ("data", found.keys[0]),
                f"{obj.ref}, {found.keys[0]}: {path}: {value} nanoseconds are {format_duration(value)}",
                part="key",
                cluster=cluster,
                help=(f"{value} seconds are {value * SECOND}",),
            )
