"""The name of a prebuilt workload is no name, or the kind of job cannot have one.

Why:
    A job with kueue.x-k8s.io/prebuilt-workload-name waits for a Workload that somebody else makes. The webhooks refuse
    what cannot be the name of one, and the name on kinds that do not know prebuilt workloads.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/prebuilt-workload-name: Ready_Made}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/prebuilt-workload-name: ready-made}}
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.15 to 0.19, job webhooks; the annotation of the same name from 0.18 on
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain, visible
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import JOB_KINDS, PREBUILT, SERVING, identifier, judged

RULE = Rule(
    "WKL668", "prebuilt-workload-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM
)
_CANNOT: Final = frozenset({"JAXJob", "SparkApplication"})


@RULE.each("AppWrapper", *(kind for kind in JOB_KINDS if kind not in SERVING))
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per job."""
    found = identifier(obj, PREBUILT, cluster.kueue) if judged(obj) or is_appwrapper(obj) else None
    if found is None:
        return
    path, name = found
    bad = dns_subdomain(name)
    if bad or (name and obj.kind in _CANNOT):
        reason = f"is refused: {bad}" if bad else f"is refused: a {obj.kind} cannot have a prebuilt workload"
        message = f'{obj.ref}: {PREBUILT} "{visible(name[:80])}" {reason}'
        yield RULE.at(obj, path, message, cluster=cluster)
