"""What is settled by where a job stands: it runs, ends, has ended, or has quota and waits for its checks."""

from __future__ import annotations

from kohort.semantics.work import Phase, Work
from kohort.why.answer import Verdict


def standing(work: Work) -> Verdict | None:
    """The verdict about a job that has quota or is over; None for one that has to get quota first."""
    if work.phase is Phase.FINISHED:
        return Verdict.FINISHED
    if work.assignment is None:
        return None
    if work.evicting:
        return Verdict.ENDING
    return Verdict.RUNS if work.phase is Phase.ADMITTED else Verdict.HELD
