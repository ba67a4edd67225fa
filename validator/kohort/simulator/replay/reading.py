"""Read trace files, in the documented format and in likely other spellings of the same things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kohort.simulator.replay.changes import applied
from kohort.simulator.replay.steps import TraceError, read_after, read_step
from kohort.simulator.replay.trace import Plain, Step, Trace

_NESTED = ("traces", "scenarios", "cases", "runs")
_INHERITED = ("kueue", "configuration", "config", "objects", "features", "complete")


def read_traces(document: object, file: str = "") -> list[Trace]:
    """Return the traces of one file's document, or of the list of its documents.

    Raises:
        TraceError: something in it cannot be understood; names it.
    """
    return [_trace(each, file) for each in _entries(document, file)]


def _entries(document: object, file: str) -> Iterator[Plain]:
    if isinstance(document, Mapping) and "steps" in document:
        yield document
    elif isinstance(document, Mapping):
        members = next((document[key] for key in _NESTED if isinstance(document.get(key), Sequence)), None)
        if members is None:
            raise TraceError(f"{file}: neither steps nor traces in it")
        shared = {key: document[key] for key in _INHERITED if key in document}
        for each in members:
            yield {**shared, **each}
    elif isinstance(document, Sequence) and not isinstance(document, str):
        for each in document:
            if each is not None:
                yield from _entries(each, file)
    else:
        raise TraceError(f"{file}: a trace is a mapping, not {type(document).__name__}")


def _trace(plain: Plain, file: str) -> Trace:
    name = str(plain.get("name") or plain.get("id") or file)
    objects = plain.get("objects") or plain.get("setup") or ()
    if not isinstance(objects, Sequence) or not all(isinstance(each, Mapping) for each in objects):
        raise TraceError(f"{file}: {name}: objects is no list of objects")
    raw = plain["steps"]
    if not isinstance(raw, Sequence) or not all(isinstance(each, Mapping) for each in raw):
        raise TraceError(f"{file}: {name}: steps is no list of steps")
    steps = [
        step for index, each in enumerate(raw) for step in read_step(each, f"{file}: {name}: step {index}")
    ]
    start = read_after(plain.get("start") or {})
    trace = Trace(
        name=name,
        kueue=str(plain.get("kueue") or plain.get("version") or ""),
        objects=list(objects),
        steps=steps,
        features=[str(each) for each in plain.get("features") or plain.get("tags") or ()],
        configuration=plain.get("configuration") or plain.get("config") or {},
        seed=plain.get("seed"),
        start=applied({}, start),
        file=file,
    )
    if plain.get("complete") or ("start" not in plain and _states_all(steps)):
        return replace(trace, complete=True)
    runs = [_completed(trace.start, [read_after(each) for each in run]) for run in plain.get("runs") or ()]
    afters = _completed(trace.start, [step.after for step in steps])
    whole = [replace(step, after=after) for step, after in zip(steps, afters, strict=True)]
    return replace(trace, steps=whole, runs=runs, complete=True)


def _completed(start: Plain, changes: Sequence[Plain]) -> list[Plain]:
    """Return complete forms; where nothing was recorded, nothing is said."""
    result: list[Plain] = []
    known = start
    for each in changes:
        known = applied(known, each)
        result.append(known)
    return result


def _states_all(steps: Sequence[Step]) -> bool:
    """Say whether every step names every workload that the step before named: then each `after` is complete.

    Asked only of traces without `start`; the recorder always writes one, and changes after it.
    """
    known: set[str] = set()
    gone: set[str] = set()
    several = False
    for step in steps:
        states = step.after.get("states")
        if states is None:
            return False
        if step.do in ("delete", "remove"):
            gone.add(step.workload)
        if any(value is None for value in states.values()) or known - gone - states.keys():
            return False
        several = several or len(known) > 1
        known = set(states)
    return several
