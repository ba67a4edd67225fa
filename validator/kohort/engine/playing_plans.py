"""Scenarios played before and after a change: the runs behind the plan's account of waits, use and preemptions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding, Severity
from kohort.diagnostics.count import count_of
from kohort.diagnostics.report import arrange
from kohort.engine.outcome import Settings
from kohort.engine.planning import Planned
from kohort.engine.simulating import Staged, stage
from kohort.engine.staging import Asked, Found, find
from kohort.engine.usage import UsageProblem
from kohort.model.scenario import Scenario
from kohort.planner.plan import Plan
from kohort.planner.played import Played
from kohort.planner.playing import compared
from kohort.planner.render.view import listed
from kohort.simulator.play import play
from kohort.simulator.preparing.ready import Ready
from kohort.simulator.record import Run
from kohort.source.positions import Positions

SEEDS: Final = 10
SECONDS: Final = 300.0  # after so long no further seed is begun
_SIDES: Final = ("before", "after")


@dataclass(frozen=True, slots=True)
class Loads:
    """What to play: files or names of scenarios, and for which seeds (None: ten, from the scenario's own on)."""

    scenarios: tuple[str, ...]
    seeds: range | None = None


def with_loads(
    planned: Planned,
    sides: tuple[str, str],
    loads: Loads,
    settings: Settings,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Planned:
    """The plan with each scenario played on both sides; `sides` are folders or commits, before and after.

    Commits are those of the repository in the working directory, wherever the scenario's file lies.

    What is wrong with a scenario becomes a finding of the plan; where nothing changes nothing is played. Raises
    UsageProblem where there is no such scenario.
    """
    before_and_after = _Sides(planned.plan, sides, loads.seeds, settings, clock)
    played: list[Played] = []
    findings: list[Finding] = []
    files: dict[str, bytes] = {}
    for name in loads.scenarios:
        found = find(Asked(name), settings)
        if planned.plan.empty:
            continue
        if found.scenario is None:
            findings += found.findings
            files.update(found.files)
            continue
        one, wrong = before_and_after.play(name, found, found.scenario)
        played.append(one)
        findings += wrong
        file = found.scenario.origin.file
        data = found.files.get(file) or _own(file)
        if wrong and data is not None:
            files[file] = data
    plan = replace(planned.plan, played=tuple(played), findings=arrange([*planned.plan.findings, *findings]))
    return replace(planned, plan=plan, head=_reading(planned.head, files))


@dataclass(frozen=True, slots=True)
class _Sides:
    """What scenarios are played on, and how: folders or commits before and after the change of a plan."""

    plan: Plan
    sides: tuple[str, str]
    seeds: range | None
    settings: Settings
    clock: Callable[[], float]

    def play(self, name: str, found: Found, scenario: Scenario) -> tuple[Played, list[Finding]]:
        """One scenario, as it was asked for and found, with what is wrong with it."""
        nothing = Played(scenario.name, scenario.cluster, scenario.horizon)
        unreached = _unreached(self.plan, scenario)
        if unreached:
            return replace(nothing, left_out=(f"all of it: {unreached}",)), []
        staged: list[Staged] = []
        left: list[str] = []
        for word, side in zip(_SIDES, self.sides, strict=True):
            try:
                staged.append(stage(Asked(name, on=side, commits=Path()), self.settings))
            except UsageProblem as problem:
                left.append(f"all of it: {word} the change {problem}")
        if left:
            return replace(nothing, left_out=tuple(left)), []
        wrong = _wrong(staged, found, scenario)
        before, after = (each.ready for each in staged)
        if before is None or after is None:
            return replace(nothing, left_out=tuple(_reasons(staged))), wrong
        seeds = self.seeds if self.seeds is not None else range(scenario.seed, scenario.seed + SEEDS)
        base, head = self._runs(before, after, seeds)
        left = [*_late(seeds, len(head)), *_elsewhere(self.plan, scenario)]
        if self.plan.snapshot:
            left.append("what the snapshot shows: every run begins with an empty cluster")
        return compared(base, head, left), wrong

    def _runs(self, before: Ready, after: Ready, seeds: range) -> tuple[list[Run], list[Run]]:
        """Seed by seed on both sides, so that what there is time for can be compared."""
        base: list[Run] = []
        head: list[Run] = []
        began = self.clock()
        for seed in seeds:
            if head and self.clock() - began > SECONDS:
                break
            self.settings.progress(
                f"playing {after.scenario.name} before and after, seed {seed} of {seeds[0]} to {seeds[-1]}"
            )
            base.append(play(before, seed, timeline=False))
            head.append(play(after, seed, timeline=False))
        return base, head


def _unreached(plan: Plan, scenario: Scenario) -> str:
    """Why the change cannot matter to the scenario, empty where it may; plain manifests are one cluster without a name."""
    touched = {one.cluster for one in plan.objects} | {effect.key.cluster for effect in plan.effects}
    if {"", scenario.cluster} & touched:
        return ""
    if scenario.cluster:
        return f"nothing changes on cluster {scenario.cluster}, on which it plays"
    if not touched:
        return "nothing changes on any cluster"
    return (
        "it plays on manifests of its own, and this plan compares clusters that are declared; "
        f"a scenario with `cluster: {min(touched)}` can be played"
    )


def _late(seeds: range, played: int) -> Iterator[str]:
    rest = seeds[played:]
    if rest:
        yield f"seeds {rest[0]} to {rest[-1]}: the {SECONDS:.0f} s that a plan plays for were over"


def _elsewhere(plan: Plan, scenario: Scenario) -> Iterator[str]:
    others = sorted({one.cluster for one in plan.objects} - {scenario.cluster})
    if others:
        yield f"what changes on {listed(others)}: the scenario plays on {scenario.cluster}"


def _wrong(staged: Sequence[Staged], found: Found, scenario: Scenario) -> list[Finding]:
    """What is wrong with the scenario itself, once where both sides say it, else with the side that does."""
    files = {*found.files, scenario.origin.file}
    before, after = (
        {
            (each.code, each.primary.origin, each.message): each
            for each in side.outcome.report.findings
            if each.primary.origin.file in files and each.severity is not Severity.INFO
        }
        for side in staged
    )
    told = [each for key, each in after.items() if key in before]
    for word, mine, other in (("before", before, after), ("after", after, before)):
        told += [
            replace(each, message=f"{word} the change: {each.message}")
            for key, each in mine.items()
            if key not in other
        ]
    return told


def _reasons(staged: Sequence[Staged]) -> Iterator[str]:
    """Why it was not played, once where both sides say the same."""
    why = [_errors(each) if each.ready is None else "" for each in staged]
    if why[0] == why[1]:
        yield f"all of it: it cannot be played, {why[0]}"
        return
    for word, text in zip(_SIDES, why, strict=True):
        if text:
            yield f"all of it: {word} the change it cannot be played, {text}"


def _errors(staged: Staged) -> str:
    errors = [each for each in staged.outcome.report.findings if each.severity is Severity.ERROR]
    codes = listed(dict.fromkeys(each.code for each in errors))
    return f"{count_of(len(errors), 'error')} ({codes})"


def _own(file: str) -> bytes | None:
    from kohort.source.bounded import read_bounded

    try:
        return read_bounded(Path(file))
    except OSError:
        return None


def _reading(places: Positions, files: Mapping[str, bytes]) -> Positions:
    """Places after the change, and those of the scenarios that something is wrong with."""
    return Positions(lambda file: files[file] if file in files else places.read(file)) if files else places
