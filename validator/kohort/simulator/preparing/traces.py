"""The recorded loads of a scenario: read, mapped to queues of the cluster, with findings where that fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import count as numbers

from kohort.diagnostics import Finding
from kohort.diagnostics.count import count_of
from kohort.model.codes import finding
from kohort.model.scenario import Restarts, Trace
from kohort.simulator.arrivals.jobs import merged
from kohort.simulator.importers.formats import READERS
from kohort.simulator.importers.imported import TraceError
from kohort.simulator.importers.loading import Loaded, Target, load
from kohort.simulator.job import Job, Submitter
from kohort.simulator.preparing.ready import Ready
from kohort.simulator.preparing.shapes import accelerator_of
from kohort.spans import Origin


def with_traces(
    ready: Ready,
    read: Callable[[str], bytes],
    *,
    team_queue: Callable[[str], tuple[str, str] | None],
    gang: bool = False,
    restarts: Restarts | None = None,
) -> Ready:
    """Add the jobs of all traces.

    Args:
        ready: the run so far.
        read: the bytes of a file as the scenario names it; raises OSError.
        team_queue: namespace and LocalQueue of a team or team/queue; None where there is none.
        gang: whether pods of a job start together.
        restarts: fault tolerance of the jobs.
    """
    findings = list(ready.findings)
    notes = list(ready.notes)
    loads: list[Loaded] = []
    for trace in ready.scenario.traces:
        made = _load(ready, trace, read, team_queue, gang=gang, restarts=restarts)
        if isinstance(made, Finding):
            findings.append(made)
            continue
        loads.append(made)
        notes += made.notes
        findings += _unmapped(ready, trace, made)
    jobs = tuple(_apart(merged(iter(each.jobs) for each in loads), {s.declared.name for s in ready.sources}))
    return replace(ready, load=jobs, findings=tuple(findings), notes=tuple(notes))


def _apart(jobs: Iterable[Job], sources: Collection[str]) -> Iterator[Job]:
    """The jobs of all traces, with names that neither each other's nor the numbered jobs of a source has."""
    taken: set[tuple[str, str]] = set()
    for job in jobs:
        where, name = job.submitter.namespace, job.name
        stem, _, number = name.rpartition("-")
        if (where, name) in taken or (number.isdecimal() and stem in sources):
            name = next(
                other for n in numbers(2) if (where, other := f"{job.name}-{n}-of-trace") not in taken
            )
        taken.add((where, name))
        yield job if name == job.name else replace(job, name=name)


def _load(
    ready: Ready,
    trace: Trace,
    read: Callable[[str], bytes],
    team_queue: Callable[[str], tuple[str, str] | None],
    *,
    gang: bool,
    restarts: Restarts | None,
) -> Loaded | Finding:
    subject = f"Scenario {ready.scenario.name}"
    where = _place(ready, trace, "file")
    try:
        imported = READERS[trace.format](read(trace.file))
    except OSError as error:
        text = f"{subject}: the trace {trace.file} cannot be read: {error.strerror or error}"
        return finding("SRC131", text, where, subject=subject)
    except TraceError as problem:
        text = f"{subject}: {trace.file} is no trace of format {trace.format}: {problem}"
        return finding("SRC105", text, where, subject=subject)

    def target(name: str) -> Target | None:
        place = team_queue(name)
        if place is None:
            namespace, _, queue = name.partition("/")
            place = (namespace, queue) if (namespace, queue) in ready.cluster.local_queues else None
        if place is None:
            return None
        cluster_queue = ready.cluster.local_queues[place].cluster_queue
        queue_spec = ready.cluster.queues.get(cluster_queue)
        if queue_spec is None:
            return None
        team = ready.teams.get(cluster_queue, "")
        return Target(Submitter(team, *place), accelerator_of(queue_spec), queue_spec.covered)

    return load(
        imported,
        trace.queues,
        target,
        source=trace.format,
        speed=trace.speed,
        most=trace.most,
        gang=gang,
        restarts=restarts,
    )


def _unmapped(ready: Ready, trace: Trace, loaded: Loaded) -> list[Finding]:
    if not loaded.unmapped:
        return []
    subject = f"Scenario {ready.scenario.name}"
    named = ", ".join(f"{name} ({count_of(count, 'job')})" for name, count in loaded.unmapped[:5])
    more = f" and {len(loaded.unmapped) - 5} more" if len(loaded.unmapped) > 5 else ""
    known = sorted(set(ready.teams.values())) or [
        f"{namespace}/{name}" for namespace, name in ready.cluster.local_queues
    ]
    return [
        finding(
            "SRC131",
            f"{subject}: nobody stands for queue {named}{more} of the trace {trace.file}",
            _place(ready, trace, "queues"),
            subject=subject,
            help=(
                "map them with `queues`, or all others with `*` (on the command line: --map NAME=TEAM)",
                f"there are: {', '.join(known[:10])}{' …' if len(known) > 10 else ''}",
            ),
        )
    ]


def _place(ready: Ready, trace: Trace, field: str) -> Origin:
    return ready.scenario.at(*trace.path, field) if trace.path else Origin("--trace")
