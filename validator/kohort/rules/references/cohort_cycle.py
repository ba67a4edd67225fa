"""Parents of cohorts form a loop.

Why:
    Kueue leaves every queue whose chain of parents runs into a loop out of scheduling: nothing in the whole subtree is
    admitted, while the ClusterQueues may still read Active. A cohort that is its own parent is the same.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: root}
    spec: {parentName: leaf}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: leaf}
    spec: {parentName: root}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: root}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Cohort
    metadata: {name: leaf}
    spec: {parentName: root}

Source:
    Kueue 0.15 to 0.19, hierarchy of cohorts (snapshot without cyclic queues); reason CohortCycleDetected after 0.19
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import quota_tree
from kohort.rules.references.wording import listed, related

RULE = Rule("REF408", "cohort-cycle", Consequence.STUCK)

_MOST_STEPS = 12


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per loop, at the parent of its first cohort."""
    tree = quota_tree(cluster)
    for cycle in tree.cycles:
        first = cluster.cohorts[cycle[0]]
        members = set(cycle)
        caught = [
            name
            for name in cluster.queues
            if name in tree.excluded_queues and _ends_in(cluster, name, members)
        ]
        steps = cycle if len(cycle) <= _MOST_STEPS else (*cycle[: _MOST_STEPS - 1], "…", cycle[-1])
        queues = f"; ClusterQueue{'s' if len(caught) > 1 else ''} {listed(caught)} inactive" if caught else ""
        yield RULE.at(
            first.obj,
            ("spec", "parentName"),
            f"Cohort cycle {' -> '.join(steps)}{queues}",
            cluster=cluster,
            label="the loop closes here",
            related=related(
                Label(cluster.cohorts[name].obj.at("spec", "parentName"), f"parent of {name}")
                for name in cycle[1:-1]
            ),
            help=(
                "make one of these cohorts a root: remove its spec.parentName",
                (
                    'workloads of these queues read "ClusterQueue is inactive", whatever the queue itself shows '
                    "(newer Kueue: reason CohortCycleDetected)"
                ),
            ),
        )


def _ends_in(cluster: Cluster, queue: str, cycle: set[str]) -> bool:
    """Whether the chain of cohorts above a queue reaches this loop."""
    seen: set[str] = set()
    name = cluster.queues[queue].cohort
    while name not in cycle:
        if name in seen or name not in cluster.cohorts:
            return False
        seen.add(name)
        name = cluster.cohorts[name].parent
    return True
