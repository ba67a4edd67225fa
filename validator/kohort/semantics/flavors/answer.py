"""The answer of a search for flavors, written from its plan and its trace.

Source: Kueue 0.19.1 `flavorassigner` (Assignment, PodSetAssignment, Status). Reasons of flavors that were passed over
are kept as long as the chosen one does not fit at once, as Kueue does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kohort.semantics.amount import UNLIMITED, add_usage
from kohort.semantics.assignment import Assignment, FlavorChoice, Mode, PodSetChoice, Tried
from kohort.semantics.flavors.plan import Part, Plan, Search, Together
from kohort.semantics.flavors.trace import Numbers, Step, Trace
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.tree import FlavorResource

_MODES = tuple(Mode)


def answer(
    plan: Plan,
    trace: Trace,
    *,
    explain: bool = False,
    nominated: Mapping[tuple[str, str], str] | None = None,
) -> Assignment:
    """Write the assignment that a trace stands for; with `explain`, all flavors looked at too."""
    writer = _Writer(plan, nominated or {})
    steps = list(reversed(trace))
    for group in plan.groups:
        if not writer.group(group, steps):
            break
    podsets = tuple(writer.podsets)
    return Assignment(
        min(writer.modes, default=Mode.NO_FIT),
        max((choice.borrow for podset in podsets for choice in podset.flavors.values()), default=0),
        podsets,
        writer.usage,
        tuple(writer.tried) if explain else (),
    )


@dataclass(slots=True)
class _Writer:
    """What has been written so far."""

    plan: Plan
    nominated: Mapping[tuple[str, str], str]
    podsets: list[PodSetChoice] = field(default_factory=list)
    modes: list[Mode] = field(default_factory=list)  # of each pod set
    usage: dict[FlavorResource, int] = field(default_factory=dict)
    tried: list[Tried] = field(default_factory=list)

    def group(self, group: Together, steps: list[Step]) -> bool:
        """Write the pod sets of one group, taking its steps from the end of `steps`; false if it found nothing."""
        flavors: dict[str, FlavorChoice] = {}
        reasons: list[Reason] = []
        for search in group.steps:
            if not isinstance(search, Search):
                self._podsets(group, {}, (search,), fails=True)
                return False
            step = steps.pop()
            told = self._looked_at(search, step)
            chosen = step[1]
            if chosen < 0:
                self._podsets(group, {}, told, fails=True)
                return False
            rules = self.plan.fungibility
            numbers = dict(step[3])[chosen]
            flavors.update(_choices(search, step, numbers, resumes=rules.words_count))
            if rules.worst(numbers)[0] != Mode.FIT:
                reasons.extend(told)
        self._podsets(group, flavors, tuple(reasons))
        return True

    def _podsets(
        self,
        group: Together,
        flavors: dict[str, FlavorChoice],
        reasons: tuple[Reason, ...],
        *,
        fails: bool = False,
    ) -> None:
        for pods in group.podsets:
            own = {resource: flavors[resource] for resource in pods.requests if resource in flavors}
            self.podsets.append(PodSetChoice(pods.name, pods.pods, own, pods.requests, reasons))
            self.modes.append(_mode(own, reasons, fails=fails))
            for resource, choice in own.items():
                units = pods.requests[resource]
                if units:  # what asks for nothing is not in the way of anybody, nor is anybody in its way
                    pair = (choice.flavor, resource)
                    self.usage[pair] = add_usage(self.usage.get(pair, 0), units)

    def _looked_at(self, search: Search, step: Step) -> tuple[Reason, ...]:
        """Note every flavor that was looked at; return all reasons, in order."""
        start, _, last, seen = step
        numbers = dict(seen)
        rules = self.plan.fungibility
        told: list[Reason] = []
        for index in range(start, last + 1):
            option = search.options[index]
            if index in numbers:
                mode, borrow = rules.worst(numbers[index])
                why = tuple(
                    reason
                    for part, each in zip(option.parts, numbers[index], strict=True)
                    if (reason := self._reason(part, each)) is not None
                )
            else:
                mode, borrow = Mode.NO_FIT, 0
                why = (
                    option.closed
                    or Reason(Why.NOT_NOMINATED, flavor=option.flavor, resource=search.resource),
                )
            stop = not rules.searches_on(mode, borrow)
            self.tried.append(
                Tried(search.podset, option.flavor, _MODES[mode], borrow, stop, why, search.resource)
            )
            told.extend(why)
        return tuple(told)

    def _reason(self, part: Part, numbers: Numbers) -> Reason | None:
        mode, _, room = numbers
        if mode == Mode.FIT:
            return None
        flavor, resource = part.pair
        assumed = self.usage.get(part.pair, 0)  # only what earlier groups of pod sets take is in it now
        value = add_usage(assumed, part.units)
        if room < 0:
            return Reason(
                Why.OVER_MAXIMUM,
                flavor=flavor,
                resource=resource,
                requested=value,
                maximum=-1 - room,
                assumed=assumed,
            )
        return Reason(
            Why.NO_CANDIDATES if mode == Mode.NO_CANDIDATES else Why.NO_ROOM,
            flavor=flavor,
            resource=resource,
            requested=value,
            available=room,
            missing=UNLIMITED if value == UNLIMITED else value - room,
            assumed=assumed,
        )


def _choices(
    search: Search, step: Step, numbers: tuple[Numbers, ...], *, resumes: bool
) -> dict[str, FlavorChoice]:
    """The flavor of every resource of a search, with how each of them fits."""
    _, chosen, last, _ = step
    option = search.options[chosen]
    tried = 0 if not resumes else -1 if last == len(search.options) - 1 else last
    return {
        part.pair[1]: FlavorChoice(option.flavor, _MODES[mode], borrow, tried)
        for part, (mode, borrow, _) in zip(option.parts, numbers, strict=True)
    }


def _mode(flavors: Mapping[str, FlavorChoice], reasons: tuple[Reason, ...], *, fails: bool) -> Mode:
    """The mode of a pod set: it fits where nothing speaks against it, else it is as good as its worst resource.

    So a flavor whose worst resource by preference is one that fits (it borrows, another would preempt within nominal
    and PreemptionOverBorrowing prefers that) counts as fitting, here as in Kueue; the cycle finds out that it does not.
    """
    if fails or (reasons and not flavors):
        return Mode.NO_FIT
    return min(choice.mode for choice in flavors.values()) if reasons else Mode.FIT
