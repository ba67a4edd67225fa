"""What a search for flavors will look at, in order: made once per shape of work and queue, then only read.

Everything that depends on neither usage nor time is settled here: amounts, cells, which flavors are closed to the pods.
Source: Kueue 0.19.1 `assignFlavors` (grouping, order of resources, zero and undeclared requests).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kohort.objects.kueue import ResourceGroup
from kohort.semantics.amount import add_usage, scale
from kohort.semantics.assignment import Assignment
from kohort.semantics.flavors.checks import closed
from kohort.semantics.flavors.fungibility import Fungibility
from kohort.semantics.flavors.order import resource_order
from kohort.semantics.flavors.partial import may_shrink
from kohort.semantics.flavors.trace import FITS, Numbers, Step, Trace
from kohort.semantics.ledger import Cell
from kohort.semantics.reasons import Reason, Why
from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import PodSetAsk, Work

PODS: Final = "pods"
ALL_TRIED: Final = -1  # in `Work.tried`: no flavor is left to look at
_KEPT_PLANS: Final = 4096  # per queue; beyond that they are made anew
_POD_FIELDS: Final = ("nodeSelector", "affinity", "tolerations")


class Part(NamedTuple):
    """What one resource of a search would take of one flavor."""

    cell: Cell
    pair: FlavorResource
    units: int


class Option(NamedTuple):
    """One flavor of a search: why it is closed to the pods, or what it would have to give.

    `fits` are the numbers of a flavor that fits within nominal; `taken` the whole step if it is the first looked at.
    """

    flavor: str
    closed: Reason | None
    parts: tuple[Part, ...]
    fits: tuple[Numbers, ...]
    taken: Step


class Search(NamedTuple):
    """One resource group for one group of pod sets: all its requested resources take one flavor."""

    podset: str  # the first of the group: its record says where to resume
    resource: str  # the first requested resource of the group
    options: tuple[Option, ...]


class Pods(NamedTuple):
    """One pod set with what all its pods request, the implied `pods` included."""

    name: str
    pods: int
    requests: dict[str, int]


class Together(NamedTuple):
    """Pod sets that take their flavors together, and the searches for them; a Reason is a resource without quota."""

    podsets: tuple[Pods, ...]
    steps: tuple[Search | Reason, ...]


class Plan:
    """The searches of one shape of work in one queue, and the answers found so far by what was seen on the way.

    `first` is the search that comes first, None where a resource without quota does or nothing is asked for. Where it is the
    only one, `exhausted` is what is remembered once all its flavors were looked at, and where it has one open flavor and one
    resource, `only` is its cell, what is asked of it, and the flavor's place. Both are None elsewhere. `anywhere` says that
    the queue takes work of every namespace.
    """

    __slots__ = (
        "answers",
        "anywhere",
        "exhausted",
        "first",
        "fitting",
        "fungibility",
        "groups",
        "only",
        "queue",
        "waiting",
    )

    def __init__(self, queue: Queue, state: State, asks: list[tuple[PodSetAsk, int]]) -> None:
        self.queue = queue
        self.fungibility = Fungibility(queue.spec, state.settings)
        self.groups = tuple(_together(members, queue, state) for members in _grouped(asks))
        self.answers: dict[Trace, Assignment] = {}
        self.fitting: dict[int, Assignment] = {}  # where `only` fits: the answer, by how high it borrows
        self.waiting: dict[Numbers, Any] = {}  # kept by `cycle/`: where `only` does not fit
        self.anywhere = queue.spec.namespace_selector == {}
        steps = [step for group in self.groups for step in group.steps]
        first = steps[0] if steps and self.groups[0].steps else None
        self.first = first if isinstance(first, Search) else None
        self.exhausted: dict[tuple[str, str], int] | None = None
        self.only: tuple[Cell, int, int] | None = None
        if self.first is not None and len(self.groups) == len(steps) == 1:
            of_group = {part.pair[1] for option in self.first.options for part in option.parts}
            self.exhausted = {
                (pods.name, resource): ALL_TRIED
                for pods in self.groups[0].podsets
                for resource in pods.requests
                if resource in of_group
            }
            parts = [
                (part.cell, part.units, place)
                for place, option in enumerate(self.first.options)
                if option.closed is None
                for part in option.parts
            ]
            self.only = parts[0] if len(parts) == 1 else None


class Held(NamedTuple):
    """What is remembered with a work (`Work.plan`): its plan, without which pods, and whether it takes fewer pods, too."""

    plan: Plan
    reclaimable: dict[str, int]
    shrinks: bool


def held_plan(work: Work, queue: Queue, state: State) -> Held:
    """The plan of a work as it stands, remembered until pods of it end or it gets its quota."""
    held: Held | None = work.plan
    if held is not None and held.plan.queue is queue and held.reclaimable == work.reclaimable:
        return held
    work.plan = held = Held(plan_of(work, queue, state), dict(work.reclaimable), may_shrink(work))
    return held


def plan_of(work: Work, queue: Queue, state: State, counts: Mapping[str, int] | None = None) -> Plan:
    """The plan of a work in a queue, with other counts of pods than asked for where `counts` says so."""
    asks = [(ask, _count(ask, work, counts)) for ask in work.podsets]
    key = tuple(
        (ask.name, count, tuple(ask.requests.items()), _shape(ask.pod), ask.topology, ask.group)
        for ask, count in asks
    )
    plan: Plan | None = queue.plans.get(key)
    if plan is None:
        plan = Plan(queue, state, asks)
        if len(queue.plans) >= _KEPT_PLANS:
            queue.plans.clear()
        queue.plans[key] = plan
    return plan


def _count(ask: PodSetAsk, work: Work, counts: Mapping[str, int] | None) -> int:
    """Pods that count: those asked for less those that ended early; a pod set that ended whole stays so."""
    left = ask.count - min(work.reclaimable.get(ask.name, 0), ask.count)
    return left if counts is None or left == 0 else counts.get(ask.name, left)


def _shape(pod: Mapping[str, Any]) -> str:
    """All of a pod that decides which flavors are open to it."""
    if not any(pod.get(field) for field in _POD_FIELDS):
        return ""
    return json.dumps([pod.get(field) for field in _POD_FIELDS], sort_keys=True, default=str)


def _grouped(asks: list[tuple[PodSetAsk, int]]) -> list[list[tuple[PodSetAsk, int]]]:
    """Pod sets that name one group together, every other alone; in order of first mention."""
    groups: dict[tuple[str, int], list[tuple[PodSetAsk, int]]] = {}
    for index, member in enumerate(asks):
        group = member[0].group
        groups.setdefault((group, -1) if group else ("", index), []).append(member)
    return list(groups.values())


def _together(members: list[tuple[PodSetAsk, int]], queue: Queue, state: State) -> Together:
    podsets = []
    total: dict[str, int] = {}
    for ask, count in members:
        requests = {resource: scale(max(0, units), count) for resource, units in ask.requests.items()}
        if PODS in queue.group_of:
            requests[PODS] = count
        podsets.append(Pods(ask.name, count, requests))
        for resource, units in requests.items():
            total[resource] = add_usage(total.get(resource, 0), units)
    asks = [ask for ask, _ in members]
    steps: list[Search | Reason] = []
    if queue.node is None:  # a loop of cohorts: the scheduler never gets here
        return Together(tuple(podsets), (Reason(Why.QUEUE_INACTIVE, detail=queue.name),))
    searched: set[int] = set()
    for resource in sorted(total, key=resource_order):
        group = queue.group_of.get(resource)
        if group is None:
            if not _ignored(total[resource], state):
                steps.append(Reason(Why.UNCOVERED, resource=resource))
                break
        elif id(group) not in searched:
            searched.add(id(group))
            options = _options(group, total, asks, queue, state)
            steps.append(Search(members[0][0].name, resource, options))
    return Together(tuple(podsets), tuple(steps))


def _ignored(units: int, state: State) -> bool:
    """Whether a request that the queue does not cover is left out of account."""
    settings = state.settings
    if units == 0 and settings.on("zero requests of uncovered resources are ignored"):
        return True
    return settings.ignore_undeclared and settings.on("QuotaCheckStrategy")


def _options(
    group: ResourceGroup, total: Mapping[str, int], asks: list[PodSetAsk], queue: Queue, state: State
) -> tuple[Option, ...]:
    wanted = [resource for resource in sorted(total, key=resource_order) if resource in group.covered]
    fits = (FITS,) * len(wanted)
    return tuple(
        Option(
            quota.flavor,
            closed(quota.flavor, asks, group, queue, state),
            tuple(_part(queue, (quota.flavor, resource), total[resource]) for resource in wanted),
            fits,
            (index, index, index, ((index, fits),)),
        )
        for index, quota in enumerate(group.flavors)
    )


def _part(queue: Queue, pair: FlavorResource, units: int) -> Part:
    cell = queue.cell(pair)
    assert cell is not None  # the queue stands in the tree
    return Part(cell, pair, units)
