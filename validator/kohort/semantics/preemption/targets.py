"""Whom a workload preempts for a given assignment.

Source: Kueue 0.19.1 `pkg/scheduler/preemption` (GetTargets).
"""

from __future__ import annotations

from collections.abc import Callable

from kohort.semantics.assignment import Assignment, Target
from kohort.semantics.preemption.search import MOST, answers, search
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.state import Queue, State
from kohort.semantics.work import Work


def targets(
    work: Work,
    queue: Queue,
    assignment: Assignment,
    state: State,
    *,
    placed: Callable[[], bool] | None = None,
) -> list[Target]:
    """The victims, empty when no allowed set of them makes the whole workload fit. The state is as before.

    Candidates use a flavor-resource that needs preemption; room is asked for all usage of the assignment. `placed` asks
    besides whether the pods can be placed once the victims are gone (topology).
    """
    return search(lambda: Trial(work, queue, state, assignment.usage, assignment.needing_preemption, placed))


def any_of(
    work: Work,
    queue: Queue,
    assignment: Assignment,
    state: State,
    *,
    placed: Callable[[], bool] | None = None,
    most: int = MOST,
) -> tuple[tuple[Target, ...], ...]:
    """All answers that the real system may give, one alone where it leaves nothing to chance; see `answers`."""
    needed = assignment.needing_preemption
    return answers(lambda: Trial(work, queue, state, assignment.usage, needed, placed), most)
