"""Something is removed that others still name: a flavor, a topology, a check."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Disruption, Runbook, Step
from kohort.planner.runbook.case import Case, quoted


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per object."""
    for change in case.open():
        if change.how != "removed" or change.disruption is not Disruption.STEPS:
            continue
        case.take(change)
        kind = change.ref.kind.lower()
        yield Runbook(
            case.cluster,
            f"removing {change.ref}",
            change.why,
            (
                Step("stop and drain the queues that use it, or give them another one first"),
                Step(f"take {change.ref.name} out of everything that names it, and apply that"),
                Step(
                    "then delete it: kubectl waits for the finalizer",
                    (f"kubectl delete {kind} {quoted(change.ref.name)}",),
                ),
            ),
        )
