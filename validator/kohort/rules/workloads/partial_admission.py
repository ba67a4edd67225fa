"""The annotations for partial admission of a Job contradict its spec.

Why:
    A Job may shrink to job-min-parallelism pods, which lies above 0 and below its pods. With
    job-completions-equal-parallelism Kueue lowers the completions as well, which only Indexed Jobs with as many
    completions as parallelism can bear. The webhook refuses everything else.

Bad:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/job-min-parallelism: "4"}}
    spec:
      parallelism: 4
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Good:
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}, annotations: {kueue.x-k8s.io/job-min-parallelism: "2"}}
    spec:
      parallelism: 4
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: example.com/train:1}]}

Source:
    Kueue 0.15 to 0.19, webhook of batch/v1 Job; elastic Jobs from 0.18 on
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kohort.diagnostics import Audience, Consequence, Finding
from kohort.diagnostics.count import count_of
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.objects.podset import Reader
from kohort.objects.podset_kinds import job_pods
from kohort.rules.base import Rule, Stage
from kohort.rules.workloads.job_metadata import asks_elastic, judged, truth, whole

RULE = Rule(
    "WKL661", "partial-admission-refused", Consequence.REFUSED, audience=Audience.TEAM, stage=Stage.FORM
)
_FEWEST: Final = "kueue.x-k8s.io/job-min-parallelism"
_EQUAL: Final = "kueue.x-k8s.io/job-completions-equal-parallelism"


@RULE.each("Job")
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per annotation."""
    if not judged(obj):
        return
    notes = obj.annotations()
    for key, reason in (
        (_FEWEST, _fewest(obj, notes.get(_FEWEST), elastic=asks_elastic(obj, cluster.kueue))),
        (_EQUAL, _equal(obj, notes.get(_EQUAL))),
    ):
        if reason:
            message = f'{obj.ref}: annotation {key} "{visible(notes[key][:80])}" is refused: {reason}'
            yield RULE.at(obj, ("metadata", "annotations", key), message, cluster=cluster)


def _fewest(obj: KubeObject, text: str | None, *, elastic: bool) -> str:
    if text is None:
        return ""
    if elastic:
        return "an elastic Job is not admitted in part"
    number = whole(text)
    if number is None:
        return "it is no whole number"
    reader = Reader(obj.data)
    pods = job_pods(reader, "spec")
    if reader.reasons or (number > 0 and _in_32_bits(number) < pods):
        return ""  # a count that cannot be read is refused by the schema
    return f"it must lie between 0 and the {count_of(pods, 'pod')} of the Job, both excluded"


def _in_32_bits(number: int) -> int:
    """The number that is compared: the webhook keeps its lowest 32 bits, so that 4294967297 is 1."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def _equal(obj: KubeObject, text: str | None) -> str:
    if text is None:
        return ""
    wanted = truth(text)
    if wanted is None:
        return "it is neither true nor false"
    if not wanted:
        return ""
    if obj.get("spec", "completionMode") != "Indexed":
        return "the Job needs completionMode Indexed"
    reader = Reader(obj.data)
    parallelism, completions = reader.count("spec", "parallelism"), reader.count("spec", "completions")
    if reader.reasons or parallelism == completions:
        return ""
    return f"completions is {completions}, but parallelism {parallelism}"
