"""A strict queue has a workload that its own quota cannot hold: it blocks everything behind it.

Why:
    In a StrictFIFO queue the first workload waits at the head until it fits. One that must borrow waits for other
    teams, and meanwhile nothing else in the queue starts, however small.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      queueingStrategy: StrictFIFO
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "2"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: other}
    spec:
      namespaceSelector: {}
      cohortName: org
      preemption: {reclaimWithinCohort: Any}
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
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "4"}}}]}}}

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
      cohortName: org
      queueingStrategy: BestEffortFIFO
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "2"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: other}
    spec:
      namespaceSelector: {}
      cohortName: org
      preemption: {reclaimWithinCohort: Any}
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
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job, resources: {requests: {cpu: "4"}}}]}}}

Source:
    Kueue 0.15 to 0.19, ClusterQueue spec.queueingStrategy StrictFIFO: a head that does not fit goes back to the head
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label, Term
from kohort.objects.cluster import Cluster
from kohort.objects.quantity import human
from kohort.rules.base import Rule
from kohort.rules.references.index import quota_tree
from kohort.rules.workloads.asked import Asked, asked
from kohort.semantics import TreeNode

RULE = Rule("QTA510", "strict-queue-blocked", Consequence.DISRUPTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per strict queue, about the workload that exceeds the queue's own quota most."""
    tree = quota_tree(cluster)
    worst: dict[str, tuple[float, Asked, str, int, int]] = {}
    for ask in asked(cluster):
        node = tree.queues.get(ask.queue.name)
        if node is None or node.parent is None or ask.queue.strategy != "StrictFIFO" or ask.uncovered:
            continue
        found = _beyond_own(ask, node)
        if found is None:
            continue
        resource, wanted, own = found
        excess = wanted / own if own else float(wanted)
        if ask.queue.name not in worst or excess > worst[ask.queue.name][0]:
            worst[ask.queue.name] = (excess, ask, resource, wanted, own)
    for _, ask, resource, wanted, own in worst.values():
        yield _finding(cluster, ask, resource, wanted, own)


def _beyond_own(ask: Asked, node: TreeNode) -> tuple[str, int, int] | None:
    """(resource, wanted, own quota) where no flavor's own quota holds the pod set, but borrowing could."""
    units = ask.units()
    for group in ask.queue.groups:
        wanted = {r: units[r] * ask.least for r in group.covered if r in units}
        short: tuple[str, int, int] | None = None
        reachable = False
        for flavor in group.flavors:
            beyond = next((r for r, n in wanted.items() if n > node.nominal((flavor.flavor, r))), None)
            if beyond is None:
                short = None
                break
            own = node.nominal((flavor.flavor, beyond))
            reachable = reachable or all(n <= node.potential((flavor.flavor, r)) for r, n in wanted.items())
            if short is None or own > short[2]:
                short = (beyond, wanted[beyond], own)
        if short is not None and reachable:
            return short
    return None


def _finding(cluster: Cluster, ask: Asked, resource: str, wanted: int, own: int) -> Finding:
    queue = ask.queue
    return RULE.at(
        queue.obj,
        ("spec", "queueingStrategy"),
        f"{queue.obj.ref} is StrictFIFO, and {ask.obj.ref} asks {human(wanted, resource)} {resource}, more than its own "
        f"{human(own, resource)}: while it waits to borrow, it blocks everything behind it",
        cluster=cluster,
        label="a head that does not fit blocks the queue",
        related=(Label(ask.obj.at(*ask.place(resource)), "the largest workload"),),
        terms=(
            Term(" ", human(wanted, resource), f"asked of {resource}"),
            Term(">", human(own, resource), "the queue's own quota on one flavor"),
        ),
        help=("use BestEffortFIFO, or give the queue enough quota of its own",),
    )
