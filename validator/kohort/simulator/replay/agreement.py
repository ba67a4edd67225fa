"""Counts of agreement over many traces, as a whole and by feature."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kohort.simulator.replay.judging import Difference, Judged, judge
from kohort.simulator.replay.named import Names
from kohort.simulator.replay.playing import Played, Start, play
from kohort.simulator.replay.trace import SECONDARY, Plain, Trace


@dataclass(slots=True)
class Counts:
    """How many steps were compared and how many agreed."""

    steps: int = 0
    agreed: int = 0
    said: int = 0
    said_agreed: int = 0

    def add(self, judged: Judged) -> None:
        """Count one step."""
        if judged.counts:
            self.steps += 1
            self.agreed += not judged.primary
        self.said += len(judged.said)
        self.said_agreed += len(judged.said) - len({each.field for each in judged.secondary})


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
    names = Names.of(trace)
    features = [sums.features.setdefault(each, Counts()) for each in trace.features]
    words = configured(trace)
    features.append(sums.configurations.setdefault(words, Counts()))
    agreed = True
    stories: Sequence[Sequence[Plain]] = [[step.after for step in trace.steps], *trace.runs]
    for index, played in enumerate(play(trace, start, kueue or trace.kueue)):
        step = trace.steps[index]
        candidates = [_judged(trace, story, index, played, names) for story in stories if index < len(story)]
        best = min(candidates, key=lambda each: (len(each.primary), len(each.secondary)))
        best = dataclasses.replace(best, counts=any(each.counts for each in candidates))
        for counts in (sums.total, *features):
            counts.add(best)
        for name in best.said:
            sums.secondary[name].said += 1
            sums.secondary[name].said_agreed += all(each.field != name for each in best.secondary)
        sums.open.update(best.open)
        agreed = agreed and not best.primary
        label = f"step {index} ({step.do} {step.workload or _object(step.obj)})".replace(" )", ")")
        for primary, differences in ((True, best.primary), (False, best.secondary)):
            for each in differences:
                yield Report(trace.name, label, each, primary)
    sums.traces += 1
    sums.whole += agreed


def configured(trace: Trace) -> str:
    """Return version and configuration in words, for the table."""
    strategies = (trace.configuration.get("fairSharing") or {}).get("preemptionStrategies") or ()
    words = [f"fair sharing {' + '.join(strategies)}"] if strategies else ["classical"]
    words += [key for key in sorted(trace.configuration) if key != "fairSharing"]
    return f"{trace.kueue}: {', '.join(words)}"


def _judged(trace: Trace, story: Sequence[Plain], index: int, played: Played, names: Names) -> Judged:
    step = trace.steps[index]
    before = story[index - 1] if index else trace.start
    return judge(step, story[index], before, played, names, step.also)


def _object(obj: Plain) -> str:
    return f"{obj.get('kind', '')} {(obj.get('metadata') or {}).get('name', '')}".strip()
