"""From runs on both sides to what the plan shows of them. Pure; the method is that of `kohort simulate --compare`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.planner.played import Played
from kohort.simulator.compare.comparison import differences
from kohort.simulator.compare.measures import Measure, measures, tails
from kohort.simulator.compare.notes import shared_notes
from kohort.simulator.record import Run


def compared(base: Sequence[Run], head: Sequence[Run], left_out: Sequence[str] = ()) -> Played:
    """Both sides, seed by seed: the lists go together and hold at least one run. `left_out` is what the caller knows."""
    first = head[0]
    return Played(
        first.scenario,
        first.cluster,
        first.horizon,
        tuple(run.seed for run in head),
        tuple(differences(base, head, _all)),
        (*left_out, *_one_sided(base, head), *shared_notes([*base, *head])),
    )


def _all(run: Run) -> list[Measure]:
    return [*measures(run), *tails(run)]


def _one_sided(base: Sequence[Run], head: Sequence[Run]) -> Iterator[str]:
    """Teams whose waits exist on one side only: nothing of theirs started on the other."""
    before, after = (
        {each.team for run in runs for each in tails(run) if each.value is not None} for runs in (base, head)
    )
    for team in sorted(before ^ after):
        where = "after" if team in before else "before"
        yield f"the waits of team {team}: none of its jobs started {where} the change"
