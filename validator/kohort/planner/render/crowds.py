"""Who must agree, people and work that a change concerns in the same way: one line each kind where there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kohort.diagnostics.count import count_of
from kohort.planner.plan import AccessChange, Approval, OverQuota, Plan, WorkAffected
from kohort.planner.render import words
from kohort.planner.render.gathering import FEW, groups
from kohort.planner.render.sentences import access, over, work
from kohort.planner.render.view import listed

_OR: Final = " or admins"


class Asked(NamedTuple):
    """A line of who must agree: `who` (`admins`, `96 teams`), the `names` of many, why; `each` line where it stands for many."""

    who: str
    why: str
    names: tuple[str, ...] = ()
    each: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """`admins: …`, `96 teams (a, b, …): …`: nobody who must agree is left out."""
        names = f" ({', '.join(self.names)})" if self.names else ""
        return f"{self.who}{names}: {self.why}"


def agreement(plan: Plan, *, every: bool = False) -> list[Asked]:
    """Who must agree and why, or that nobody need; nothing where that was not asked.

    More than a few reasons of one rule are one line, which still names everybody.
    """
    approvals = plan.approvals or ()
    some = [[one] for one in approvals] if every else groups(approvals, _alike)
    lines = [_asked(each) for each in some]
    if plan.approvals is not None and not lines and not plan.empty:
        lines = [Asked("nobody", "this is self-service")]
    free = plan.self_service
    if every or len(free) <= FEW:
        return [*lines, *(Asked("no approval needed", reason) for reason in free)]
    why = f"{len(free)} parts of the change, such as: {free[0]}"
    return [*lines, Asked("no approval needed", why, (), free)]


def _alike(one: Approval) -> tuple[bool, bool, str, bool]:
    return one.who == "admins", one.who.endswith(_OR), one.rule, one.given


def _asked(some: Sequence[Approval]) -> Asked:
    """One approval, or many alike."""
    first = some[0]
    given = " (given by the author)" if first.given else ""
    if len(some) == 1:
        return Asked(f"{first.who}{given}", first.why)
    each = tuple(f"{one.who}{given}: {one.why}" for one in some)
    reasons = f"{len(some)} reasons alike, such as: "
    if first.who == "admins":
        return Asked(f"admins{given}", f"{reasons}{first.why}", (), each)
    teams = dict.fromkeys(map(_team, some))
    either = _OR if first.who.endswith(_OR) else ""
    return Asked(f"{count_of(len(teams), 'team')}{either}{given}", f"{reasons}{each[0]}", tuple(teams), each)


def _team(one: Approval) -> str:
    return one.who.removeprefix("team ").removesuffix(_OR)


def over_lines(plan: Plan) -> Iterator[str]:
    """Queues that use more than they are guaranteed, a line for each and flavor."""
    groups: dict[tuple[str, str, str], list[OverQuota]] = {}
    for one in plan.over_quota:
        groups.setdefault((one.cluster, one.queue, one.flavor), []).append(one)
    yield from map(over, groups.values())


def access_lines(plan: Plan, *, every: bool = False) -> Iterator[str]:
    """Who may newly do what; more than a few who see or submit are one line, who administers is always named."""
    groups: dict[tuple[object, ...], list[AccessChange]] = {}
    for one in plan.access:
        key = (
            (one.cluster, one.ability, one.gained)
            if one.ability != "administer" and not every
            else (id(one),)
        )
        groups.setdefault(key, []).append(one)
    for some in groups.values():
        if len(some) <= FEW:
            yield from map(access, some)
            continue
        first = some[0]
        subjects = list(dict.fromkeys(one.subject for one in some))
        places = {name for one in some for name in one.where}
        may = "may" if first.gained else "may no longer"
        where = f" in one or more of {len(places)} namespaces" if places else ""
        on = f" on {first.cluster}" if first.cluster else ""
        sign = "+" if first.gained else "-"
        yield f"{sign} {len(subjects)} people and groups {may} {first.ability}{where}{on}: {listed(subjects)}"


def work_lines(plan: Plan, *, every: bool = False) -> Iterator[str]:
    """The workloads concerned; more than a few of one queue, state and reason are one line.

    Running ones are all named in it: what may lose its place is never left out.
    """
    groups: dict[tuple[object, ...], list[WorkAffected]] = {}
    for one in plan.work:
        key = (one.cluster, one.queue, one.running, one.disruption, one.why) if not every else (id(one),)
        groups.setdefault(key, []).append(one)
    for some in groups.values():
        if len(some) <= FEW:
            yield from map(work, some)
            continue
        first = some[0]
        names = [f"{one.namespace}/{one.name}" for one in some]
        state = "running" if first.running else "pending"
        queue = f" in queue {first.queue}" if first.queue else ""
        on = f" on {first.cluster}" if first.cluster else ""
        told = ", ".join(names) if first.running else listed(names)
        yield f"{len(some)} {state}{queue}{on}: {words.DISRUPTIONS[first.disruption]}; {first.why}: {told}"
