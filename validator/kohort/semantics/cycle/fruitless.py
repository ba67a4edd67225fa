"""Heads whose attempt would change nothing, told apart by a look at a few sums instead of the attempt.

A head is fruitless when it is certain that the attempt would end with "no room", or with "somebody would have to go, and
nobody may", for all its pods. The proof reads the same numbers as the attempt (`flavors/assign.py`), flavor by flavor:

- it is closed to the pods, or asks for more than the queue can ever have; or
- something of it does not fit now, and nobody can be made to go for that. Nobody can, where the rules forbid to ask, or where
  the own queue holds nobody of lower priority and others may not be asked, or have to give nothing: see
  `preemption/hopeless.py`, for which it matters whether some quota below the root holds what is asked for.

Where all flavors of the first search end so, the attempt finds nothing and leaves no flavor to resume with; where it would
choose one and wait, that is the answer if there is no other search. Anything else (flavors to resume with, fewer pods, checks,
topologies, a queue that does not select the namespace, gates that change what is remembered) is not judged here: it is attempted.

Such an attempt changes no usage and no other head's answer. It matters to other heads of its cycle in three ways only, which
`stands_aside` rules out: what it reserves for itself, its place in a fair tournament, and chance among heads of equal order.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from kohort.objects.selectors import matches
from kohort.semantics.assignment import Mode
from kohort.semantics.flavors.plan import Plan, Search, held_plan
from kohort.semantics.flavors.trace import Numbers, Seen, Trace
from kohort.semantics.ledger import Cell
from kohort.semantics.preemption.candidates import ANY
from kohort.semantics.preemption.hopeless import nobody
from kohort.semantics.queues.outcome import Outcome
from kohort.semantics.state import Queue, State
from kohort.semantics.work import Work

_NO_FIT: Final = int(Mode.NO_FIT)
_NO_CANDIDATES: Final = int(Mode.NO_CANDIDATES)
_FIT: Final = int(Mode.FIT)
_KEPT: Final = 256  # answers per plan; beyond that they are made anew


class Fruitless(NamedTuple):
    """What the attempt would have found. The words for it are made of plan and trace where somebody looks.

    `tried` is what is remembered of it: nothing to resume with.
    """

    plan: Plan
    trace: Trace
    outcome: Outcome
    tried: dict[tuple[str, str], int]


def fruitless(work: Work, queue: Queue, state: State) -> Fruitless | None:
    """What an attempt of this head would find, where it is certain that it changes nothing; None where it is not."""
    if work.checks or work.refused or queue.node is None or state.forests:
        return None
    plan, _, shrinks = held_plan(work, queue, state)
    search, tried = plan.first, work.tried
    if (
        search is None
        or not plan.fungibility.words_count
        or (tried and tried is not plan.exhausted and any(index >= 0 for index in tried.values()))
        or (shrinks and state.settings.on("PartialAdmission"))
    ):
        return None
    labels = state.namespaces.get(work.namespace)
    if labels is None or not (plan.anywhere or matches(queue.spec.namespace_selector, labels)):
        return None
    only = plan.only
    if only is not None:
        cell, units, place = only
        lacking = cell.lacking(units)
        if lacking is None:
            return None
        found = _unfit(lacking, cell, units, plan, work, state)
        return None if found is None else plan.waiting.get(found) or _alone(found, place, search, plan)
    return _searched(search, plan, work, state)


def _alone(found: Numbers, place: int, search: Search, plan: Plan) -> Fruitless:
    """The answer where one flavor is open for one resource; the same numbers give the same."""
    chosen = place if found[0] == _NO_CANDIDATES else -1
    trace = ((0, chosen, len(search.options) - 1, ((place, (found,)),)),)
    made = Fruitless(plan, trace, Outcome.NO_FIT, {})
    if chosen >= 0 and plan.exhausted is not None:
        made = Fruitless(plan, trace, Outcome.NO_CANDIDATES, plan.exhausted)
    if len(plan.waiting) >= _KEPT:
        plan.waiting.clear()
    plan.waiting[found] = made
    return made


def _searched(search: Search, plan: Plan, work: Work, state: State) -> Fruitless | None:
    """The same of a search over several flavors and resources."""
    seen: list[Seen] = []
    chosen, best = -1, 0
    rules = plan.fungibility
    for index, option in enumerate(search.options):
        if option.closed is not None:
            continue
        numbers: list[Numbers] = []
        for cell, _, units in option.parts:
            found = _weighed(cell, units, plan, work, state)
            if found is None:
                return None
            numbers.append(found)
        each = tuple(numbers)
        mode, borrow = rules.worst(each)
        if mode == _FIT:
            return None
        seen.append((index, each))
        rank = rules.worth(mode, borrow)
        if rank > best:
            chosen, best = index, rank
    trace = ((0, chosen, len(search.options) - 1, tuple(seen)),)
    if chosen < 0:
        return Fruitless(plan, trace, Outcome.NO_FIT, {})
    return None if plan.exhausted is None else Fruitless(plan, trace, Outcome.NO_CANDIDATES, plan.exhausted)


def _weighed(cell: Cell, units: int, plan: Plan, work: Work, state: State) -> Numbers | None:
    """How one resource fits one flavor, as `assign` weighs it; None where somebody might be preempted for it."""
    lacking = cell.lacking(units)
    if lacking is None:
        return _FIT, cell.borrow_height(units)[0], 0
    return _unfit(lacking, cell, units, plan, work, state)


def _unfit(
    lacking: tuple[int, int, bool], cell: Cell, units: int, plan: Plan, work: Work, state: State
) -> Numbers | None:
    """The same of what does not fit now; `lacking` is what the cell says of it."""
    if units > cell.potential:
        return _NO_FIT, 0, -1 - cell.potential
    room, borrow, below_root = lacking
    if not (cell.nominal >= units or below_root or plan.fungibility.while_borrowing):
        return _NO_FIT, borrow, room
    return (_NO_CANDIDATES, borrow, room) if nobody(work, plan.queue, state, below_root=below_root) else None


def stands_aside(work: Work, queue: Queue, found: Fruitless, state: State, others: Collection[int]) -> bool:
    """Whether other heads of the cycle fare the same without this fruitless one. `others` are their order times."""
    if state.settings.fair_sharing or work.order_time in others:
        return False
    return found.outcome is Outcome.NO_FIT or queue.spec.preemption.reclaim_within_cohort == ANY
