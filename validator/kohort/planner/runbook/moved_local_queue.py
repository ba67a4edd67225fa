"""A LocalQueue leads to another ClusterQueue: the field is immutable, so it is made again."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Runbook, Step
from kohort.planner.runbook.case import Case, apply, is_compiled, quoted


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per LocalQueue."""
    for change in case.open("LocalQueue"):
        moved = next((field for field in change.fields if field.rule == "local-queue-target"), None)
        if moved is None:
            continue
        case.take(change)
        space, name = change.ref.namespace, change.ref.name
        queue = f"localqueue {quoted(name)} -n {quoted(space)}"
        hold = quoted('{"spec":{"stopPolicy":"Hold"}}')
        yield Runbook(
            case.cluster,
            f"moving LocalQueue {space}/{name} from ClusterQueue {moved.before} to {moved.after}",
            "spec.clusterQueue is immutable: an update is refused",
            (
                Step(
                    "hold the LocalQueue: nothing new is admitted, what runs goes on and keeps counting in "
                    f"ClusterQueue {moved.before}",
                    (f"kubectl patch {queue} --type merge -p {hold}",),
                ),
                Step("delete it; its pending workloads wait as inadmissible", (f"kubectl delete {queue}",)),
                apply(
                    f"the LocalQueue is made again and leads to {moved.after}", compiled=is_compiled(change)
                ),
                Step(
                    "look that pending work is taken up",
                    (f"kubectl get {queue}",),
                    "ADMITTED WORKLOADS and PENDING WORKLOADS add up to what waited",
                ),
            ),
        )
