"""One attempt to admit a job, on the state as it is at this moment; the state is left as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kohort.semantics.assignment import Assignment, Mode, Target
from kohort.semantics.cycle.nominate import best
from kohort.semantics.flavors import Nobody, assign
from kohort.semantics.flavors.resume import pending_flavors, remember
from kohort.semantics.state import Queue, State
from kohort.semantics.topology.assigning import with_topology
from kohort.semantics.work import PodSetAsk, Work
from kohort.why.answer import Verdict


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the job would be given, and whom it would preempt for it."""

    assignment: Assignment
    victims: tuple[Target, ...]

    @property
    def verdict(self) -> Verdict | None:
        """How it would be admitted; None where it would not."""
        if self.assignment.mode is Mode.FIT:
            return Verdict.BORROWS if self.assignment.borrow else Verdict.FITS
        return Verdict.PREEMPTS if self.victims else None


def attempt(work: Work, queue: Queue, state: State, *, explain: bool = False) -> Attempt:
    """What the next cycles would find for the job alone, partial admission and preemption included.

    A search that stops at a flavor which then does not admit the job (no room in its racks, nobody to preempt) leaves
    flavors to look at, and Kueue comes back to these at once; where none admits it the first attempt is told.
    """
    with _afresh(work):
        first = made = Attempt(*best(work, queue, state, explain=explain))
        seen: list[dict[tuple[str, str], int]] = [{}]
        while made.verdict is None:
            remember(work, made.assignment, queue, 0)
            if not pending_flavors(work) or work.tried in seen:
                return first
            seen.append(work.tried)
            made = Attempt(*best(work, queue, state, explain=explain))
        return made


def fits(work: Work, queue: Queue, state: State) -> Assignment | None:
    """The assignment that needs nobody preempted, None where there is none."""
    with _afresh(work):
        found = with_topology(work, state, assign(work, queue, state, Nobody()))
        return found if found.mode is Mode.FIT else None


def outcome(work: Work, queue: Queue, state: State) -> Verdict | None:
    """How the job would be admitted; nobody is looked for to preempt where it fits without."""
    found = fits(work, queue, state)
    return attempt(work, queue, state).verdict if found is None else Attempt(found, ()).verdict


@contextmanager
def other_pods(work: Work, podsets: tuple[PodSetAsk, ...]) -> Iterator[None]:
    """The job with other pods for a while."""
    before = work.podsets
    work.podsets = podsets
    try:
        yield
    finally:
        work.podsets = before
        work.plan = None


@contextmanager
def other_priority(work: Work, priority: int) -> Iterator[None]:
    """The job with another priority for a while."""
    before = work.priority
    work.priority = priority
    try:
        yield
    finally:
        work.priority = before


@contextmanager
def _afresh(work: Work) -> Iterator[None]:
    """No flavor counts as tried already, and no plan made in another world is used."""
    tried, since, cycle = work.tried, work.tried_generation, work.tried_cycle
    work.tried, work.plan = {}, None
    try:
        yield
    finally:
        work.tried, work.tried_generation, work.tried_cycle, work.plan = tried, since, cycle, None
