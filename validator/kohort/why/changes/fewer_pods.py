"""How many pods of the job would be admitted now."""

from __future__ import annotations

from dataclasses import replace

from kohort.semantics.work import PodSetAsk
from kohort.why.answer import Change, Lever, Verdict
from kohort.why.changes.situation import Situation
from kohort.why.trying import attempt, fits, other_pods


def fewer_pods(now: Situation) -> Change | None:
    """The most pods of the largest pod set that are admitted, the others as asked for; first without preempting anybody.

    More pods never fit where fewer do not, so the number is found by halving, as partial admission does it.
    """
    index, podset = max(enumerate(now.work.podsets), key=lambda item: item[1].count, default=(0, None))
    if podset is None or podset.count < 2:
        return None
    for preempting in (False, True):
        found = _most(now, index, podset, preempting=preempting)
        if found is not None:
            count, verdict = found
            plural = "pod" if count == 1 else "pods"
            which = f" of {podset.name}" if len(now.work.podsets) > 1 else ""
            message = f"ask for {count} {plural}{which} instead of {podset.count}"
            return Change(
                Lever.FEWER_PODS,
                message,
                verdict,
                {"podset": podset.name, "from": podset.count, "pods": count},
            )
    return None


def _most(now: Situation, index: int, podset: PodSetAsk, *, preempting: bool) -> tuple[int, Verdict] | None:
    low, high, verdict = 0, podset.count - 1, None
    while low < high:
        middle = (low + high + 1) // 2
        found = _admitted(now, index, podset, middle, preempting=preempting)
        if found is None:
            high = middle - 1
        else:
            low, verdict = middle, found
    return (low, verdict) if verdict is not None else None


def _admitted(
    now: Situation, index: int, podset: PodSetAsk, count: int, *, preempting: bool
) -> Verdict | None:
    podsets = list(now.work.podsets)
    podsets[index] = replace(podset, count=count, min_count=None)
    with other_pods(now.work, tuple(podsets)):
        if preempting:
            return attempt(now.work, now.queue, now.state).verdict
        found = fits(now.work, now.queue, now.state)
        return None if found is None else Verdict.BORROWS if found.borrow else Verdict.FITS
