"""A ClusterQueue is removed while work may be in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.planner.plan import Disruption, ObjectChange, Runbook, Step
from kohort.planner.runbook.case import Case, drained, is_compiled, quoted, stop


def runbooks(case: Case) -> Iterator[Runbook]:
    """One per queue, in the legal order: workloads, LocalQueues, ClusterQueue, and last the flavors that are left."""
    for change in case.open("ClusterQueue"):
        if change.disruption is not Disruption.STEPS or change.how != "removed":
            continue
        case.take(change)
        name, compiled = change.ref.name, is_compiled(change)
        locals_ = [one for one in case.open("LocalQueue") if _leads_to(one, name)]
        yield Runbook(
            case.cluster,
            f"removing ClusterQueue {name}",
            "a finalizer holds it while a workload reserves quota in it; meanwhile nothing new is admitted",
            (
                *run_empty(name, compiled=compiled),
                *remove_local(locals_),
                *_last(name, compiled=compiled),
            ),
        )


def run_empty(queue: str, *, compiled: bool) -> Iterator[Step]:
    """The steps after which no work holds quota of a queue."""
    why = "nothing new is admitted, what runs finishes (HoldAndDrain evicts it)"
    yield stop(queue, "Hold", why, compiled=compiled)
    yield Step("let it run empty", wait=drained(queue))


def remove_local(changes: Sequence[ObjectChange]) -> Iterator[Step]:
    """The step that removes LocalQueues, where there are any."""
    commands = tuple(
        f"kubectl delete localqueue {quoted(one.ref.name)} -n {quoted(one.ref.namespace)}" for one in changes
    )
    if commands:
        yield Step("remove its LocalQueues; jobs that still name them stay suspended", commands)


def _leads_to(change: ObjectChange, queue: str) -> bool:
    obj = change.before
    return change.how == "removed" and obj is not None and obj.get("spec", "clusterQueue") == queue


def _last(name: str, *, compiled: bool) -> tuple[Step, ...]:
    delete = (f"kubectl delete clusterqueue {quoted(name)}",)
    if compiled:
        return (
            Step("merge this change and sync: Argo CD leaves queues where they are (Prune=false)"),
            Step("delete the queue; then flavors that no queue lists any more", delete),
        )
    return (Step("delete the queue; then flavors that no queue lists any more", delete),)
