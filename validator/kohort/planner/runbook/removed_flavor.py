"""A queue loses a flavor or a resource that work may use."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Disruption, Runbook, Step
from kohort.planner.runbook.case import Case, apply, is_compiled, quoted, stop


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per queue."""
    for change in case.open("ClusterQueue"):
        lost = [field for field in change.fields if field.disruption is Disruption.STEPS]
        if change.how != "changed" or not lost:
            continue
        case.take(change)
        name, compiled = change.ref.name, is_compiled(change)
        flavors = dict.fromkeys(field.flavor for field in lost if field.rule == "flavor-of-queue")
        resources = dict.fromkeys(
            resource for field in lost if field.rule != "flavor-of-queue" for resource in field.lost_resources
        )
        named = {"flavor": flavors, "resource": resources}
        what = " and ".join(f"{kind} {', '.join(names)}" for kind, names in named.items() if names)
        yield Runbook(
            case.cluster,
            f"removing {what} from ClusterQueue {name}",
            "work that runs with it would go on outside of any quota",
            (
                stop(name, "Hold", "nothing new is admitted, what runs finishes", compiled=compiled),
                Step(
                    f"let end what uses {what} (or set HoldAndDrain to evict it)",
                    (
                        f"kubectl get clusterqueue {quoted(name)} -o jsonpath='{{.status.flavorsReservation}}'",
                    ),
                    f"its total of {what} is 0",
                ),
                apply(f"the queue is then without {what}", compiled=compiled),
                stop(name, "None", "pending work is considered again", compiled=compiled),
            ),
        )
