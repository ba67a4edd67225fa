"""What Kueue's job webhooks judge: kinds, labels and texts, shared by the rules about them.

Source: Kueue 0.15 to 0.19, `ValidateJobOnCreate`; serving kinds (Deployment, StatefulSet, LeaderWorkerSet) judge the
queue name alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kohort.objects.kube import KubeObject
from kohort.objects.names import dns_subdomain
from kohort.objects.podset_kinds import KINDS
from kohort.rules.references.queued import QUEUE_NAME

MAX_SECONDS: Final = "kueue.x-k8s.io/max-exec-time-seconds"
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
    """Whether the object is a job (no AppWrapper, no Workload) that carries the queue-name label."""
    return (obj.group, obj.kind) in JOBS and QUEUE_NAME in obj.labels()


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
