"""Kueue evicts a workload that is not ready before AppWrapper's own warm-up is over.

Why:
    Both watch whether all pods run. Where Kueue's waitForPodsReady is shorter than AppWrapper's warm-up, Kueue suspends
    the AppWrapper in the middle of its own recovery, and it goes round between Running and Suspended.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    waitForPodsReady: {timeout: 5m}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {faultTolerance: {warmupGracePeriod: 600000000000}}'

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    waitForPodsReady: {timeout: 30m}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: appwrapper-operator-config, namespace: appwrapper-system}
    data:
      config.yaml: 'appwrapper: {faultTolerance: {warmupGracePeriod: 600000000000}}'

Source:
    Kueue waitForPodsReady; AppWrapper 1.2 faultTolerance.warmupGracePeriod (default 5m)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.durations import MINUTE, format_duration
from kohort.rules.base import Rule
from kohort.rules.configuration.found import everywhere
from kohort.rules.configuration.operator import operators

RULE = Rule("CFG315", "waits-differ", Consequence.DISRUPTIVE)
_WARMUP = 5 * MINUTE


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pair of configurations."""
    for operator in operators(cluster):
        given = operator.at("appwrapper", "faultTolerance", "warmupGracePeriod")
        warmup = given if isinstance(given, int) and not isinstance(given, bool) else _WARMUP
        for found in everywhere(cluster):
            document = found.document
            block = document.wait_for_pods_ready if document is not None else None
            timeout = document.timeout(block) if document is not None and block is not None else 0
            if 0 < timeout < warmup:
                there = Label(operator.obj.at("data", part="key"), f"warm-up {format_duration(warmup)}")
                yield found.finding(
                    RULE,
                    ("waitForPodsReady", "timeout"),
                    f"waitForPodsReady.timeout {format_duration(timeout)} is shorter than AppWrapper's warm-up {format_duration(warmup)}",
                    cluster,
                    related=(there,),
                    help=("let Kueue wait at least as long as warm-up and failure grace together",),
                )
