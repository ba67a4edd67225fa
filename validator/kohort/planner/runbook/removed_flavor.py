"""A queue loses a flavor or a resource that work may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
        resources = dict.fromkeys(resource for field in lost for resource in field.lost_resources)
        named = {"flavor": flavors, "resource": resources}
        fresh = dict.fromkeys(
            field.flavor
            for field in change.fields
            if field.rule == "flavor-of-queue" and field.how == "added"
        )
        what = " and ".join(f"{kind} {', '.join(names)}" for kind, names in named.items() if names)
        yield Runbook(
            case.cluster,
            f"removing {what} from ClusterQueue {name}",
            "work that runs with it would go on without quota of this queue, while others get the same hardware",
            (
                *_added_first(case, fresh),
                stop(name, "Hold", "nothing new is admitted, what runs finishes", compiled=compiled),
                Step(
                    f"let end what uses {what} (or set HoldAndDrain to evict it)",
                    (
                        f"kubectl get clusterqueue {quoted(name)} -o jsonpath='{{.status.flavorsReservation}}'",
                    ),
                    f"its total of {what} is 0",
                ),
                apply(f"the queue is then {_instead(fresh)}without {what}", compiled=compiled),
                stop(name, "None", "pending work is considered again", compiled=compiled),
                *_deleted_last(case, flavors),
            ),
        )


def _instead(flavors: Iterable[str]) -> str:
    names = ", ".join(flavors)
    return f"with flavor {names} and " if names else ""


def _added_first(case: Case, flavors: Iterable[str]) -> Iterator[Step]:
    """A queue that lists a flavor which is not there yet admits nothing at all."""
    for change in case.changes:
        if change.ref.kind == "ResourceFlavor" and change.how == "added" and change.ref.name in flavors:
            yield Step(
                f"add ResourceFlavor {change.ref.name}: a queue that lists a missing flavor admits nothing"
            )


def _deleted_last(case: Case, flavors: Iterable[str]) -> Iterator[Step]:
    """Its finalizer holds a flavor until no queue lists it."""
    for change in case.open("ResourceFlavor"):
        if change.how == "removed" and change.ref.name in flavors:
            case.take(change)
            delete = f"kubectl delete resourceflavor {quoted(change.ref.name)}"
            yield Step(f"delete ResourceFlavor {change.ref.name} when no queue lists it any more", (delete,))
