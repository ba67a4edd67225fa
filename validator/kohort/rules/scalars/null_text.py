"""A label or annotation has no value at all.

Why:
    YAML reads a key without a value as null. The server takes it and stores an empty text, so a node label selects only
    nodes whose label is empty: usually none.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels:
        pool:

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels:
        pool: h100

Source:
    recorded from Kueue 0.19.1 (tests/conformance/webhooks/resourceflavor.yaml, rf-node-label-value-null)
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Severity
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import KINDS, is_ours
from kohort.spans import Path, show_path

RULE = Rule("UNT691", "null-text", Consequence.UNSAFE, severity=Severity.ERROR, stage=Stage.FORM)
_PLACES: tuple[Path, ...] = (("metadata", "labels"), ("metadata", "annotations"), ("spec", "nodeLabels"))


@RULE.each(*KINDS)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per key without a value."""
    if not is_ours(obj):
        return
    for place in _PLACES:
        entries = obj.get(*place)
        for key, value in entries.items() if isinstance(entries, dict) else ():
            if value is None:
                path = (*place, key)
                yield RULE.at(
                    obj,
                    path,
                    f"{obj.ref}: {show_path(path)} is null and would be stored as an empty text: values must be strings",
                    cluster=cluster,
                    part="key",
                    help=('write the value in quotes: "" if it is meant to be empty',),
                )
