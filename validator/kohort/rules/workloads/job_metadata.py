"""What Kueue's job webhooks judge: kinds, labels and texts, shared by the rules about them.

Source: Kueue 0.15 to 0.19, `ValidateJobOnCreate`; of serving kinds (Deployment, StatefulSet, LeaderWorkerSet) the queue
name, the elastic annotation and the gates are judged. Names of a pod group and of a prebuilt workload are labels, and
from 0.18 on annotations that go before them (gate WorkloadIdentifierAnnotations).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain
from kohort.objects.podset_kinds import KINDS
from kohort.objects.versions import version_key
from kohort.rules.references.queued import QUEUE_NAME
from kohort.spans import Path

MAX_SECONDS: Final = "kueue.x-k8s.io/max-exec-time-seconds"
ELASTIC: Final = "kueue.x-k8s.io/elastic-job"
GROUP_NAME: Final = "kueue.x-k8s.io/pod-group-name"
PREBUILT: Final = "kueue.x-k8s.io/prebuilt-workload-name"
_SINCE_ANNOTATIONS: Final = (0, 18)
SERVING: Final = frozenset({"Deployment", "StatefulSet", "LeaderWorkerSet"})
_WITHOUT_TEMPLATE: Final = {
    ("trainer.kubeflow.org", "TrainJob"),
    ("sparkoperator.k8s.io", "SparkApplication"),
}
JOBS: Final = frozenset(KINDS) - {("kueue.x-k8s.io", "Workload")} | _WITHOUT_TEMPLATE
JOB_KINDS: Final = tuple(sorted({kind for _, kind in JOBS}))
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_BOOLEANS: Final = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}


def judged(obj: KubeObject) -> bool:
    """Whether the object is a job (no AppWrapper, no Workload) that the webhooks see.

    They see every job, with a queue name or without. Pods are seen only where Kueue is told to manage pods, which the
    label says.
    """
    return (obj.group, obj.kind) in JOBS and (obj.kind != "Pod" or QUEUE_NAME in obj.labels())


def asks_elastic(obj: KubeObject, kueue: str) -> bool:
    """Whether the job asks to be resized in place (gate ElasticJobsViaWorkloadSlices, on from 0.18)."""
    return version_key(kueue) >= _SINCE_ANNOTATIONS and obj.annotations().get(ELASTIC) == "true"


def identifier(obj: KubeObject, name: str, kueue: str) -> tuple[Path, str] | None:
    """Where a name stands that is an annotation or a label, and what it says; None without either."""
    note = obj.annotations().get(name, "") if version_key(kueue) >= _SINCE_ANNOTATIONS else ""
    if note:
        return ("metadata", "annotations", name), note
    labels = obj.labels()
    return (("metadata", "labels", name), labels[name]) if name in labels else None


def wrong_labels(labels: Mapping[str, str], *, seconds: bool = True) -> dict[str, str]:
    """Labels that the webhook refuses, each with the reason; `seconds` says whether the run time is judged too."""
    wrong: dict[str, str] = {}
    reason = dns_subdomain(labels[QUEUE_NAME]) if QUEUE_NAME in labels else None
    if reason:
        wrong[QUEUE_NAME] = reason
    limit = labels.get(MAX_SECONDS) if seconds else None
    if limit is not None:
        number = whole(limit)
        if number is None:
            wrong[MAX_SECONDS] = "it is no whole number of seconds"
        elif number <= 0:
            wrong[MAX_SECONDS] = "it should be greater than 0"
    return wrong


def whole(text: str) -> int | None:
    """A whole number as the webhook reads it, None for anything else."""
    return int(text) if _NUMBER.fullmatch(text) else None


def truth(text: str) -> bool | None:
    """A boolean as the webhook reads it (`1`, `t`, `true` …), None for anything else."""
    return _BOOLEANS.get(text)
