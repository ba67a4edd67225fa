"""Quotas promise more than healthy nodes can allocate.

Why:
    Kueue compares jobs with quota and never with nodes. What is promised beyond the hardware is admitted, its pods
    stay Pending while they hold the quota, and neither priority nor preemption helps, as there is nothing to preempt.
    Compared is `status.allocatable` of healthy nodes, per resource and for all flavors that share nodes together; the
    quotas of all queues and cohorts are added, since a cohort's own quota comes on top of its members'. Where there is
    slack, all promises together are compared with the nodes as if all were healthy. The largest quota is marked; any
    of the listed ones may be lowered. A flavor that is meant to exceed the nodes says so: `overcommit` in the cluster
    declaration, or the annotation `kohort.dev/unbounded: "cpu,memory"` (or `"*"`) on the ResourceFlavor.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels: {gpu: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: h100
          resources: [{name: nvidia.com/gpu, nominalQuota: 16}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: gpu-a, labels: {gpu: h100}}
    status:
      allocatable: {nvidia.com/gpu: "8"}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec:
      nodeLabels: {gpu: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [nvidia.com/gpu]
        flavors:
        - name: h100
          resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: gpu-a, labels: {gpu: h100}}
    status:
      allocatable: {nvidia.com/gpu: "8"}

Source:
    Kueue 0.19 quota reservation (no node is consulted outside topology-aware scheduling); Kubernetes Node
    status.allocatable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.capacity import Assessment, Promise, Shortage, assess
from kohort.capacity.words import amount, listed
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic
from kohort.rules.capacity.repeated import repeats_members

RULE = Rule("CAP901", "quota-over-capacity", Consequence.STUCK, stage=Stage.CAPACITY)
_FULL = 100


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per set of flavors that promises too much, with all its resources."""
    assessment = assess(cluster)
    for whole in assessment.shortages:
        if whole.cause != "quota":
            continue
        shortage, following = arithmetic.leading(assessment, whole)
        promises = arithmetic.contributors(assessment, shortage)
        obj, path = arithmetic.place(promises[0])
        against = _against(cluster, shortage)
        message = (
            f"{arithmetic.subject(shortage, promises)}: {arithmetic.compared(shortage, 'sum of nominalQuota', against)}, "
            f"{arithmetic.across(promises)}{arithmetic.excluded(assessment, shortage)}"
        )
        yield RULE.at(
            obj,
            path,
            message,
            cluster=cluster,
            label=f"the largest of {len(promises)} quotas" if len(promises) > 1 else "promised here",
            related=arithmetic.related(promises),
            terms=arithmetic.rows(assessment, shortage),
            help=tuple(_help(assessment, shortage, promises, following)),
        )


def _against(cluster: Cluster, shortage: Shortage) -> str:
    first = shortage.lacks[0]
    words = "planned allocatable" if cluster.planned else "healthy allocatable"
    if first.slack:
        words = "allocatable with every node healthy"
    return f"{first.percent} % of {words}," if first.percent != _FULL else words


def _help(
    assessment: Assessment, shortage: Shortage, promises: Sequence[Promise], following: Sequence[str]
) -> Iterator[str]:
    first = shortage.lacks[0]
    if first.lost and first.promised <= first.total:
        yield f"all of it would fit if the {amount(first.lost, first.resource)} that do not count came back"
    for promise in promises:
        if not promise.holder.is_queue and repeats_members(promise.holder):
            yield (
                f"the nominalQuota of Cohort {promise.holder.name} equals the sum of its members: a cohort's quota is "
                "additional, not a cap; remove it if the members' quotas are meant to be all there is"
            )
            break
    more = f"; {listed(following)} are derived from them and fall with them" if following else ""
    yield f"lower the quotas by {amount(first.excess, first.resource)} in total, or add nodes{more}"
    if not assessment.cluster.declared:
        yield 'if it is meant: annotate the ResourceFlavor with `kohort.dev/unbounded: "RESOURCE,…"` (or `"*"`)'
    else:
        yield "if it is meant: declare `overcommit` for the flavor in the cluster's declaration, with a reason"
