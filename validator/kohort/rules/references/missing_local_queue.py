"""A workload names a LocalQueue that does not exist in its namespace.

Why:
    The job stays suspended. No queue shows it as pending, and there is no event on the queue's side.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: main, namespace: team-a}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-b, labels: {kueue.x-k8s.io/queue-name: main}}
    spec: {template: {spec: {containers: [{name: main, image: example.com/job}], restartPolicy: Never}}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: main, namespace: team-b}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-b, labels: {kueue.x-k8s.io/queue-name: main}}
    spec: {template: {spec: {containers: [{name: main, image: example.com/job}], restartPolicy: Never}}}

Source:
    Kueue 0.15 to 0.19: label kueue.x-k8s.io/queue-name, Workload spec.queueName
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import LocalQueue
from kohort.objects.names import visible
from kohort.rules.base import Rule
from kohort.rules.references.index import remembered
from kohort.rules.references.queued import Queued, queued
from kohort.rules.references.wording import ask, listed, meant, related, rename

RULE = Rule("REF416", "missing-local-queue", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per workload; an annotation in place of the label has its own."""
    if not cluster.knows("LocalQueue"):
        return
    for work in queued(cluster):
        if work.local is None and work.by != "annotation":
            yield _finding(cluster, work)


def _finding(cluster: Cluster, work: Queued) -> Finding:
    obj = work.obj
    elsewhere = _by_name(cluster).get(work.queue_name, [])
    here = (
        [name for namespace, name in cluster.local_queues if namespace == obj.namespace]
        if obj.namespace
        else []
    )
    close = meant(cluster, f"LocalQueue {obj.namespace}", work.queue_name, here) if not elsewhere else ()
    place = f"in namespace {obj.namespace}" if obj.namespace else "(the workload names no namespace)"
    where = (
        f" (exists in: {listed(queue.namespace or '?' for queue in elsewhere)})" if elsewhere else ask(close)
    )
    hints = []
    if here and not close:
        hints.append(f"LocalQueues in {obj.namespace}: {listed(sorted(here))}")
    elif obj.namespace and not here:
        hints.append(f"namespace {obj.namespace} has no LocalQueue")
    return RULE.at(
        obj,
        work.path,
        f"workload {obj.namespace + '/' if obj.namespace else ''}{obj.name}: LocalQueue {visible(work.queue_name[:253])} "
        f"doesn't exist {place}{where}",
        cluster=cluster,
        label="no such LocalQueue here",
        related=related(
            Label(queue.obj.at("metadata", "name"), f"in namespace {queue.namespace}") for queue in elsewhere
        ),
        help=tuple(hints),
        fix=rename(obj, work.path, close) if work.by != "default" else None,
    )


def _by_name(cluster: Cluster) -> Mapping[str, list[LocalQueue]]:
    def build() -> dict[str, list[LocalQueue]]:
        found: dict[str, list[LocalQueue]] = {}
        for queue in cluster.local_queues.values():
            found.setdefault(queue.name, []).append(queue)
        return found

    return remembered(cluster, "local queues by name", build)
