"""A workload finds no flavor with enough quota: those with quota do not accept its pods.

Why:
    Flavors are tried one by one. Where some refuse the pods (labels, taints, topology) and the rest can never have
    enough quota, the workload waits for ever, although the queue as a whole has room.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    spec: {nodeLabels: {gpu: a100}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - {name: a100, resources: [{name: cpu, nominalQuota: "8"}]}
        - {name: h100, resources: [{name: cpu, nominalQuota: "2"}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        spec:
          restartPolicy: Never
          nodeSelector: {gpu: h100}
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "4"}}}]

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    spec: {nodeLabels: {gpu: a100}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - {name: a100, resources: [{name: cpu, nominalQuota: "8"}]}
        - {name: h100, resources: [{name: cpu, nominalQuota: "2"}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: run, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: q}}
    spec:
      template:
        spec:
          restartPolicy: Never
          nodeSelector: {gpu: a100}
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "4"}}}]

Source:
    Kueue 0.15 to 0.19, flavor assignment: reason ExceedsMaxQuota, "insufficient quota … maximum capacity"
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Label, Term
from kohort.diagnostics.count import count_of
from kohort.objects.cluster import Cluster
from kohort.objects.quantity import human
from kohort.rules.base import Rule
from kohort.rules.references.index import quota_tree
from kohort.rules.references.wording import related
from kohort.rules.workloads.flavors import Obstacle, Verdict, verdicts
from kohort.rules.workloads.potential import said
from kohort.rules.workloads.wording import amount, pod_set

RULE = Rule("WKL654", "quota-on-other-flavors", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pod set and group with both kinds of obstacles; quota alone is judged with capacity."""
    for verdict in verdicts(cluster):
        by_label = verdict.asked.work.by in {"label", "spec"} and not verdict.asked.uncovered
        if "quota" in verdict.reasons and (len(verdict.reasons) > 1 or not by_label):
            yield _finding(cluster, verdict)


def _finding(cluster: Cluster, verdict: Verdict) -> Finding:
    ask = verdict.asked
    short = max((o for o in verdict.obstacles if o.reason == "quota"), key=lambda o: o.most)
    node = quota_tree(cluster).queues[ask.queue.name]
    lines = [o.words or _quota(o) for o in verdict.obstacles]
    return RULE.at(
        ask.obj,
        ask.place(short.resource),
        f"{pod_set(ask)} asks {amount(short.wanted, short.resource)}, and no flavor of ClusterQueue {ask.queue.name} "
        f"can ever give it: {'; '.join(lines)}",
        cluster=cluster,
        label=f"{human(short.wanted, short.resource)} in all",
        related=related(
            Label(ask.queue.obj.at(*o.flavor.path, "name"), o.words or _quota(o)) for o in verdict.obstacles
        ),
        terms=(
            Term(
                " ",
                human(short.wanted, short.resource),
                f"asked of {short.resource}: {count_of(ask.least, 'pod')}",
            ),
            Term(">", human(short.most, short.resource), said(node, (short.flavor.flavor, short.resource))),
        ),
        help=("Kueue shows reason ExceedsMaxQuota; it never starts as it is",),
    )


def _quota(obstacle: Obstacle) -> str:
    most = human(obstacle.most, obstacle.resource)
    return f"flavor {obstacle.flavor.flavor}: insufficient quota ({most} {obstacle.resource} at most)"
