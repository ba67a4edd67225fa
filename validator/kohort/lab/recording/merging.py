"""One trace out of several runs of one scenario: where they differ, the first run stands and the others beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kohort.simulator.replay.trace import PRIMARY, SECONDARY, Plain, Trace

_DIFFERS = "a repeated recording shows another outcome"


def merged(runs: Sequence[Trace]) -> Trace:
    """Return the first run with what the others showed.

    Other values of secondary fields become `also` of their step. As soon as a primary field differs, a run's whole
    story is kept in `runs`, and the first differing step is marked.
    """
    first = runs[0]
    steps = list(first.steps)
    stories: list[list[Plain]] = []
    for other in runs[1:]:
        split = next((i for i, step in enumerate(steps) if not _same(step.after, _after(other, i))), None)
        if split is None:
            for index, step in enumerate(steps):
                steps[index] = replace(step, also=_also(step.also, step.after, _after(other, index)))
            continue
        if not steps[split].nondeterministic:
            steps[split] = replace(steps[split], nondeterministic=_DIFFERS)
        story = [each.after for each in other.steps]
        if story not in stories:
            stories.append(story)
    return replace(first, steps=steps, runs=stories)


def _after(trace: Trace, index: int) -> Plain:
    return trace.steps[index].after if index < len(trace.steps) else {}


def _same(one: Plain, other: Plain) -> bool:
    return all((one.get(field) or {}) == (other.get(field) or {}) for field in PRIMARY)


def _also(known: Plain, one: Plain, other: Plain) -> Plain:
    result: dict[str, Any] = {field: dict(entries) for field, entries in known.items()}
    for field in SECONDARY:
        mine, theirs = one.get(field) or {}, other.get(field) or {}
        for key in sorted(mine.keys() | theirs.keys()):
            value = theirs.get(key)
            if mine.get(key) != value and value not in result.setdefault(field, {}).setdefault(key, []):
                result[field][key].append(value)
    return {
        field: kept for field, entries in result.items() if (kept := {k: v for k, v in entries.items() if v})
    }
