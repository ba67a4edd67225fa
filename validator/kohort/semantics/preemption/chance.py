"""Where the real system decides by chance: which other answers a search for victims could have had.

Kueue takes equal cohorts in the order of a Go map (`fairsharing/ordering.go`), and equal workloads by their random UID.
Every workload that chance concerns is given precedence once; each answer that differs is an alternative.
"""

from __future__ import annotations

from collections.abc import Callable

from kohort.semantics.assignment import Assignment, Target
from kohort.semantics.preemption.targets import search
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.state import Queue, State
from kohort.semantics.work import Work

MOST = 32


def any_of(
    work: Work,
    queue: Queue,
    assignment: Assignment,
    state: State,
    *,
    placed: Callable[[], bool] | None = None,
    most: int = MOST,
) -> tuple[tuple[Target, ...], ...]:
    """The answer of `targets`, then others that the real system may give instead: one alone when nothing is open.

    At most `most` alternatives are looked for, so with many equals not every combination stands here; whether an
    observed one is possible shows when its victims are `State.preferred`.
    """

    def trial() -> Trial:
        return Trial(work, queue, state, assignment.usage, assignment.needing_preemption, placed)

    first = trial()
    first.ties = set()
    chosen = tuple(search(first))
    answers = {frozenset(chosen): chosen}
    taken = {target.work for target in chosen}
    for other in sorted(first.ties - taken, key=lambda each: each.key)[:most]:
        again = trial()
        again.preferred = frozenset((other.key,))
        answer = tuple(search(again))
        answers.setdefault(frozenset(answer), answer)
    return tuple(answers.values())
