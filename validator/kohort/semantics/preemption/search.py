"""The search for victims by the rules that the settings switch on, and its other answers where chance decides.

Kueue takes equal cohorts in the order of a Go map, anew for every victim (`fairsharing/ordering.go`), and equal
workloads by their random UID. All orders of cohorts are tried, and every workload that only a UID orders is given
precedence once; each answer that differs is an alternative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kohort.semantics.assignment import Target
from kohort.semantics.preemption.classical import classical
from kohort.semantics.preemption.fair import fair
from kohort.semantics.preemption.trial import Trial
from kohort.semantics.work import Work

MOST = 32


def search(make: Callable[[], Trial]) -> list[Target]:
    """The victims of a trial, empty when no allowed set of them makes room.

    With `State.preferred`, of the answers that are possible the one that comes nearest to it.
    """
    trial = make()
    wanted = trial.preferred
    if not wanted:
        return _run(trial)
    ranked = []
    for place, answer in enumerate(answers(make)):
        inside = sum(target.work.key in wanted for target in answer)
        ranked.append((not answer, len(answer) - inside, -inside, place, answer))
    return list(min(ranked)[-1])


def answers(make: Callable[[], Trial], most: int = MOST) -> tuple[tuple[Target, ...], ...]:
    """The answer, then others that the real system may give instead; an empty one where it may find nobody.

    At most `most` searches are made, so with many equals not every combination stands here.
    """
    found: dict[frozenset[Target], tuple[Target, ...]] = {}
    ties: set[Work] = set()
    given: set[frozenset[str]] = set()
    waiting: list[tuple[frozenset[str] | None, tuple[int, ...]]] = [(None, ())]
    for preferred, script in waiting:
        if most <= 0:
            break
        most -= 1
        trial = make()
        trial.script, trial.ties = script, ties
        if preferred is not None:
            trial.preferred = preferred
        answer = tuple(_run(trial))
        found.setdefault(frozenset(answer), answer)
        waiting += [(preferred, other) for other in _other_scripts(script, trial.choices)]
        first = {frozenset((each.key,)) for each in ties} - given
        given |= first
        waiting += [(each, ()) for each in sorted(first, key=sorted)]
    return tuple(found.values())


def _run(trial: Trial) -> list[Target]:
    return fair(trial) if trial.state.settings.fair_sharing else classical(trial)


def _other_scripts(script: tuple[int, ...], choices: list[int]) -> Iterator[tuple[int, ...]]:
    """What else could be decided after the choices that the script fixed."""
    for place in range(len(script), len(choices)):
        for option in range(1, choices[place]):
            yield (*script, *(0,) * (place - len(script)), option)
