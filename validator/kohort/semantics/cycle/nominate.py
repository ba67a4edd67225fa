"""What each head could get, all judged on one untouched state.

Source: Kueue 0.19.1 `pkg/scheduler/scheduler.go` (nominate, getInitialAssignments).
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.objects.selectors import matches
from kohort.semantics.assignment import Assignment, Mode, Target
from kohort.semantics.cycle.entry import Entry, Status
from kohort.semantics.flavors.assign import Nominated, assign
from kohort.semantics.flavors.partial import largest, may_shrink
from kohort.semantics.flavors.resume import refresh, remember
from kohort.semantics.preemption import oracle
from kohort.semantics.preemption.targets import targets
from kohort.semantics.queues.outcome import Outcome
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.state import Queue, State
from kohort.semantics.topology.assigning import holding_domains, placeable, with_topology
from kohort.semantics.work import Work


def nominate(work: Work, queue: Queue, state: State, cycle: int, *, explain: bool) -> Entry:
    """Judge one head. `cycle` counts the scheduling cycles of its tree; `explain` asks for all that was tried."""
    entry = Entry(work, queue)
    obstacle = _obstacle(work, queue, state)
    if obstacle is not None:
        entry.status, entry.reason = Status.INADMISSIBLE, obstacle
        if obstacle.why is Why.NAMESPACE and not obstacle.detail:
            entry.outcome = Outcome.NAMESPACE
        return entry
    refresh(work, queue, state.settings, cycle)
    entry.assignment, entry.targets = best(work, queue, state, explain=explain)
    remember(work, entry.assignment, queue, cycle)
    return entry


def best(
    work: Work, queue: Queue, state: State, *, explain: bool, nominated: Nominated | None = None
) -> tuple[Assignment, tuple[Target, ...]]:
    """The assignment of all pods, or of as many as partial admission allows, and whom it needs to preempt."""
    found, victims = _best(work, queue, state, explain=explain, nominated=nominated)
    if state.forests and found.mode.preempts:
        found = holding_domains(work, found, victims, state)
    return found, victims


def _best(
    work: Work, queue: Queue, state: State, *, explain: bool, nominated: Nominated | None
) -> tuple[Assignment, tuple[Target, ...]]:
    whole = assign(work, queue, state, oracle, explain=explain, nominated=nominated)
    if state.forests:
        whole = with_topology(work, state, whole)
    if whole.mode is Mode.FIT:
        return whole, ()
    victims = _victims(work, queue, whole, state)
    if victims or not may_shrink(work) or not state.settings.on("PartialAdmission"):
        return whole, victims

    def accept(counts: Mapping[str, int]) -> tuple[Assignment, tuple[Target, ...]] | None:
        part = assign(work, queue, state, oracle, counts=counts, explain=explain, nominated=nominated)
        if state.forests:
            part = with_topology(work, state, part)
        if part.mode is Mode.FIT:
            return part, ()
        found = _victims(work, queue, part, state)
        return (part, found) if found else None

    return largest(work, accept) or (whole, ())


def _victims(work: Work, queue: Queue, found: Assignment, state: State) -> tuple[Target, ...]:
    if not found.mode.preempts:
        return ()
    if found.mode is Mode.NO_CANDIDATES and len(found.usage) == len(found.podsets) == 1:
        return ()  # the search for its only flavor and resource was this very search
    return tuple(targets(work, queue, found, state, placed=placeable(work, found, state)))


def _obstacle(work: Work, queue: Queue, state: State) -> Reason | None:
    if work.checks:
        failed = sorted(name for name, said in work.checks.items() if said in ("Retry", "Rejected"))
        if failed:
            return Reason(Why.CHECK, names=tuple(failed))
    if queue.inactive or queue.node is None:
        return Reason(Why.QUEUE_INACTIVE, names=(queue.name,), detail=queue.inactive)
    labels = state.namespaces.get(work.namespace)
    if labels is None:
        return Reason(Why.NAMESPACE, names=(work.namespace,), detail="missing")
    selector = queue.spec.namespace_selector
    if selector != {} and not matches(selector, labels):
        return Reason(Why.NAMESPACE, names=(work.namespace,))
    if work.refused:
        return Reason(Why.REFUSED, detail=work.refused)
    return None
