"""Record scenarios on the lab's real Kueue: written by hand, from files, or random ones by their seeds."""

from __future__ import annotations

import argparse
import importlib
import itertools
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import conformance_replay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kohort.simulator.replay.agreement import Report
    from kohort.simulator.replay.trace import Trace

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "tests/conformance/scenarios"
TRACES = ROOT / "tests/conformance/traces"
PER_FILE = 50  # random traces
BATCH = 60  # seeds that are played before the results are shown, until stopped


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `record`."""
    parser = commands.add_parser("record", help="play scenarios on the lab's Kueue, write traces, compare")
    parser.add_argument(
        "--directed", nargs="*", metavar="MODULE", help="those of tests/conformance/scenarios"
    )
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="of these only the named ones")
    parser.add_argument(
        "--scenario", nargs="*", type=Path, default=[], metavar="FILE", help="files of traces or scenarios"
    )
    parser.add_argument("--seeds", type=_seeds, metavar="A..B", help="random scenarios")
    parser.add_argument("--until-stopped", action="store_true", help="more and more seeds, from A on")
    parser.add_argument("--out", type=Path, default=TRACES, help="folder (tests/conformance/traces)")
    parser.add_argument("--runs", type=int, default=2, help="how often each is played (2)")
    parser.add_argument("--side-by-side", type=int, default=40, help="how many at once (40)")
    parser.add_argument(
        "--shrink", type=int, default=3, metavar="N", help="so many disagreements at most (3)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Record what is asked for; exit 1 where something could not be played or the model disagrees."""
    if arguments.until_stopped:
        first = arguments.seeds.start if arguments.seeds else 0
        failed = 0
        try:
            for start in itertools.count(first, BATCH):
                failed |= _record({"random": random(range(start, start + BATCH))}, arguments, "random", start)
        except KeyboardInterrupt:
            return failed
    failed = 0
    if arguments.directed is not None:
        failed |= _record(directed(arguments.directed, arguments.only), arguments, "directed")
    if arguments.scenario:
        files = {path.stem: list(conformance_replay.read([path])) for path in arguments.scenario}
        bare = {name: [_bare(each) for each in traces] for name, traces in files.items()}
        failed |= _record(bare, arguments, "directed")
    if arguments.seeds:
        files = {f"{part[0]:04d}-{part[-1]:04d}": random(part) for part in _chunks(arguments.seeds)}
        failed |= _record(files, arguments, "random")
    return failed


def random(seeds: Sequence[int]) -> list[Trace]:
    """Return the random scenarios of some seeds."""
    from kohort.lab.recording.random_scenario import random_scenario

    return [random_scenario(seed) for seed in seeds]


def directed(modules: Sequence[str], only: Sequence[str]) -> dict[str, list[Trace]]:
    """Return the scenarios written by hand, by module."""
    sys.path.insert(0, str(SCENARIOS))
    names = list(modules) or sorted(path.stem for path in SCENARIOS.glob("*.py"))
    found = {name: [story.told() for story in importlib.import_module(name).scenarios()] for name in names}
    chosen = {
        name: [each for each in stories if not only or each.name in only] for name, stories in found.items()
    }
    return {name: stories for name, stories in chosen.items() if stories}


def _record(
    files: Mapping[str, Sequence[Trace]], arguments: argparse.Namespace, folder: str, start: int | None = None
) -> int:
    """Record the scenarios of several files side by side, write each file's traces, and compare with the model."""
    from kohort.lab.recording.files import write
    from kohort.lab.recording.session import deterministic, record

    scenarios = [each for members in files.values() for each in members]
    traces, problems = record(scenarios, runs=arguments.runs, side_by_side=arguments.side_by_side)
    recorded = {each.name: each for each in traces}
    for name, members in files.items():
        mine = [recorded[each.name] for each in members if each.name in recorded]
        same, others = deterministic(mine)
        file = name if start is None else f"{start:06d}"
        for place, kept in ((folder, same), ("nondeterministic", others)):
            path = arguments.out / place / f"{file}.yaml"
            path.unlink(missing_ok=True)
            if kept:
                write(path, kept)
        steps = sum(len(each.steps) for each in mine)
        print(
            f"{file}: traces {len(mine)}, steps {steps}, not the same in every run {len(others)}", flush=True
        )
    for problem in problems:
        print(problem, file=sys.stderr)
    return int(_compare(deterministic(traces)[0], arguments) or bool(problems))


def _compare(traces: Sequence[Trace], arguments: argparse.Namespace) -> bool:
    """Say where the model differs, and shrink the first of those; whether there was any."""
    from kohort.lab.recording.files import write
    from kohort.lab.recording.session import record
    from kohort.lab.recording.shrinking import shrunk

    differing = [(trace, found) for trace in traces if (found := _first(trace)) is not None]
    for _, report in differing:
        print(conformance_replay.line(report), flush=True)

    def disagree(candidates: Sequence[Trace]) -> list[bool]:
        got, _ = record(candidates, runs=1, side_by_side=arguments.side_by_side)
        by_name = {each.name: each for each in got}
        return [each.name in by_name and _first(by_name[each.name]) is not None for each in candidates]

    for trace, report in differing[: arguments.shrink]:
        step = int(report.step.split()[1])
        smallest, _ = record([shrunk(trace, disagree, last_step=step)], runs=2)
        write(arguments.out / "shrunk" / f"{trace.name}.yaml", smallest)
        print(
            f"shrunk to {len(smallest[0].steps)} steps: {arguments.out / 'shrunk' / trace.name}.yaml",
            flush=True,
        )
    return bool(differing)


def _first(trace: Trace) -> Report | None:
    """Return the first primary difference of the model."""
    from kohort.simulator.replay.agreement import Agreement, replay
    from kohort.simulator.replay.model import start_model

    return next((each for each in replay(trace, start_model, "", Agreement()) if each.primary), None)


def _bare(trace: Trace) -> Trace:
    """Return the scenario of a trace."""
    steps = [replace(step, after={}, also={}, nondeterministic="") for step in trace.steps]
    return replace(trace, steps=steps, start={}, runs=())


def _chunks(seeds: range) -> list[range]:
    return [seeds[start : start + PER_FILE] for start in range(0, len(seeds), PER_FILE)]


def _seeds(text: str) -> range:
    first, _, last = text.partition("..")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no A..B") from None
