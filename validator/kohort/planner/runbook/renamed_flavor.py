"""A flavor goes and another one with the same nodes comes: most likely a rename."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import ObjectChange, Runbook, Step
from kohort.planner.runbook.case import Case, apply, is_compiled, quoted, stop


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per pair of flavors whose specs are equal."""
    fresh = [one for one in case.open("ResourceFlavor") if one.how == "added"]
    for gone in [one for one in case.open("ResourceFlavor") if one.how == "removed"]:
        new = next((one for one in fresh if case.spec(one) == case.spec(gone)), None)
        if new is None:
            continue
        fresh.remove(new)
        queues = [one for one in case.open("ClusterQueue") if _lists(one, gone.ref.name)]
        for one in (gone, new, *queues):
            case.take(one)
        old, name, compiled = gone.ref.name, new.ref.name, is_compiled(gone)
        names = [one.ref.name for one in queues]
        hint = (
            f"write `previously: {old}` on the flavor to rename it in the repository only: then nothing below is needed"
            if compiled
            else "keep the name unless it must change"
        )
        yield Runbook(
            case.cluster,
            f"renaming ResourceFlavor {old} to {name}",
            f"work that runs is bound to the old name; {hint}",
            (
                Step(f"add ResourceFlavor {name} beside {old}, with the same labels and tolerations"),
                *(
                    stop(queue, "Hold", "nothing new is admitted, what runs finishes", compiled=compiled)
                    for queue in names
                ),
                Step(
                    f"let end what runs on {old} (or set HoldAndDrain to evict it)",
                    tuple(
                        f"kubectl get clusterqueue {quoted(queue)} -o jsonpath='{{.status.flavorsReservation}}'"
                        for queue in names
                    ),
                    f"no queue uses {old} any more",
                ),
                apply(f"the queues list {name} with the quota of {old}", compiled=compiled),
                *(
                    stop(queue, "None", "pending work gets the new flavor", compiled=compiled)
                    for queue in names
                ),
                Step(f"delete ResourceFlavor {old}", (f"kubectl delete resourceflavor {quoted(old)}",)),
            ),
        )


def _lists(change: ObjectChange, flavor: str) -> bool:
    return change.how == "changed" and any(
        field.rule == "flavor-of-queue" and field.how == "removed" and field.flavor == flavor
        for field in change.fields
    )
