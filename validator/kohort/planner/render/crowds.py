"""People and work that a change concerns in the same way, in one line each kind where there are many."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.plan import AccessChange, Plan, WorkAffected
from kohort.planner.render import words
from kohort.planner.render.gathering import FEW
from kohort.planner.render.sentences import access, work
from kohort.planner.render.view import listed


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
