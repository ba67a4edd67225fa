"""A duration of an AppWrapper annotation that the controller replaces.

Why:
    Go knows no days, so 1d does not parse: the controller logs it and silently takes its default. Values outside of 0 and
    24h are cut.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/retryPausePeriodDuration: 1d}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/retryPausePeriodDuration: 24h}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2, controller: time.ParseDuration, bounds of fault tolerance
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Severity
from kohort.objects.cluster import Cluster
from kohort.objects.durations import DurationError, format_duration, parse_duration
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.appwrapper.knobs import CEILING, DURATIONS, PREFIX, SUCCESS_TTL, TTL, given
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule

RULE = Rule(
    "AWR812",
    "appwrapper-duration-ignored",
    Consequence.UNSAFE,
    audience=Audience.TEAM,
    severity=Severity.ERROR,
)


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per annotation."""
    if not is_appwrapper(obj):
        return
    for key, text in given(obj).items():
        reason = _reason(key, text) if key in DURATIONS else ""
        if reason:
            path = ("metadata", "annotations", f"{PREFIX}{key}")
            yield RULE.at(obj, path, f"{obj.ref}: {key}: {reason}", cluster=cluster)


def _reason(key: str, text: str) -> str:
    default = format_duration(DURATIONS[key])
    try:
        value = parse_duration(text)
    except DurationError as error:
        return f"{error.reason}; AppWrapper takes its default {default}"
    shown = visible(text[:40])
    if key == SUCCESS_TTL:
        if not 0 < value < TTL:
            return f"{shown} is not between 0 and {format_duration(TTL)}; AppWrapper takes {default}"
    elif value < 0:
        return f"{shown} is negative; AppWrapper takes 0s"
    elif value > CEILING:
        return f"{shown} is above the ceiling; AppWrapper takes {format_duration(CEILING)}"
    return ""
