"""The verdict in one line, in the words of a team."""

from __future__ import annotations

from dataclasses import replace

from kohort.capacity.words import amount, by_weight, listed, number
from kohort.objects.names import visible
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.work import Work
from kohort.why.answer import Answer, Look, Quota, Verdict

_NAMED = 3


def headline(answer: Answer, work: Work) -> Answer:
    """The answer with its headline."""
    return replace(answer, headline=f"{visible(answer.job)} {_line(answer, work)}")


def _line(answer: Answer, work: Work) -> str:
    match answer.verdict:
        case Verdict.RUNS:
            return f"runs: it is admitted in queue {visible(answer.queue)}{_on(answer)}"
        case Verdict.FINISHED:
            return "has finished"
        case Verdict.ENDING:
            why = work.eviction.message or work.eviction.reason if work.eviction is not None else ""
            return f"is being stopped and still holds its quota: {visible(why)}"
        case Verdict.FITS:
            return f"will be admitted{_on(answer)}, within the guarantee of queue {visible(answer.queue)}"
        case Verdict.BORROWS:
            return f"will be admitted{_on(answer)}, {_borrowing(answer)}"
        case Verdict.PREEMPTS:
            count = len(answer.victims)
            jobs = "1 job is" if count == 1 else f"{count} jobs are"
            names = listed([visible(victim.workload) for victim in answer.victims], _NAMED)
            return f"will be admitted{_on(answer)} once {jobs} preempted: {names}"
        case Verdict.HELD:
            return f"waits: {_held(answer, work)}"
        case Verdict.STOPPED:
            return f"cannot start: {answer.obstacles[0].message}" if answer.obstacles else "cannot start"
        case Verdict.BEHIND:
            return f"waits behind {_ahead(answer)}"
        case Verdict.WAITS if room := _topology(answer):
            return f"waits for nodes: {room}"
        case Verdict.WAITS:
            return f"waits for quota: {_short(answer)}"
        case Verdict.NEVER:
            return f"can never start as it is: {_never(answer)}"


def _on(answer: Answer) -> str:
    flavors = dict.fromkeys(flavor for of in answer.given.values() for flavor in of.values())
    if not flavors:
        return ""
    counts = ", ".join(visible(flavor) for flavor in flavors)
    return f" on flavor {counts}" if len(flavors) == 1 else f" on flavors {counts}"


def _borrowing(answer: Answer) -> str:
    """`borrowing 4 GPUs of flavor h100 (idle: slack 8, red 4)`."""
    for look in answer.looks:
        for quota in look.quotas if look.chosen else ():
            beyond = quota.requested - quota.free
            if beyond > 0:
                return f"borrowing {amount(beyond, quota.resource)}{_idle(quota)}"
    return "borrowing"


def _idle(quota: Quota) -> str:
    names = [f"{visible(each.name)} {number(each.units, quota.resource)}" for each in quota.lenders]
    return f" (idle: {listed(names, _NAMED)})" if names else ""


def _held(answer: Answer, work: Work) -> str:
    if answer.obstacles:
        return answer.obstacles[0].message
    still = [f"{name} ({state})" for name, state in sorted(work.checks.items()) if state != "Ready"]
    if still:
        return f"it has quota, and admission checks are open: {', '.join(visible(each) for each in still)}"
    return "it has quota, and Kueue has not admitted it yet"


def _ahead(answer: Answer) -> str:
    spot = answer.place
    queue = visible(answer.queue)
    if answer.first:
        names = listed([visible(key) for key in answer.first], _NAMED)
        verb = "fits" if len(answer.first) == 1 else "fit"
        return f"{names}, ahead of it in queue {queue}, which {verb} now and take{'s' if verb == 'fits' else ''} the room"
    if spot is not None and spot.ahead:
        return f"{visible(spot.ahead[0])}, the head of queue {queue}, which works strictly in order ({spot.strategy})"
    return f"others of queue {queue}"


def _nearest(answer: Answer) -> Look | None:
    """The flavor that lacks least, of the pods that found none."""
    open_ = [look for look in answer.looks if any(quota.missing for quota in look.quotas)]
    return min(
        open_, key=lambda look: max(q.missing / max(1, q.requested) for q in look.quotas), default=None
    )


def _topology(answer: Answer) -> str:
    """What topology has no room for, where quota would suffice."""
    if any(quota.missing for look in answer.looks for quota in look.quotas):
        return ""
    return next((each.message for each in answer.obstacles if each.why is Why.TOPOLOGY), "")


def _short(answer: Answer) -> str:
    look = _nearest(answer)
    if look is None:
        return "no flavor has room"
    lacking = {quota.resource: quota for quota in look.quotas if quota.missing}
    quota = lacking[by_weight(lacking)[0]]
    r = quota.resource
    had = quota.requested - quota.missing
    return (
        f"{amount(quota.missing, r)} of flavor {visible(look.flavor)} missing, {number(quota.requested, r)} asked and "
        f"{number(had, r)} to be had ({number(quota.free, r)} of the guarantee, {number(quota.borrowable, r)} to borrow)"
    )


def _never(answer: Answer) -> str:
    podset = answer.looks[-1].podset if answer.looks else ""
    reasons = [(look, r) for look in answer.looks if look.podset == podset for r in look.reasons]
    over = [(look, r) for look, r in reasons if r.why is Why.OVER_MAXIMUM]
    first = next((each for each in answer.obstacles if each.why in {Why.UNCOVERED, Why.TOPOLOGY}), None)
    if first is not None:
        return first.message
    if over:
        nearest = max(over, key=lambda item: item[1].maximum / max(1, item[1].requested))[0]
        of = {r.resource: r for look, r in over if look is nearest}
        r = of[by_weight(of)[0]]
        return (
            f"it asks for {amount(r.requested, r.resource)}, and queue {visible(answer.queue)} never has more than "
            f"{number(r.maximum, r.resource)} of flavor {visible(nearest.flavor)}, with all others idle"
        )
    return "; ".join(dict.fromkeys(closed(r) for _, r in reasons)) or "no flavor of its queue takes its pods"


def closed(reason: Reason) -> str:
    """Why a flavor is not open to the pods, whatever its quota."""
    flavor = visible(reason.flavor)
    match reason.why:
        case Why.UNTOLERATED_TAINT:
            return f"its pods do not tolerate {visible(reason.detail)} of flavor {flavor}"
        case Why.NODE_AFFINITY:
            return f"its node selector or affinity does not match the labels of flavor {flavor}"
        case Why.NO_FLAVOR_OBJECT:
            return f"flavor {flavor} does not exist"
        case Why.UNCOVERED:
            return f"it asks for {visible(reason.resource)}, which its queue has no quota of"
        case _:
            return f"flavor {flavor}: {reason.why}"
