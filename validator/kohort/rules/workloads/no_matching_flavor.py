"""A workload's pods fit no flavor of its queue: node selector, affinity, taints or topology exclude all of them.

Why:
    Kueue only assigns flavors whose labels agree with the pods and whose taints they tolerate. With none left the
    workload is pending for ever.

Bad:
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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
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
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1"}}}]

Good:
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
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
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
          containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "1"}}}]

Source:
    Kueue 0.15 to 0.19, flavor assignment: reason NoMatchingFlavor; label keys are those of the flavor itself since
    0.17.6, 0.18.2 and 0.19.0, before those of all flavors of the group
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Audience, Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.podset import value_at
from kohort.rules.base import Rule
from kohort.rules.references.wording import related
from kohort.rules.workloads.flavors import Verdict, verdicts
from kohort.rules.workloads.wording import pod_set
from kohort.spans import Origin, Path

RULE = Rule("WKL655", "no-matching-flavor", Consequence.STUCK, audience=Audience.TEAM)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per pod set and group, with the obstacle of each flavor."""
    for verdict in verdicts(cluster):
        if "quota" not in verdict.reasons:
            yield _finding(cluster, verdict)


def _finding(cluster: Cluster, verdict: Verdict) -> Finding:
    ask = verdict.asked
    words = [obstacle.words for obstacle in verdict.obstacles]
    return RULE.at(
        ask.obj,
        _place(verdict),
        f"{pod_set(ask)} can take no flavor of ClusterQueue {ask.queue.name}: {'; '.join(words[:8])}"
        + (f" and {len(words) - 8} more" if len(words) > 8 else ""),
        cluster=cluster,
        label="excludes every flavor",
        related=related(Label(_flavor(cluster, verdict, i), words[i]) for i in range(len(verdict.obstacles))),
        help=("Kueue shows reason NoMatchingFlavor; it never starts as it is",),
    )


def _place(verdict: Verdict) -> Path:
    """The field of the pod template that the first obstacle is about, or the template's spec."""
    path = verdict.asked.podset.path
    template = verdict.asked.podset.template
    fields: dict[str, tuple[Path, ...]] = {
        "affinity": (("spec", "nodeSelector"), ("spec", "affinity")),
        "topology": (("metadata", "annotations"),),
        "taint": (("spec", "tolerations"),),
    }
    for field in fields.get(verdict.obstacles[0].reason, ()):
        if value_at(template, field) is not None:
            return (*path, *field)
    return (*path, "spec")


def _flavor(cluster: Cluster, verdict: Verdict, index: int) -> Origin:
    obstacle = verdict.obstacles[index]
    flavor = cluster.flavors.get(obstacle.flavor.flavor)
    fields: dict[str, Path] = {
        "affinity": ("spec", "nodeLabels"),
        "taint": ("spec", "nodeTaints"),
        "topology": ("spec",),
    }
    if flavor is None:
        return verdict.asked.queue.obj.at(*obstacle.flavor.path, "name")
    return flavor.obj.at(*fields[obstacle.reason], part="key")
