"""A quota is for a resource that no node advertises, so it is treated as virtual.

Why:
    Queues may count things that are no hardware: pipeline runs, licences, tokens. Such a resource cannot be measured
    against nodes. If hardware was meant, the name is wrong or its device plugin does not run on any node.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: pipelines}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [example.com/pipelineruns]
        flavors:
        - name: default
          resources: [{name: example.com/pipelineruns, nominalQuota: 300}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {cpu: "64"}}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: default}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: pipelines}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: default
          resources: [{name: cpu, nominalQuota: 32}]
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: n1}
    status: {allocatable: {cpu: "64"}}

Source:
    Kueue 0.19 counts any resource name; Kubernetes nodes advertise theirs in status.capacity.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from kohort.capacity import assess
from kohort.capacity.words import listed
from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule, Stage
from kohort.rules.capacity import arithmetic

RULE = Rule("CAP913", "virtual-resource", Consequence.NOTE, stage=Stage.CAPACITY)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One remark per resource, at its first quota."""
    assessment = assess(cluster)
    if cluster.no_hardware:
        return  # then it is the node that is missing, not the resource
    for resource, promises in assessment.promises.virtual.items() if assessment.judged else ():
        obj, path = arithmetic.place(promises[0])
        near = get_close_matches(resource, sorted(assessment.advertised), n=1, cutoff=0.85)
        yield RULE.at(
            obj,
            path[:-1],
            f"{resource} is advertised by no node: treated as virtual, its quota in "
            f"[{listed(dict.fromkeys(promise.holder.name for promise in promises))}] is not measured against nodes",
            cluster=cluster,
            related=arithmetic.related(promises),
            help=(f"did you mean {near[0]}?",) if near else (),
        )
