"""The answer as people read it: the verdict, then what was tried, the sum, and what would change it."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.capacity.words import amount, by_weight, is_device, listed, number, unit
from kohort.diagnostics.count import count_of
from kohort.objects.names import visible
from kohort.semantics.assignment import Mode
from kohort.semantics.reasons import Reason, Why
from kohort.why.answer import Answer, Change, Look, Quota, Verdict, Victim
from kohort.why.headline import closed

_NAMED = 4
_RULES = {
    "InClusterQueue": "of lower priority in the same queue",
    "InCohortReclamation": "its queue uses more than its guarantee: reclaimed",
    "InCohortFairSharing": "its queue has a larger share than this one would have: fair sharing",
    "InCohortReclaimWhileBorrowing": "its queue uses more than its guarantee, and its priority is lower",
}
_MODES = {
    Mode.NO_FIT: "no",
    Mode.NO_CANDIDATES: "no, and nobody may be preempted",
    Mode.PREEMPT: "by preempting",
    Mode.RECLAIM: "by reclaiming from others",
    Mode.FIT: "fits",
}


def text(answer: Answer) -> str:
    """All of it, ending in a newline. Nothing that a name of the cluster holds moves the cursor or starts a line."""
    return "\n".join(visible(line) for line in _lines(answer)) + "\n"


def _lines(answer: Answer) -> Iterator[str]:
    yield answer.headline
    yield ""
    yield from _about(answer)
    if answer.obstacles:
        yield ""
        yield "in the way"
        for obstacle in answer.obstacles:
            yield f"  {obstacle.message}"
            if obstacle.help:
                yield f"    → {obstacle.help}"
    if answer.looks:
        yield ""
        yield "flavors, in the order in which Kueue looks"
        for look in answer.looks:
            yield from _look(look, several=len(answer.asks) > 1)
    if answer.victims:
        yield ""
        yield "would be preempted"
        yield from (f"  {_victim(victim)}" for victim in answer.victims)
    if answer.nodes:
        yield ""
        yield "nodes"
        yield from (f"  {line}" for line in answer.nodes)
    if answer.changes:
        yield ""
        yield (
            "what would admit it now"
            if answer.verdict is not Verdict.BEHIND
            else "what would admit it sooner"
        )
        yield from (f"  - {_change(change)}" for change in answer.changes)
    if answer.said is not None:
        yield ""
        yield from _said(answer)
    if answer.notes or answer.remarks:
        yield ""
        yield "notes"
        yield from (f"  {note}" for note in answer.notes)
        yield from (f"  {remark.message}" for remark in answer.remarks)


def _about(answer: Answer) -> Iterator[str]:
    where = f"{visible(answer.local_queue) or '(none)'} → {visible(answer.queue) or '(none)'}"
    cohort = f", cohort {visible(answer.cohort)}" if answer.cohort else ""
    cluster = f" on {visible(answer.cluster)}" if answer.cluster else ""
    yield f"  queue     {where}{cohort}{cluster} (Kueue {answer.kueue})"
    yield f"  priority  {answer.priority}"
    for ask in answer.asks:
        pod = (
            ", ".join(amount(ask.per_pod[r], r) for r in by_weight(ask.per_pod) if ask.per_pod[r])
            or "nothing"
        )
        yield f"  asks      {count_of(ask.count, 'pod')} of {visible(ask.podset)}: {pod} each"
    spot = answer.place
    if spot is not None:
        ahead = f"; ahead: {listed([visible(key) for key in spot.ahead], _NAMED)}" if spot.ahead else ""
        more = (
            f" and {spot.position - 1 - len(spot.ahead)} more" if spot.position - 1 > len(spot.ahead) else ""
        )
        yield f"  place     {spot.position} of {spot.waiting} waiting ({spot.strategy}){ahead}{more}"


def _look(look: Look, *, several: bool) -> Iterator[str]:
    pods = f"{visible(look.podset)}: " if several else ""
    taken = ", taken" if look.chosen else ""
    yield f"  {pods}{visible(look.flavor)}: {_MODES[look.mode]}{taken}"
    shut = [reason for reason in look.reasons if not _of_quota(reason)]
    for reason in shut:
        yield f"    {closed(reason)}"
    if shut:
        return
    told = [quota for quota in look.quotas if quota.missing]
    shown = told or [quota for quota in look.quotas if quota.users or quota.lenders] or list(look.quotas[:1])
    for quota in shown:
        yield from _quota(quota)


def _of_quota(reason: Reason) -> bool:
    return reason.why in {Why.NO_ROOM, Why.NO_CANDIDATES, Why.OVER_MAXIMUM}


def _quota(quota: Quota) -> Iterator[str]:
    r = quota.resource
    earlier = f" ({number(quota.assumed, r)} of it for its other pods)" if quota.assumed else ""
    own = f"{number(quota.free, r)} free of the guarantee of {number(quota.guarantee, r)} ({number(quota.used, r)} in use)"
    limit = f" (the borrow limit of {visible(quota.limit)})" if quota.limit else ""
    line = f"{unit(r)}: {number(quota.requested, r)} asked{earlier}, {own}, {number(quota.borrowable, r)} to borrow{limit}"
    if quota.requested > quota.maximum:
        yield f"    {line}; never more than {number(quota.maximum, r)}, with all others idle"
        return
    yield f"    {line}: {number(quota.missing, r)} missing" if quota.missing else f"    {line}"
    if quota.lenders:
        idle = listed([f"{visible(each.name)} {number(each.units, r)}" for each in quota.lenders], _NAMED)
        lent = sum(each.borrowed for each in quota.users)
        gone = f"; {number(lent, r)} of it borrowed already" if lent else ""
        yield f"      idle with others: {idle}{gone}"
    if quota.missing and quota.users:
        users = [
            f"{visible(each.name)} {number(each.units, r)}"
            + (f" ({number(each.borrowed, r)} borrowed)" if each.borrowed else "")
            for each in quota.users
        ]
        yield f"      in use by {listed(users, _NAMED)}"


def _victim(victim: Victim) -> str:
    of = {resource: units for (_, resource), units in victim.frees.items()}
    devices = [r for r in by_weight(of) if is_device(r)] or by_weight(of)[:1]
    frees = ", ".join(amount(of[r], r) for r in devices)
    rule = _RULES.get(victim.rule, victim.rule)
    return f"{visible(victim.workload)} of queue {visible(victim.queue)}, priority {victim.priority}, {frees}: {rule} ({victim.rule})"


def _change(change: Change) -> str:
    how = {Verdict.BORROWS: "; it would borrow", Verdict.PREEMPTS: "; it would preempt others"}
    return f"{change.message}{how.get(change.then, '')}"


def _said(answer: Answer) -> Iterator[str]:
    said = answer.said
    assert said is not None
    yield "Kueue says" if said.agrees else "Kueue says something else"
    yield f"  {visible(said.message)}"
    yield "  which agrees with the above" if said.agrees else f"  {said.difference}"
