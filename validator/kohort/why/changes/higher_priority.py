"""The lowest higher priority with which the job may preempt enough others."""

from __future__ import annotations

from typing import Final

from kohort.objects.names import visible
from kohort.why.answer import Change, Lever, Verdict
from kohort.why.changes.situation import Situation
from kohort.why.trying import attempt, other_priority

_MOST_TRIED: Final = 5
_LARGEST: Final = 2**31 - 1


def higher_priority(now: Situation) -> Change | None:
    """The first declared priority above the job's own that admits it; without declared ones, the first value that does."""
    own = now.work.priority
    named = sorted((value, name) for name, value in now.classes.items() if value > own)
    if now.classes:
        values = [(value, name) for value, name in named]
    else:
        running = {work.priority for queue in now.state.tree_of(now.queue) for work in queue.works.values()}
        values = [(value + 1, "") for value in sorted(running) if own <= value < _LARGEST]
    values = values[:_MOST_TRIED]
    if not values or _with(now, values[-1][0]) is None:
        return None  # not even the highest
    for value, name in values:
        verdict = _with(now, value)
        if verdict is not None:
            what = f"priority {visible(name)} ({value})" if name else f"priority {value}"
            return Change(
                Lever.PRIORITY,
                f"give it {what} instead of {own}",
                verdict,
                {"from": own, "priority": value, "class": name},
            )
    return None


def _with(now: Situation, priority: int) -> Verdict | None:
    with other_priority(now.work, priority):
        return attempt(now.work, now.queue, now.state).verdict
