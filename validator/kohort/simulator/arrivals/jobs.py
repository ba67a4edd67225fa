"""The jobs of a source, one after the other: moments, sizes and run times drawn from its own streams."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kohort.model.scenario import Draw, JobSource, Restarts
from kohort.simulator.arrivals.drawing import draw, moments
from kohort.simulator.arrivals.stream import stream
from kohort.simulator.job import Job, Shape, Submitter

_ONE = Draw(kind="fixed", values=(1,))
_NONE = Draw(kind="fixed", values=(0,))


@dataclass(frozen=True, slots=True)
class Source:
    """A source that is ready to submit: `shape` gives what a job of so many pods with so many GPUs each asks for."""

    declared: JobSource
    submitter: Submitter
    shape: Callable[[int, int], Shape]
    restarts: Restarts | None = None


def jobs_of(source: Source, seed: int, horizon: int) -> Iterator[Job]:
    """All jobs of one source in order of arrival."""
    declared = source.declared
    uses = ("moments", "duration", "pods", "gpus")
    when, length, pods, gpus = (stream(seed, declared.name, use) for use in uses)
    for number, at in enumerate(moments(declared.times, horizon, when), 1):
        count = draw(declared.pods or _ONE, pods)
        each = draw(declared.gpus or _NONE, gpus)
        yield Job(
            f"{declared.name}-{number}",
            declared.name,
            source.submitter,
            source.shape(count, each),
            at,
            draw(declared.duration, length),
            declared.checkpoint,
            declared.startup,
            declared.fails,
            source.restarts,
        )


def merged(sources: Iterable[Iterator[Job]]) -> Iterator[Job]:
    """All jobs in order of arrival; of those that come together the order of the sources decides."""
    return heapq.merge(*sources, key=lambda job: job.submitted)
