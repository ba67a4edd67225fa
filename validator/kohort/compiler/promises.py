"""Sums of guarantees per flavor and resource, in Kueue's integer units."""

from __future__ import annotations

from kohort.compiler.lines import cohort_quota, queue_quota
from kohort.compiler.scope import Scope
from kohort.compiler.usage import used_cohorts
from kohort.objects.quantity import Quantity

Sums = dict[str, dict[str, int]]


def units_of(value: Quantity, resource: str) -> int:
    """Cores count in thousandths, everything else in whole units."""
    return value.milli() if resource == "cpu" else value.units()


def firm(scope: Scope) -> Sums:
    """Flavor → resource → what queues and cohorts of the cluster are guaranteed, slack not included."""
    sums: Sums = {}
    lines = [line for team, queue, _ in scope.queues for line in queue_quota(scope, team, queue)]
    lines += [line for cohort in used_cohorts(scope) for line in cohort_quota(scope, cohort)]
    for line in lines:
        held = sums.setdefault(line.flavor, {})
        for resource, amount in line.guarantee.items():
            held[resource] = held.get(resource, 0) + units_of(amount.value, resource)
    return sums
