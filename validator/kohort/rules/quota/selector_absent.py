"""A ClusterQueue without namespaceSelector has a LocalQueue.

Why:
    An absent or null selector selects no namespace, {} selects all. Workloads of the LocalQueue are inadmissible for
    ever. Without a LocalQueue the same queue is a fine way to lend quota.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
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

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.namespaceSelector: "workload namespace doesn't match ClusterQueue selector"
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Edit, Finding, Fix, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import local_queues_of
from kohort.rules.references.wording import related

RULE = Rule("QTA501", "namespace-selector-absent", Consequence.STUCK)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per ClusterQueue that LocalQueues lead to."""
    for queue in cluster.queues.values():
        locals_ = local_queues_of(cluster).get(queue.name)
        if not locals_ or queue.namespace_selector is not None or not queue.groups:
            continue
        more = f" (and {len(locals_) - 1} more)" if len(locals_) > 1 else ""
        null = isinstance(queue.obj.get("spec"), dict) and "namespaceSelector" in queue.obj.get("spec")
        edit = (
            Edit("replace", queue.obj.at("spec", "namespaceSelector"), "{}")
            if null
            else Edit("insert", queue.obj.at("spec"), "namespaceSelector: {}\n")
        )
        yield RULE.at(
            queue.obj,
            ("spec", "namespaceSelector") if null else ("spec",),
            f"{locals_[0].obj.ref}{more} -> ClusterQueue {queue.name} whose namespaceSelector is "
            f"{'null' if null else 'absent'} (selects no namespace)",
            cluster=cluster,
            part="key",
            label="no namespace may use it",
            related=related(
                Label(lq.obj.at("spec", "clusterQueue"), f"{lq.obj.ref} leads here") for lq in locals_
            ),
            help=(
                'workloads read "workload namespace doesn\'t match ClusterQueue selector"',
                "write namespaceSelector: {} for all namespaces, or matchLabels for some",
            ),
            fix=Fix("select every namespace", (edit,), safe=False),
        )
