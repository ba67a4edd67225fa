"""The lines of a plan that are the same in every format for people, as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kohort.capacity.words import amount, by_weight, number
from kohort.diagnostics import Severity
from kohort.diagnostics.count import count_of
from kohort.planner.plan import (
    AccessChange,
    FieldChange,
    Member,
    ObjectChange,
    OverQuota,
    Plan,
    Rename,
    WorkAffected,
)
from kohort.planner.render import words
from kohort.planner.render.view import (
    Sides,
    listed,
    new_findings,
    short_path,
    shown_fields,
    shown_objects,
    value,
)

UNREAD: Final = "What cannot be read counts as if it were not there."

__all__ = [
    "UNREAD",
    "access",
    "change_of",
    "in_short",
    "member",
    "over",
    "place_of",
    "rename",
    "verdict",
    "work",
]


def verdict(plan: Plan) -> str:
    """The plan in one line."""
    unread = len(plan.base_errors) + len(plan.head_errors)
    wrong = sum(one.severity is Severity.ERROR for one in (*plan.findings, *new_findings(plan)))
    if plan.empty:
        parts = ["nothing that can be read changes" if unread else "nothing changes"]
        return ", ".join([*parts, count_of(unread + wrong, "error")] if unread + wrong else parts)
    seen, _ = shown_objects(plan)
    clusters = sorted({one.cluster for one in seen if one.cluster})
    parts = [words.DISRUPTIONS[plan.disruption]]
    if seen:
        on = f" on {listed(clusters)}" if clusters else ""
        parts.append(f"{count_of(len(seen), 'object')}{on}")
    if plan.members:
        parts.append(count_of(len(plan.members), "person or group", "people or groups"))
    if wrong:
        parts.append(count_of(wrong, "error"))
    told = ", ".join(parts)
    return f"cannot be read whole, {count_of(unread, 'error')}; as read: {told}" if unread else told


def rename(one: Rename) -> str:
    """`Team blue is now azure`."""
    return f"{one.kind} {one.before} is now {one.after}; its objects on the clusters keep their names"


def member(one: Member) -> str:
    """`+ User alice, members of team blue`."""
    of = f"team {one.team}" if one.team else f"cluster {one.cluster}" if one.cluster else "the organisation"
    return f"{'+' if one.joined else '-'} {one.subject}, {one.circle} of {of}"


def access(one: AccessChange) -> str:
    """`+ User alice may submit in namespace blue, queue blue, on pokprod`."""
    may = "may" if one.gained else "may no longer"
    parts = [f"{'+' if one.gained else '-'} {one.subject} {may} {one.ability}"]
    if one.where:
        parts[0] += f" in namespace{'s' if len(one.where) > 1 else ''} {listed(one.where)}"
    if one.queues:
        parts.append(f"queue{'s' if len(one.queues) > 1 else ''} {listed(one.queues)}")
    if one.cluster:
        parts.append(f"on {one.cluster}" if one.where else f"on the whole cluster {one.cluster}")
    elif not one.where:
        parts.append("on the whole cluster")
    return ", ".join(parts)


def work(one: WorkAffected) -> str:
    """`running team-a/train in queue blue: may preempt running work; …`."""
    state = "running" if one.running else "pending"
    on = f" on {one.cluster}" if one.cluster else ""
    queue = f" in queue {one.queue}" if one.queue else ""
    return f"{state} {one.namespace}/{one.name}{queue}{on}: {words.DISRUPTIONS[one.disruption]}; {one.why}"


def over(some: Sequence[OverQuota]) -> str:
    """`queue a uses 6 GPUs of h100, above its guarantee of 4 (before 8), and 60 cpu above 40: …`: one queue and flavor.

    The weightiest resource comes first, and the workloads are those of any.
    """
    by_resource = {one.resource: one for one in some}
    first, *others = (by_resource[each] for each in by_weight(by_resource))
    on = f" on {first.cluster}" if first.cluster else ""
    used, after = amount(first.used, first.resource), number(first.after, first.resource)
    told = f"above its guarantee of {after} (before {number(first.before, first.resource)})"
    for one in others:
        told += f", {amount(one.used, one.resource)} above {number(one.after, one.resource)}"
    workloads = list(dict.fromkeys(name for one in (first, *others) for name in one.workloads))
    who = f": {listed(workloads)}" if workloads else ""
    return f"queue {first.queue}{on} uses {used} of {first.flavor}, {told}{who}"


def change_of(field: FieldChange) -> str:
    """`8 → 16`, `+ 16`, `- 8`."""
    if field.how == "added":
        return f"+ {value(field.after)}"
    if field.how == "removed":
        return f"- {value(field.before)}"
    return f"{value(field.before)} → {value(field.after)}"


def place_of(field: FieldChange, sides: Sides) -> str:
    """Where the change was typed; what is removed stood before the change."""
    gone = field.how == "removed"
    return sides.of(field.base_origin if gone else field.origin, gone=gone)


def in_short(one: ObjectChange, sides: Sides, most: int) -> tuple[str, str]:
    """The first changed fields of an object in one line, how many more there are, and the place of the first; or nothing."""
    fields = list(shown_fields(one))
    if not fields:
        return "", ""
    told = "; ".join(f"{short_path(field)}: {change_of(field)}" for field in fields[:most])
    more = f"; and {len(fields) - most} more fields" if len(fields) > most else ""
    return f"{told}{more}", place_of(fields[0], sides)
