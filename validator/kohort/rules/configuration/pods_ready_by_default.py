"""Kueue 0.19 waits for pods to be ready although the Configuration does not say so.

Why:
    Until 0.18 no block meant no waiting. Since 0.19 a workload whose pods are not all ready 30 minutes after admission
    is evicted and queued again: long image pulls and warm-ups are hit by an upgrade that changed no file.

Bad:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration

Good:
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    waitForPodsReady: {timeout: 30m}

Source:
    Kueue 0.19, apis/config/v1beta2 defaults; gate DisableWaitForPodsReady turns it off
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.versions import shown_version
from kohort.rules.base import Rule
from kohort.rules.configuration.found import KINDS, found_in

RULE = Rule("CFG308", "pods-ready-by-default", Consequence.NOTE)


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One note per configuration."""
    for found in found_in(obj, cluster):
        document = found.document
        if document is None or document.api == "v1beta1" or document.data.get("waitForPodsReady") is not None:
            continue
        if document.wait_for_pods_ready is not None:
            yield found.finding(
                RULE,
                (),
                f"Kueue {shown_version(cluster.kueue)} evicts workloads whose pods are not ready 30m after admission, without a word here",
                cluster,
                help=(
                    "set kueue.waitForPodsReadySeconds of the cluster to the time your largest job needs to start"
                    if obj.compiled
                    else "write waitForPodsReady: {timeout: 30m} (or the time your largest job needs to start)",
                    "featureGates: {DisableWaitForPodsReady: true} turns it off",
                ),
            )
