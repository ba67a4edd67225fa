"""The namespace selector is malformed.

Why:
    Operators want values (In, NotIn) or none (Exists, DoesNotExist); keys and values have the syntax of labels.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {matchExpressions: [{key: team, operator: In}]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {matchExpressions: [{key: team, operator: In, values: [blue]}]}

Source:
    Kueue 0.15 to 0.19, ClusterQueue webhook; apimachinery's label selector validation
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.selectors import validate_selector
from kohort.rules.base import Rule, Stage
from kohort.rules.refused.violations import clean, is_ours
from kohort.spans import show_path

RULE = Rule("KUE219", "bad-namespace-selector", Consequence.REFUSED, stage=Stage.FORM)


@RULE.each("ClusterQueue")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per place."""
    if not is_ours(obj) or not clean(obj, cluster):
        return
    selector = obj.get("spec", "namespaceSelector")
    if selector is None:
        return
    for path, message in validate_selector(selector):
        at = ("spec", "namespaceSelector", *path)
        yield RULE.at(obj, at, f"{obj.ref}: {show_path(at)}: {message}", cluster=cluster)
