"""A ClusterQueue moves to another cohort: its usage moves with it, so it should not owe anybody anything."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Runbook, Step
from kohort.planner.runbook.case import Case, apply, is_compiled, quoted, stop


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per queue that moves and may hold work."""
    for change in case.open("ClusterQueue"):
        moved = next((field for field in change.fields if field.rule == "cohort-of-queue"), None)
        if moved is None or case.idle(change.ref.name):
            continue
        case.take(change)
        name, compiled = change.ref.name, is_compiled(change)
        there = f"cohort {moved.after}" if moved.after else "no cohort"
        here = f"cohort {moved.before}" if moved.before else "no cohort"
        yield Runbook(
            case.cluster,
            f"moving ClusterQueue {name} from {here} to {there}",
            "usage moves with the queue: what it borrowed is at once above its guarantee there and may be reclaimed",
            (
                stop(name, "Hold", "nothing new is admitted, what runs finishes", compiled=compiled),
                Step(
                    "let end what the queue borrowed",
                    (
                        f"kubectl get clusterqueue {quoted(name)} -o jsonpath='{{.status.flavorsReservation}}'",
                    ),
                    "no `borrowed` of its flavors is above 0",
                ),
                apply(f"the queue is then in {there}", compiled=compiled),
                stop(name, "None", "pending work is considered in the new cohort", compiled=compiled),
            ),
        )
