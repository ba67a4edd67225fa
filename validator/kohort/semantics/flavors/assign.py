"""Which flavors a workload gets in a queue now, or why none.

Source: Kueue 0.19.1 `pkg/scheduler/flavorassigner` (assignFlavors, findFlavorForPodSets, fitsResourceQuota). Pod sets
choose in order, what earlier ones take counts against later ones, and the first that finds nothing ends it.

The search writes down what it saw as plain numbers (a trace, see `trace.py`). An answer is made of a trace once and
kept with the plan: the same numbers give the same `Assignment`, so nothing is made while a queue is stuck or runs the
same shape again. `work.tried` says where to resume; `resume.py` says before an attempt whether it still counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from kohort.semantics.amount import add_usage
from kohort.semantics.assignment import Assignment, Mode
from kohort.semantics.flavors.answer import answer
from kohort.semantics.flavors.oracle import Oracle
from kohort.semantics.flavors.plan import Part, Plan, Search, Together, held_plan, plan_of
from kohort.semantics.flavors.trace import Numbers, Seen, Step, Trace
from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work

Nominated: TypeAlias = Mapping[tuple[str, str], str]
"""(pod set, resource) → the only flavor that counts when a cycle computes an assignment once more."""

_NO_FIT: Final = int(Mode.NO_FIT)
_FIT: Final = int(Mode.FIT)
_KEPT_ANSWERS: Final = 128  # per plan; beyond that they are made anew


def assign(
    work: Work,
    queue: Queue,
    state: State,
    oracle: Oracle,
    *,
    counts: Mapping[str, int] | None = None,
    explain: bool = False,
    nominated: Nominated | None = None,
) -> Assignment:
    """Choose flavors for all pod sets of `work` in `queue`, as usage is now. Nothing is changed.

    `counts` (pod set → pods) replaces the counts asked for; with `explain` the answer tells every flavor looked at.
    Where it does not fit, `podsets` ends with the pod sets that found nothing, whose reasons say why.
    """
    plan = held_plan(work, queue, state).plan if counts is None else plan_of(work, queue, state, counts)
    borrow = _fits_at_once(plan, work) if plan.only is not None and not (explain or nominated) else -1
    if borrow >= 0 and (known := plan.fitting.get(borrow)) is not None:
        return known
    trace = _scan(plan, work, state, oracle, nominated)
    if explain or nominated:
        return answer(plan, trace, explain=explain, nominated=nominated)
    found = plan.answers.get(trace)
    if found is None:
        if len(plan.answers) >= _KEPT_ANSWERS:
            plan.answers.clear()
        found = plan.answers[trace] = answer(plan, trace)
    if borrow >= 0:
        plan.fitting[borrow] = found
    return found


def _fits_at_once(plan: Plan, work: Work) -> int:
    """How high it borrows in the only flavor that is open, for the only resource, where it fits there; −1 elsewhere.

    Then nothing else decides about the answer, as long as the search begins with the first flavor.
    """
    assert plan.only is not None
    cell, units, _ = plan.only
    if cell.lacking(units) is not None or any(index >= 0 for index in work.tried.values()):
        return -1
    return 0 if cell.used + units <= cell.nominal else cell.borrow_height(units)[0]


def _scan(plan: Plan, work: Work, state: State, oracle: Oracle, nominated: Nominated | None) -> Trace:
    """One step per search done; the last has no choice, or is missing, if the work does not fit."""
    assumed: dict[FlavorResource, int] | None = {} if len(plan.groups) > 1 else None
    steps: list[Step] = []
    for group in plan.groups:
        for search in group.steps:
            if not isinstance(search, Search):  # a resource without quota
                return tuple(steps)
            step = _search(search, group, plan, work, state, oracle, assumed, nominated)
            steps.append(step)
            if step[1] < 0:
                return tuple(steps)
            if assumed is not None:
                for _, pair, units in search.options[step[1]].parts:
                    assumed[pair] = add_usage(assumed.get(pair, 0), units)
    return tuple(steps)


def _search(
    search: Search,
    group: Together,
    plan: Plan,
    work: Work,
    state: State,
    oracle: Oracle,
    assumed: dict[FlavorResource, int] | None,
    nominated: Nominated | None,
) -> Step:
    """Look at the flavors of one resource group until one stops the search, else take the best."""
    rules = plan.fungibility
    options = search.options
    tried = work.tried
    start = tried.get((search.podset, search.resource), -1) + 1 if tried and rules.words_count else 0
    seen: list[Seen] = []
    chosen, best = -1, 0
    for index in range(start, len(options)):
        option = options[index]
        if option.closed is not None:
            continue
        if nominated and not is_nominated(nominated, group, search, option.flavor):
            continue
        if _within_nominal(option.parts, assumed):
            if index == start:
                return option.taken
            seen.append((index, option.fits))
            return start, index, index, tuple(seen)
        numbers = _weigh(option.parts, plan, work, state, oracle, assumed)
        mode, borrow = rules.worst(numbers)
        seen.append((index, numbers))
        if not rules.searches_on(mode, borrow):
            return start, index, index, tuple(seen)
        rank = rules.worth(mode, borrow)
        if rank > best:
            chosen, best = index, rank
    return start, chosen, len(options) - 1, tuple(seen)


def is_nominated(nominated: Nominated, group: Together, search: Search, flavor: str) -> bool:
    """Whether any pod set of the group was given this flavor before."""
    return any(nominated.get((pods.name, search.resource)) == flavor for pods in group.podsets)


def _within_nominal(parts: tuple[Part, ...], assumed: dict[FlavorResource, int] | None) -> bool:
    """Whether all of it fits without borrowing: then no other flavor is looked at, whatever the rules."""
    for cell, pair, units in parts:
        value = units if not assumed else add_usage(assumed.get(pair, 0), units)
        if value + cell.used > cell.nominal or value > cell.room():
            return False
    return True


def _weigh(
    parts: tuple[Part, ...],
    plan: Plan,
    work: Work,
    state: State,
    oracle: Oracle,
    assumed: dict[FlavorResource, int] | None,
) -> tuple[Numbers, ...]:
    """How every resource fits one flavor."""
    found = []
    for cell, pair, units in parts:
        value = units if not assumed else add_usage(assumed.get(pair, 0), units)
        room = cell.room()
        if value <= room:
            found.append((_FIT, cell.borrow_height(value)[0], 0))
        elif value > cell.potential:
            found.append((_NO_FIT, 0, -1 - cell.potential))
        else:
            borrow, below_root = cell.borrow_height(value)
            if cell.nominal >= value or below_root or plan.fungibility.while_borrowing:
                mode, borrow = oracle.simulate(work, plan.queue, pair, value, state)
                found.append((int(mode), borrow, room))
            else:
                found.append((_NO_FIT, borrow, room))
    return tuple(found)
