"""Judge a whole trace; where chance decides in the real system, follow the run that was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kohort.simulator.replay.judging import Judged, judge
from kohort.simulator.replay.named import Names
from kohort.simulator.replay.playing import Start, play
from kohort.simulator.replay.trace import Plain, Trace

_HELD = ("reserved", "admitted")


def judged(trace: Trace, start: Start, kueue: str) -> list[Judged]:
    """Judge every step of a trace.

    First the model goes its own way. Only where that disagrees it runs again, told at each step which workloads the
    recording evicted and admitted: the model follows where it says that chance decides, and every step in which
    chance decided something then carries the cause in `open`.
    """
    names = Names.of(trace)
    stories: list[Sequence[Plain]] = [[step.after for step in trace.steps], *trace.runs]
    best = _judged(trace, start, kueue, names, stories, None)
    for story in stories:
        if not _wrong(best):
            break
        followed = _judged(trace, start, kueue, names, stories, story)
        if _wrong(followed) < _wrong(best):
            best = followed
    return best


def _wrong(steps: Sequence[Judged]) -> int:
    return sum(bool(step.primary) for step in steps)


def _judged(
    trace: Trace,
    start: Start,
    kueue: str,
    names: Names,
    stories: Sequence[Sequence[Plain]],
    followed: Sequence[Plain] | None,
) -> list[Judged]:
    wanted = None if followed is None else list(_wanted(trace, followed))
    result = []
    for index, played in enumerate(play(trace, start, kueue, wanted)):
        step = trace.steps[index]
        candidates = []
        for story in stories:
            if index < len(story):
                before = story[index - 1] if index else trace.start
                candidates.append(judge(step, story[index], before, played, names, step.also))
        best = min(candidates, key=lambda each: (len(each.primary), len(each.secondary)))
        best = replace(best, counts=any(each.counts for each in candidates))
        if followed is not None:
            chance = {each.cause for each in played.view.any_of if each.field in ("evictions", "states")}
            best = replace(best, open=sorted(chance))
        result.append(best)
    return result


def _wanted(trace: Trace, story: Sequence[Plain]) -> Iterator[list[str]]:
    """Yield for each step whom the recording evicted, and whom it gave quota."""
    before = trace.start
    for after in story:
        old, new = before.get("states") or {}, after.get("states") or {}
        evicted = [str(each.get("victim") or "") for each in after.get("evictions") or ()]
        yield evicted + [name for name, state in new.items() if state in _HELD and old.get(name) not in _HELD]
        before = after
