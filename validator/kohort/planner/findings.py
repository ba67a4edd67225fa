"""What is wrong with the change itself, whatever the state before and after: codes PLN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kohort.capacity.words import by_weight, number
from kohort.diagnostics import Finding
from kohort.diagnostics.codes import CodeDoc
from kohort.objects.kueue import ClusterQueue, read_cluster_queue
from kohort.planner.plan import Disruption, FieldChange, ObjectChange, OverQuota
from kohort.rules.plan_codes import BELOW_USE, EMPTIED, IMMUTABLE, STILL_USED, TO_ZERO
from kohort.spans import Origin

# Kinds whose spec may be empty, and a field that says nothing new.
_MAY_BE_EMPTY: Final = {
    "Cohort": 'fairSharing: {weight: "1"} says what Kueue takes anyway',
    "ResourceFlavor": "a node label that all its nodes have",
}


def findings(changes: Sequence[ObjectChange], over: Sequence[OverQuota]) -> Iterator[Finding]:
    """The findings of all changes."""
    for change in changes:
        yield from _immutable(change)
        if (
            change.how == "removed"
            and change.disruption is Disruption.STEPS
            and change.ref.kind != "ClusterQueue"
        ):
            yield _still_used(change)
        if change.ref.kind == "ClusterQueue":
            yield from _to_zero(change)
        if change.how == "changed" and change.ref.kind in _MAY_BE_EMPTY:
            yield from _emptied(change)
    for one in _weightiest(over):
        yield _below_use(one, changes)


def _weightiest(over: Sequence[OverQuota]) -> Iterator[OverQuota]:
    """Of each queue and flavor the resource that people count in: the others follow from it."""
    groups: dict[tuple[str, str, str], dict[str, OverQuota]] = {}
    for one in over:
        groups.setdefault((one.cluster, one.queue, one.flavor), {})[one.resource] = one
    for resources in groups.values():
        yield resources[by_weight(resources)[0]]


def _immutable(change: ObjectChange) -> Iterator[Finding]:
    for field in change.fields:
        if field.disruption is Disruption.RECREATE and field.rule != "work":
            waits = "; pending workloads wait for that" if change.ref.kind == "LocalQueue" else ""
            yield _finding(
                IMMUTABLE,
                f"{change.ref}: {field.path} is immutable ({_text(field.before)} → {_text(field.after)}): "
                f"delete and create{waits}",
                change,
                field.origin or field.base_origin,
                ("the steps of the plan say in which order",),
            )


def _text(value: object) -> str:
    return (
        f'"{value}"'
        if isinstance(value, str)
        else "none"
        if value is None
        else "…"
        if isinstance(value, (dict, list))
        else str(value)
    )


def _still_used(change: ObjectChange) -> Finding:
    users = change.users
    more = f" and {len(users) - 3} more" if len(users) > 3 else ""
    names = ", ".join(str(user.ref) for user in users[:3])
    return _finding(
        STILL_USED,
        f"removes {change.ref}, which {names}{more} still {'name' if len(users) > 1 else 'names'}: {change.why}",
        change,
        users[0].origin if users else None,
        ("remove in this order: workloads, LocalQueues, ClusterQueues, then flavors, topologies and checks",),
    )


def _emptied(change: ObjectChange) -> Iterator[Finding]:
    """Played in the lab: the server reads a spec whose last field an apply takes away as null."""
    before, after = change.before, change.after
    if before is None or after is None or after.get("spec") or not before.get("spec"):
        return
    gone = ", ".join(str(name) for name in before.get("spec"))
    keep = _MAY_BE_EMPTY[change.ref.kind]
    yield _finding(
        EMPTIED,
        f"{change.ref}: its spec loses {gone} and is empty then: a server-side apply of that is refused "
        '(spec: Invalid value: "null")',
        change,
        after.at("spec"),
        (f"keep one field: {keep}", "or carry it out once by kubectl replace"),
    )


def _to_zero(change: ObjectChange) -> Iterator[Finding]:
    """Stopping a queue by its quota forgets the number, and leaves what runs."""
    if change.before is None or change.after is None:
        return
    before, after = read_cluster_queue(change.before), read_cluster_queue(change.after)
    lost = [
        field
        for field in change.fields
        if field.rule == "quota" and field.direction == "lowered" and _is_zero(after, field)
    ]
    # in a cohort it may still run on what others leave idle
    if not lost or after.cohort or any(quota.nominal for quota in after.quotas.values()):
        return
    what = ", ".join(
        f"{field.resource} {before.quotas[field.flavor, field.resource].nominal} → 0"
        for field in lost
        if (field.flavor, field.resource) in before.quotas
    )
    yield _finding(
        TO_ZERO,
        f"ClusterQueue {change.ref.name}: {what}: nothing is admitted any more, what runs stays",
        change,
        lost[0].origin,
        (
            "stopPolicy: Hold has the same effect and keeps the number",
            "stopPolicy: HoldAndDrain also evicts what runs",
        ),
    )


def _is_zero(queue: ClusterQueue, field: FieldChange) -> bool:
    quota = queue.quota(field.flavor, field.resource)
    return quota is not None and not quota.nominal


def _below_use(one: OverQuota, changes: Sequence[ObjectChange]) -> Finding:
    used, after = number(one.used, one.resource), number(one.after, one.resource)
    rest = number(one.used - one.after, one.resource)
    stuck = number(max(0, one.used - one.limit), one.resource)
    if one.used > one.limit:
        then = f"nothing is evicted, {stuck} must finish before anything else is admitted"
    else:
        then = f"nothing is evicted by that, {rest} count as borrowed and may be reclaimed"
    change = next(
        (
            c
            for c in changes
            if c.cluster == one.cluster and c.ref.kind == "ClusterQueue" and c.ref.name == one.queue
        ),
        None,
    )
    field = next(
        (f for f in change.fields if (f.flavor, f.resource) == (one.flavor, one.resource))
        if change
        else iter(()),
        None,
    )
    origin = field.origin or field.base_origin if field is not None else None
    message = f"{one.queue}/{one.flavor} {one.resource}: usage {used} > new guarantee {after}; {then}"
    found = _finding(
        BELOW_USE,
        message,
        change,
        origin,
        (f"used by {', '.join(one.workloads[:5])}",) if one.workloads else (),
    )
    return replace(found, subject=f"ClusterQueue {one.queue}", clusters=(one.cluster,) if one.cluster else ())


def _finding(
    code: CodeDoc, message: str, change: ObjectChange | None, origin: Origin | None, help_: tuple[str, ...]
) -> Finding:
    found = code.finding(message, origin or Origin(""), help=help_, subject=str(change.ref) if change else "")
    return replace(found, clusters=(change.cluster,)) if change is not None and change.cluster else found
