"""What a cluster really uses: flavors, the cohorts above its queues, and the order of cohorts from the root down."""

from __future__ import annotations

from kohort.compiler.scope import Scope
from kohort.model.repo import CohortDecl


def used_flavors(scope: Scope) -> tuple[str, ...]:
    """Declared flavors of the cluster's node pools, sorted. What else names a flavor is refused without a pool of it."""
    return tuple(sorted({pool.flavor for pool in scope.decl.pools} & scope.repo.flavors.keys()))


def used_cohorts(scope: Scope) -> tuple[CohortDecl, ...]:
    """Declared cohorts that hold a queue, slack or a share on this cluster, and all above them. Sorted by name.

    An object for every one, roots too: a referenced cohort without an object is an unlimited one (kueue.md 2.11).
    """
    declared = scope.repo.cohorts
    todo = [queue.cohort for _, queue, _ in scope.queues]
    todo += [slack.cohort for slack in scope.decl.slack]
    todo += [name for name, cohort in declared.items() if scope.name in cohort.clusters]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name in declared and name not in found:
            found.add(name)
            todo.append(declared[name].parent)
    return tuple(declared[name] for name in sorted(found))


def depth(scope: Scope, cohort: CohortDecl) -> int:
    """Steps to the root; a cycle ends where it closes (it is another rule's finding)."""
    seen = {cohort.name}
    steps = 0
    current = cohort
    while current.parent and current.parent not in seen and current.parent in scope.repo.cohorts:
        current = scope.repo.cohorts[current.parent]
        seen.add(current.name)
        steps += 1
    return steps
