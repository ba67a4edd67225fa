"""A cohort has quota of a flavor that a member queue does not list.

Why:
    A queue borrows only what it lists. Idle quota of other flavors stays idle while its jobs wait; an entry with
    nominalQuota 0 is enough to borrow.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: a100}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: train}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: other}
    spec:
      namespaceSelector: {}
      cohortName: org
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: a100, resources: [{name: cpu, nominalQuota: "8"}]}]

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
      preemption: {reclaimWithinCohort: Any}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "8"}]}]
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

Source:
    Kueue 0.15 to 0.19: a queue uses and borrows only the (flavor, resource) pairs of its own resourceGroups
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.rules.base import Rule
from kohort.rules.quota.lending import is_used, owners
from kohort.rules.references.index import is_missing_flavor, quota_tree
from kohort.rules.references.wording import listed, related
from kohort.semantics import TreeNode

RULE = Rule("QTA508", "unlisted-flavor", Consequence.NOTE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per group of queues with the same gap, in plain input only; a declared organisation chooses each team's flavors on purpose."""
    if cluster.declared:
        return
    offers: dict[int, dict[str, list[str]]] = {}
    alike: dict[tuple[int, tuple[str, ...]], list[ClusterQueue]] = {}
    for name, node in quota_tree(cluster).queues.items():
        queue, parent = cluster.queues[name], node.parent
        if parent is None or not queue.groups or not is_used(cluster, queue):
            continue
        if id(parent) not in offers:
            offers[id(parent)] = _offers(cluster, parent)
        listed_here, covered = set(queue.flavors), queue.covered
        found = [
            flavor
            for flavor, resources in offers[id(parent)].items()
            if flavor not in listed_here and not covered.isdisjoint(resources)
        ]
        if found:
            alike.setdefault((id(parent), tuple(found)), []).append(queue)
    for (_, flavors), queues in alike.items():
        yield _finding(cluster, queues, list(flavors))


def _offers(cluster: Cluster, cohort: TreeNode) -> dict[str, list[str]]:
    """Flavors that a member of the cohort could borrow, with the resources of each."""
    found: dict[str, list[str]] = {}
    for flavor, resource in cohort.root().pairs:
        if not is_missing_flavor(cluster, flavor) and cohort.potential((flavor, resource)) > 0:
            found.setdefault(flavor, []).append(resource)
    return found


def _finding(cluster: Cluster, queues: list[ClusterQueue], flavors: list[str]) -> Finding:
    queue, one = queues[0], len(flavors) == 1
    places = [place for flavor in flavors for place in owners(cluster).get(flavor, ())[:1]]
    return RULE.at(
        queue.obj,
        (*queue.groups[0].path, "flavors"),
        f"cohort {queue.cohort} has flavor{'' if one else 's'} {listed(flavors)} that {listed((q.name for q in queues), 4)} cannot use; add "
        f"{'it' if one else 'them'} with nominalQuota 0 to allow borrowing",
        cluster=cluster,
        part="key",
        label="not listed here",
        related=related(Label(origin, f"{owner} has it") for owner, origin in places),
    )
