"""The lines of a plan that are the same in every format for people, as plain text."""

from __future__ import annotations

from kohort.capacity.words import amount, number
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
from kohort.planner.render.view import Sides, listed, short_path, shown_fields, shown_objects, value

__all__ = [
    "access",
    "agreement",
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
    if plan.empty:
        unread = len(plan.base_errors) + len(plan.head_errors)
        return (
            "nothing changes"
            if not unread
            else f"nothing that can be read changes, {count_of(unread, 'error')}"
        )
    seen, _ = shown_objects(plan)
    clusters = sorted({one.cluster for one in plan.objects if one.cluster})
    parts = [words.DISRUPTIONS[plan.disruption]]
    if seen:
        on = f" on {listed(clusters)}" if clusters else ""
        parts.append(f"{count_of(len(seen), 'object')}{on}")
    if plan.members:
        parts.append(count_of(len(plan.members), "person or group", "people or groups"))
    return ", ".join(parts)


def agreement(plan: Plan) -> list[str]:
    """Who must agree and why: one line each, or one that says that nobody need; nothing where that was not asked."""
    lines = [
        f"{one.who}{' (given by the author)' if one.given else ''}: {one.why}" for one in plan.approvals or ()
    ]
    if plan.approvals is not None and not lines and not plan.empty:
        lines = ["nobody: this is self-service"]
    return [*lines, *(f"no approval needed: {reason}" for reason in plan.self_service)]


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


def over(one: OverQuota) -> str:
    """`queue a uses 6 GPUs of h100, above its new guarantee of 4 (before 8)`."""
    on = f" on {one.cluster}" if one.cluster else ""
    used = amount(one.used, one.resource)
    after, before = number(one.after, one.resource), number(one.before, one.resource)
    who = f": {listed(one.workloads)}" if one.workloads else ""
    return f"queue {one.queue}{on} uses {used} of {one.flavor}, above its guarantee of {after} (before {before}){who}"


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
