"""Counts of agreement over many traces, as a whole and by feature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from kohort.simulator.replay.following import judged
from kohort.simulator.replay.judging import Difference, Judged
from kohort.simulator.replay.playing import Start
from kohort.simulator.replay.trace import SECONDARY, Plain, Trace


@dataclass(slots=True)
class Counts:
    """How many steps were compared and how many agreed."""

    steps: int = 0
    agreed: int = 0
    said: int = 0
    said_agreed: int = 0

    def add(self, step: Judged) -> None:
        """Count one step."""
        if step.counts:
            self.steps += 1
            self.agreed += not step.primary
        self.said += len(step.said)
        self.said_agreed += len(step.said) - len({each.field for each in step.secondary})


@dataclass(slots=True)
class Agreement:
    """The sum over traces.

    Attributes:
        traces: how many were replayed.
        whole: in how many every step agreed.
        total: over all steps.
        features: by feature of the trace.
        configurations: by Kueue version and configuration, in words.
        secondary: by secondary field: said, agreed.
        open: causes of `any of` and how often it was needed.
    """

    traces: int = 0
    whole: int = 0
    total: Counts = field(default_factory=Counts)
    features: dict[str, Counts] = field(default_factory=dict)
    configurations: dict[str, Counts] = field(default_factory=dict)
    secondary: dict[str, Counts] = field(default_factory=lambda: {name: Counts() for name in SECONDARY})
    open: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Report:
    """One step that does not agree.

    Attributes:
        trace: its name.
        step: number of the step, from 0, and what was done.
        difference: one entry of it.
        primary: whether it decides.
    """

    trace: str
    step: str
    difference: Difference
    primary: bool


def replay(trace: Trace, start: Start, kueue: str, sums: Agreement) -> Iterator[Report]:
    """Replay one trace, add it to the sums, and yield every difference."""
    words = configured(trace)
    tables = [sums.features.setdefault(each, Counts()) for each in trace.features]
    tables += [sums.configurations.setdefault(words, Counts()), sums.total]
    steps = judged(trace, start, kueue or trace.kueue)
    sums.traces += 1
    sums.whole += not any(each.primary for each in steps)
    for index, found in enumerate(steps):
        for counts in tables:
            counts.add(found)
        for name in found.said:
            sums.secondary[name].said += 1
            sums.secondary[name].said_agreed += all(each.field != name for each in found.secondary)
        sums.open.update(found.open)
        step = trace.steps[index]
        label = f"step {index} ({step.do} {step.workload or _object(step.obj)})".replace(" )", ")")
        for primary, differences in ((True, found.primary), (False, found.secondary)):
            for each in differences:
                yield Report(trace.name, label, each, primary)


def configured(trace: Trace) -> str:
    """Return version and configuration in words, for the table."""
    strategies = (trace.configuration.get("fairSharing") or {}).get("preemptionStrategies") or ()
    words = [f"fair sharing {' + '.join(strategies)}"] if strategies else ["classical"]
    words += [key for key in sorted(trace.configuration) if key != "fairSharing"]
    return f"{trace.kueue}: {', '.join(words)}"


def _object(obj: Plain) -> str:
    return f"{obj.get('kind', '')} {(obj.get('metadata') or {}).get('name', '')}".strip()
