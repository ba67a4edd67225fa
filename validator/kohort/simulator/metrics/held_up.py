"""Why jobs still wait at the end of a run, in Kueue's words: those of one message together."""

from __future__ import annotations

from typing import NamedTuple

from kohort.simulator.record import Outcome, Run


class HeldUp(NamedTuple):
    """Jobs of which Kueue says the same; an empty message where it said nothing."""

    message: str
    jobs: tuple[str, ...]  # keys, in order of submission


def held_up(run: Run) -> list[HeldUp]:
    """The messages, that of most jobs first."""
    found: dict[str, list[str]] = {}
    for job in run.jobs:
        if job.outcome is Outcome.WAITING:
            found.setdefault(job.message, []).append(job.key)
    made = [HeldUp(message, tuple(keys)) for message, keys in found.items()]
    return sorted(made, key=lambda each: (-len(each.jobs), each.message))
