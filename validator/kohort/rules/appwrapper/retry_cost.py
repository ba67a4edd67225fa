"""What an AppWrapper may hold of GPUs while it fails again and again.

Why:
    Quota and GPUs stay with the AppWrapper from the first attempt to the end of the last one: while pods start, while the
    failure is watched, while they are deleted and while it pauses. With generous settings that is more than the run.

Bad:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/retryLimit: "100"}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec:
            containers: [{name: main, image: example.com/train:1, resources: {limits: {nvidia.com/gpu: 8}}}]

Good:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata:
      name: train
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main}
      annotations: {workload.codeflare.dev.appwrapper/retryLimit: "2"}
    spec:
      components:
      - template:
          apiVersion: v1
          kind: Pod
          metadata: {name: train}
          spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    AppWrapper 1.2: phases and grace periods; (retries + 1) × (warm-up + failure + deletion + pause) × GPUs
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding, Severity, Term
from kohort.diagnostics.count import count_of
from kohort.objects.cluster import Cluster
from kohort.objects.durations import HOUR, format_duration
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.objects.podsets import podsets, requests
from kohort.rules.appwrapper.knobs import PREFIX, RETRY_LIMIT, Knobs, given, knobs
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule
from kohort.spans import Path

RULE = Rule("AWR815", "retry-cost", Consequence.NOTE, audience=Audience.TEAM)
# Above a thousand device-hours lost to failing alone somebody should have decided so.
CEILING_HOURS: Final = 1000
_PARTS: Final = {
    "warmupGracePeriodDuration": "warm-up",
    "failureGracePeriodDuration": "failure grace",
    "forcefulDeletionGracePeriodDuration": "forceful deletion",
    "retryPausePeriodDuration": "pause",
}


@RULE.each("AppWrapper")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """Information where annotations steer retries, a warning above the ceiling."""
    if not is_appwrapper(obj):
        return
    devices = _devices(obj)
    if not devices:
        return
    settings = knobs(obj)
    attempts = max(settings.retries, 0) + 1
    each = sum(settings.durations[key] for key in _PARTS)
    debug = settings.durations["deletionOnFailureGracePeriodDuration"]
    hours = Fraction(attempts * each + debug, HOUR)
    name, count = max(devices.items(), key=lambda item: (item[1], item[0]))
    cost = hours * count
    typed = [
        key for key in given(obj) if key in {*_PARTS, RETRY_LIMIT, "deletionOnFailureGracePeriodDuration"}
    ]
    if not typed and cost <= CEILING_HOURS:
        return
    path: Path = ("metadata", "annotations", f"{PREFIX}{typed[0]}") if typed else ("metadata", "name")
    yield RULE.at(
        obj,
        path,
        f"{obj.ref}: retries may hold {count} {visible(name)} for {_round(hours)} h: {_round(cost)} device-hours",
        cluster=cluster,
        severity=Severity.WARNING if cost > CEILING_HOURS else None,
        terms=tuple(_terms(settings, attempts, each, debug, count, cost)),
    )


def _terms(
    settings: Knobs, attempts: int, each: int, debug: int, count: int, cost: Fraction
) -> Iterator[Term]:
    for key, words in _PARTS.items():
        yield Term("+", format_duration(settings.durations[key]), words)
    yield Term("=", format_duration(each), "lost at most in one failing attempt")
    yield Term("×", str(attempts), f"attempts ({count_of(attempts - 1, 'retry', 'retries')})")
    if debug:
        yield Term("+", format_duration(debug), "failed pods kept for debugging")
    yield Term("×", str(count), "devices")
    yield Term("=", _round(cost), "device-hours")


def _devices(obj: KubeObject) -> dict[str, int]:
    """Whole devices of each extended resource that all pods together request."""
    total: dict[str, int] = {}
    for podset in podsets(obj.data).found:
        for name, quantity in requests(podset).items():
            if "/" in name and not name.startswith("hugepages-"):
                total[name] = total.get(name, 0) + quantity.units() * podset.count
    return {name: count for name, count in total.items() if count > 0}


def _round(value: Fraction) -> str:
    return f"{float(value):,.1f}".rstrip("0").rstrip(".")
