"""Without the resources that the queue does not count."""

from __future__ import annotations

from dataclasses import replace

from kohort.capacity.words import listed
from kohort.objects.names import visible
from kohort.why.answer import Change, Lever
from kohort.why.changes.situation import Situation
from kohort.why.trying import other_pods, outcome


def less(now: Situation) -> Change | None:
    """The job without what no resource group of its queue covers, if that is all that stands in its way."""
    covered = now.queue.group_of
    surplus = sorted(
        {r for ask in now.work.podsets for r, units in ask.requests.items() if units > 0 and r not in covered}
    )
    if not surplus:
        return None
    podsets = tuple(
        replace(ask, requests={r: units for r, units in ask.requests.items() if r in covered})
        for ask in now.work.podsets
    )
    with other_pods(now.work, podsets):
        verdict = outcome(now.work, now.queue, now.state)
    if verdict is None:
        return None
    names = listed([visible(resource) for resource in surplus])
    message = f"ask for no {names}, or let an admin give queue {visible(now.queue.name)} quota of it"
    return Change(Lever.LESS, message, verdict, {"resources": surplus})
