"""A pod of a group does not say how many pods the group has, or the other way round.

Why:
    Kueue admits a group of pods together and has to know when it is complete. Its webhook refuses a pod with the label
    pod-group-name without the annotation pod-group-total-count, and the annotation without the label.

Bad:
    apiVersion: v1
    kind: Pod
    metadata:
      name: worker-0
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/pod-group-name: workers}
    spec: {containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: v1
    kind: Pod
    metadata:
      name: worker-0
      namespace: team-a
      labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/pod-group-name: workers}
      annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}
    spec: {containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.15 to 0.19, webhook of pods
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain, visible
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import judged, whole
from kohort.spans import Path

RULE = Rule("WKL664", "pod-group-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)
_GROUP: Final = "kueue.x-k8s.io/pod-group-name"
_COUNT: Final = "kueue.x-k8s.io/pod-group-total-count"
_MANAGED: Final = "kueue.x-k8s.io/managed"


@RULE.each("Pod")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per label or annotation."""
    if not judged(obj):
        return
    for path, reason in _wrong(obj):
        yield RULE.at(obj, path, f"{obj.ref}: {reason}", cluster=cluster)


def _wrong(obj: KubeObject) -> Iterator[tuple[Path, str]]:
    labels, notes = obj.labels(), obj.annotations()
    group, count = labels.get(_GROUP, ""), notes.get(_COUNT)
    managed = labels.get(_MANAGED, "true")
    if managed != "true":
        yield (
            ("metadata", "labels", _MANAGED),
            f'label {_MANAGED} can only be "true", not "{visible(managed[:80])}"',
        )
    if group:
        bad = dns_subdomain(group)
        if bad:
            path: Path = ("metadata", "labels", _GROUP)
            yield path, f'label {_GROUP} "{visible(group[:80])}" is refused: {bad}'
        if count is None:
            yield ("metadata", "labels", _GROUP), f"label {_GROUP} needs the annotation {_COUNT}"
    elif count is not None:
        yield ("metadata", "annotations", _COUNT), f"annotation {_COUNT} needs the label {_GROUP}"
    if count is not None:
        number = whole(count)
        if number is None or number < 1:
            path = ("metadata", "annotations", _COUNT)
            yield path, f'annotation {_COUNT} "{visible(count[:80])}" is no number of pods from 1'
