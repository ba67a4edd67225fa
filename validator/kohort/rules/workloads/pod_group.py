"""A pod of a group does not say how many pods the group has, or the other way round.

Why:
    Kueue admits a group of pods together and has to know when it is complete. Its webhook refuses a pod with the label
    pod-group-name without the annotation pod-group-total-count, the annotation without the label, and a prebuilt
    workload of another name than the group. From 0.18 on the group may also be named by an annotation.

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
from kohort.rules.workloads.job_metadata import GROUP_NAME, PREBUILT, identifier, judged, whole
from kohort.spans import Path

RULE = Rule("WKL664", "pod-group-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)
_COUNT: Final = "kueue.x-k8s.io/pod-group-total-count"


@RULE.each("Pod")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per label or annotation."""
    if not judged(obj):
        return
    for path, reason in _wrong(obj, cluster.kueue):
        yield RULE.at(obj, path, f"{obj.ref}: {reason}", cluster=cluster)


def _wrong(obj: KubeObject, kueue: str) -> Iterator[tuple[Path, str]]:
    count = obj.annotations().get(_COUNT)
    group = identifier(obj, GROUP_NAME, kueue)
    if group is not None and group[1]:
        path, name = group
        what = f"{'label' if 'labels' in path else 'annotation'} {GROUP_NAME}"
        bad = dns_subdomain(name)
        if bad:
            yield path, f'{what} "{visible(name[:80])}" is refused: {bad}'
        if count is None:
            yield path, f"{what} needs the annotation {_COUNT}"
        prebuilt = identifier(obj, PREBUILT, kueue)
        if prebuilt is not None and prebuilt[1] not in ("", name):
            shown = visible(prebuilt[1][:80])
            yield prebuilt[0], f'{PREBUILT} "{shown}" is not the name of its group "{visible(name[:80])}"'
    elif count is not None:
        yield ("metadata", "annotations", _COUNT), f"annotation {_COUNT} needs the label {GROUP_NAME}"
    if count is not None:
        number = whole(count)
        if number is None or number < 1:
            path = ("metadata", "annotations", _COUNT)
            yield path, f'annotation {_COUNT} "{visible(count[:80])}" is no number of pods from 1'
