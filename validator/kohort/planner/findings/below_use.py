"""Queues whose use is above what the change leaves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kohort.capacity.words import by_weight, number
from kohort.diagnostics import Finding
from kohort.planner.findings.told import told
from kohort.planner.plan import FieldChange, ObjectChange, OverQuota
from kohort.rules.plan_codes import BELOW_USE

# What a queue lists, and changes of a queue or cohort that take it to another tree.
_LISTINGS: Final = frozenset({"flavor-of-queue", "resource-of-flavor", "covered-resources"})
_MOVES: Final = frozenset({"cohort-of-queue", "cohort-parent"})


def below_use(over: Sequence[OverQuota], changes: Sequence[ObjectChange]) -> Iterator[Finding]:
    """Of each queue and flavor the resource that people count in: the others follow from it."""
    groups: dict[tuple[str, str, str], dict[str, OverQuota]] = {}
    for one in over:
        groups.setdefault((one.cluster, one.queue, one.flavor), {})[one.resource] = one
    for resources in groups.values():
        yield _below_use(resources[by_weight(resources)[0]], changes)


def _below_use(one: OverQuota, changes: Sequence[ObjectChange]) -> Finding:
    used, after = number(one.used, one.resource), number(one.after, one.resource)
    rest = number(one.used - one.after, one.resource)
    stuck = number(max(0, one.used - one.limit), one.resource)
    change, field = _cause(one, changes)
    listed_no_more = field is not None and field.how == "removed" and field.rule in _LISTINGS
    if listed_no_more:
        above = f"usage {used}, and the queue lists it no more"
    elif one.after < one.before:
        above = f"usage {used} > new guarantee {after}"
    else:
        above = f"usage {used} > {number(one.limit, one.resource)} that it may reach now (guarantee {after} as before)"
    if listed_no_more:
        then = "nothing is evicted, and nothing new is admitted on it"
    elif one.used > one.limit:
        then = f"nothing is evicted, {stuck} must finish before anything else is admitted"
    else:
        then = f"nothing is evicted by that, {rest} count as borrowed and may be reclaimed"
    origin = field.origin or field.base_origin if field is not None else None
    if origin is None and change is not None:
        whole = change.after or change.before
        origin = whole.at() if whole is not None else None
    found = told(
        BELOW_USE,
        f"{one.queue}/{one.flavor} {one.resource}: {above}; {then}",
        change,
        origin,
        (f"used by {', '.join(one.workloads[:5])}",) if one.workloads else (),
    )
    return replace(found, subject=f"ClusterQueue {one.queue}", clusters=(one.cluster,) if one.cluster else ())


def _cause(one: OverQuota, changes: Sequence[ObjectChange]) -> tuple[ObjectChange | None, FieldChange | None]:
    """What brings a queue above its quota: a field of its own, else one of those that lend to it, else what goes."""
    here = [c for c in changes if c.cluster == one.cluster and c.ref.kind in {"ClusterQueue", "Cohort"}]
    here.sort(key=lambda c: (c.ref.kind, c.ref.name) != ("ClusterQueue", one.queue))
    for change in here:
        for field in change.fields:
            if field.rule == "covered-resources" and one.resource in field.lost_resources:
                return change, field
            if field.rule in _MOVES or (
                field.flavor == one.flavor
                and field.resource in {"", one.resource}
                and field.direction != "raised"
            ):
                return change, field
    return next((c for c in here if c.how == "removed"), None), None
