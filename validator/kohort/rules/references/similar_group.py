"""An API group that is nearly, but not quite, one that Kueue or AppWrapper serves.

Why:
    The server does not know the group and applies nothing, and Kohort takes the object for somebody else's: none of its
    rules look at it.

Bad:
    apiVersion: kueue.k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec: {namespaceSelector: {}}

Source:
    API groups of Kueue 0.15 to 0.19 and AppWrapper 1.2
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import KUEUE_GROUP, Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import KINDS

RULE = Rule("REF419", "similar-group", Consequence.REFUSED, severity=Severity.ERROR, stage=Stage.FORM)
_APPWRAPPER: Final = "workload.codeflare.dev"
# kinds whose name says little by itself: other groups have them too
_COMMON: Final = frozenset({"Workload", "Topology"})
# groups that are near in letters and real
_REAL: Final = frozenset({KUEUE_GROUP, _APPWRAPPER, "config.kueue.x-k8s.io", "visibility.kueue.x-k8s.io"})


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per object, at its apiVersion."""
    meant = _APPWRAPPER if obj.kind == "AppWrapper" else KUEUE_GROUP
    group = obj.group
    if group in _REAL or not _similar(group, meant, obj.kind):
        return
    version = obj.version if obj.version in {"v1beta1", "v1beta2"} else "v1beta2"
    yield RULE.at(
        obj,
        ("apiVersion",),
        f"{obj.ref}: there is no API group {visible(group[:80])} with kind {obj.kind}; did you mean {meant}/{version}?",
        cluster=cluster,
        help=(f"write apiVersion: {meant}/{version}",),
    )


def _similar(group: str, meant: str, kind: str) -> bool:
    """Whether a group means another: nearly its letters, or the right first part under a made-up domain."""
    if did_you_mean(group.lower(), [meant]):
        return True
    return kind not in _COMMON and group.lower().partition(".")[0] == meant.partition(".")[0]
