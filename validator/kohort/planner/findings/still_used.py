"""Objects that go while others name them, or while work holds quota in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kohort.capacity.words import by_weight, number
from kohort.diagnostics import Finding, Severity
from kohort.planner.findings.told import told
from kohort.planner.plan import Disruption, ObjectChange
from kohort.planner.state import State
from kohort.rules.plan_codes import STILL_USED

_LEGAL_ORDER: Final = (
    "remove in this order: workloads, LocalQueues, ClusterQueues, then flavors, topologies and checks"
)


def still_used(change: ObjectChange, state: State | None) -> Iterator[Finding]:
    """What others of the head name; of a ClusterQueue the work that a snapshot shows in it."""
    if change.how != "removed":
        return
    if change.users and change.disruption is not Disruption.NOTHING:
        yield _named(change)
    if change.ref.kind == "ClusterQueue" and state is not None:
        yield from _busy(change, state)


def _named(change: ObjectChange) -> Finding:
    users = change.users
    more = f" and {len(users) - 3} more" if len(users) > 3 else ""
    names = ", ".join(str(user.ref) for user in users[:3])
    found = told(
        STILL_USED,
        f"removes {change.ref}, which {names}{more} still {'name' if len(users) > 1 else 'names'}: {change.why}",
        change,
        users[0].origin if users else None,
        (_LEGAL_ORDER,)
        if change.disruption is Disruption.STEPS
        else ("let what names it name another one first",),
    )
    # a cohort that is only named lives on: nothing hangs and nothing turns inactive
    return found if change.disruption is Disruption.STEPS else replace(found, severity=Severity.WARNING)


def _busy(change: ObjectChange, state: State) -> Iterator[Finding]:
    """Work of the snapshot holds quota of a queue that goes."""
    name = change.ref.name
    works = [work for work in state.works if work.queue == name]
    used = state.usage.get(name, {})
    totals: dict[str, int] = {}
    for (_, resource), units in used.items():
        totals[resource] = totals.get(resource, 0) + units
    if not works and not any(totals.values()):
        return
    heaviest = by_weight(totals)[:1] if totals else []
    amount = "".join(f" with {number(totals[one], one)} {one}" for one in heaviest)
    who = f"{len(works)} workload{'s' if len(works) != 1 else ''}" if works else "work"
    yield told(
        STILL_USED,
        f"removes ClusterQueue {name}, in which {who}{amount} {'hold' if len(works) > 1 else 'holds'} quota: "
        "it hangs in deletion, admitting nothing, until the last of it has ended",
        change,
        change.before.at() if change.before is not None else None,
        (
            _LEGAL_ORDER,
            *((f"used by {', '.join(f'{w.namespace}/{w.name}' for w in works[:5])}",) if works else ()),
        ),
    )
