"""Recorded jobs as jobs of a run: moved to the start, mapped to queues, their GPUs counted as the queue counts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kohort.model.scenario import Restarts
from kohort.semantics.work import PodSetAsk
from kohort.simulator.importers.imported import Imported, Part, Recorded
from kohort.simulator.job import Job, Shape, Submitter

_NAME = re.compile(r"[^a-z0-9-]+")
OTHERS = "*"


@dataclass(frozen=True, slots=True)
class Target:
    """Where jobs of a queue of the trace go: for whom, and as what its GPUs count (empty: nothing that it has)."""

    submitter: Submitter
    accelerator: str
    covered: frozenset[str]


@dataclass(frozen=True, slots=True)
class Loaded:
    """Jobs in order of arrival, names of the trace that nobody stands for, and remarks."""

    jobs: tuple[Job, ...]
    unmapped: tuple[tuple[str, int], ...]  # (name, jobs), the most first
    notes: tuple[str, ...]


def load(
    imported: Imported,
    queues: Mapping[str, str],
    target: Callable[[str], Target | None],
    *,
    source: str,
    speed: float = 1.0,
    most: int | None = None,
    gang: bool = False,
    restarts: Restarts | None = None,
) -> Loaded:
    """Make the jobs.

    Args:
        imported: what the reader gave.
        queues: name of a queue or user in the trace → where its jobs go; `*` for all others.
        target: finds a team, team/queue or namespace/LocalQueue by its name.
        source: name of the source in reports.
        speed: of the trace's clock.
        most: jobs that are taken.
        gang: whether pods of a job start together.
        restarts: fault tolerance of the jobs.
    """
    recorded = sorted(imported.jobs, key=lambda job: job.submitted)[:most]
    first = recorded[0].submitted if recorded else 0
    known: dict[str, Target | None] = {}
    unmapped: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    shapes: dict[tuple[object, ...], Shape] = {}
    jobs: list[Job] = []
    for each in recorded:
        place = next((queues[name] for name in (each.queue, each.user) if name in queues), "")
        place = place or (each.queue if target(each.queue) is not None else queues.get(OTHERS, ""))
        if place not in known:
            known[place] = target(place)
        found = known[place]
        if found is None:
            unmapped[each.queue or each.user or "(no name)"] += 1
            continue
        name = _NAME.sub("-", each.name.lower()).strip("-")[:200] or "job"
        seen[name] += 1
        who = found.submitter
        if each.priority:
            who = Submitter(who.team, who.namespace, who.queue, each.priority, "")
        jobs.append(
            Job(
                name if seen[name] == 1 else f"{name}-{seen[name]}",
                source,
                who,
                _shape(each, found, gang=gang, shapes=shapes),
                int((each.submitted - first) / speed),
                each.duration,
                restarts=restarts,
            )
        )
    left = [f"{source}: left out {count} ({why})" for why, count in imported.left_out.most_common()]
    notes = (*left, *(f"{source}: {note}" for note in imported.notes))
    return Loaded(tuple(jobs), tuple(unmapped.most_common()), notes)


def _shape(each: Recorded, target: Target, *, gang: bool, shapes: dict[tuple[object, ...], Shape]) -> Shape:
    asks = [(part.pods, tuple(sorted(_requests(part, target).items()))) for part in each.parts]
    key = (*asks, gang)
    if key not in shapes:
        shapes[key] = Shape.of(tuple(_asks(asks)), gang=gang and sum(pods for pods, _ in asks) > 1)
    return shapes[key]


def _asks(parts: Iterable[tuple[int, tuple[tuple[str, int], ...]]]) -> Iterable[PodSetAsk]:
    for number, (pods, requests) in enumerate(parts):
        yield PodSetAsk("main" if not number else f"part-{number}", pods, dict(requests))


def _requests(part: Part, target: Target) -> dict[str, int]:
    """What the queue has no quota of would keep the job out for ever; traces ask for cores and memory that it may lack."""
    asks = {name: amount for name, amount in part.requests.items() if name in target.covered}
    if part.gpus and target.accelerator:
        asks[target.accelerator] = part.gpus
    return asks
