"""A job of a kind that cannot be elastic asks to be.

Why:
    Kueue resizes only Job, RayCluster, RayJob and RayService in place. Its webhook refuses the annotation on every
    other kind.

Bad:
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/elastic-job: "true"}}
    spec: {replicatedJobs: []}

Good:
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
    spec: {replicatedJobs: []}

Source:
    Kueue 0.18 and 0.19, job webhooks, annotation kueue.x-k8s.io/elastic-job (gate ElasticJobsViaWorkloadSlices, off before)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.rules.appwrapper.webhook import is_appwrapper
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import ELASTIC, JOB_KINDS, asks_elastic, judged

RULE = Rule("WKL663", "kind-not-elastic", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM)
_CAN: Final = ("Job", "RayCluster", "RayJob", "RayService")


@RULE.each("AppWrapper", *(kind for kind in JOB_KINDS if kind not in _CAN))
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per job."""
    if (judged(obj) or is_appwrapper(obj)) and asks_elastic(obj, cluster.kueue):
        yield RULE.at(
            obj,
            ("metadata", "annotations", ELASTIC),
            f"{obj.ref}: a {obj.kind} cannot be an elastic job; only {', '.join(_CAN)} can",
            cluster=cluster,
            help=(f"remove the annotation {ELASTIC}",),
        )
