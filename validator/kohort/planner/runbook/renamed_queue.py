"""A ClusterQueue goes, another one that says the same comes, and LocalQueues go over to it: most likely a rename."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import Disruption, ObjectChange, Runbook, Step
from kohort.planner.runbook.case import Case, apply, is_compiled, quoted
from kohort.planner.runbook.removed_queue import remove_local, run_empty


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per pair of queues whose specs are equal, while work may be in the old one."""
    fresh = [one for one in case.open("ClusterQueue") if one.how == "added"]
    for gone in [one for one in case.open("ClusterQueue") if one.how == "removed"]:
        locals_ = [one for one in case.open("LocalQueue") if _led_to(one, gone.ref.name)]
        alike = (one for one in fresh if case.spec(one) == case.spec(gone))
        new = next((one for one in alike if any(_leads_to(local, one.ref.name) for local in locals_)), None)
        if new is None or gone.disruption is not Disruption.STEPS:
            continue
        fresh.remove(new)
        old, name, compiled = gone.ref.name, new.ref.name, is_compiled(gone)
        for one in (gone, new, *locals_):
            case.take(one)
        hint = (
            "write `previously` on the queue to rename it in the repository only: then nothing below is needed"
            if compiled
            else "keep the name unless it must change"
        )
        yield Runbook(
            case.cluster,
            f"renaming ClusterQueue {old} to {name}",
            f"work that runs is bound to the old one, and while both are there the same quota is promised twice; {hint}",
            (
                *run_empty(old, compiled=compiled),
                *remove_local(locals_),
                apply(
                    f"ClusterQueue {name} has the quota now, and LocalQueues that are made again lead to it",
                    compiled=compiled,
                ),
                Step(f"delete ClusterQueue {old}", (f"kubectl delete clusterqueue {quoted(old)}",)),
            ),
        )


def _led_to(change: ObjectChange, queue: str) -> bool:
    """Whether a LocalQueue that goes or leads elsewhere now led to a queue."""
    obj = change.before
    return obj is not None and obj.get("spec", "clusterQueue") == queue and not _leads_to(change, queue)


def _leads_to(change: ObjectChange, queue: str) -> bool:
    return change.after is not None and change.after.get("spec", "clusterQueue") == queue
