"""Record scenarios on the lab's real Kueue: written by hand, from files, or random ones by their seeds."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kohort.simulator.replay.trace import Trace

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "tests/conformance/scenarios"
TRACES = ROOT / "tests/conformance/traces"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `record`."""
    parser = commands.add_parser("record", help="play scenarios on the lab's Kueue and write traces")
    parser.add_argument(
        "--directed", nargs="*", metavar="MODULE", help="those of tests/conformance/scenarios"
    )
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="of these only the named ones")
    parser.add_argument("--out", type=Path, help="folder (tests/conformance/traces)")
    parser.add_argument("--runs", type=int, default=2, help="how often each is played (2)")
    parser.add_argument("--side-by-side", type=int, default=40, help="how many at once (40)")


def run(arguments: argparse.Namespace) -> int:
    """Record what is asked for; exit 1 where something could not be played."""
    problems: list[str] = []
    if arguments.directed is not None:
        problems += _record(directed(arguments.directed, arguments.only), arguments, "directed")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def directed(modules: Sequence[str], only: Sequence[str]) -> dict[str, list[Trace]]:
    """Return the scenarios written by hand, by module."""
    sys.path.insert(0, str(SCENARIOS))
    names = list(modules) or sorted(path.stem for path in SCENARIOS.glob("*.py"))
    found = {name: [story.told() for story in importlib.import_module(name).scenarios()] for name in names}
    chosen = {
        name: [each for each in stories if not only or each.name in only] for name, stories in found.items()
    }
    return {name: stories for name, stories in chosen.items() if stories}


def _record(files: Mapping[str, Sequence[Trace]], arguments: argparse.Namespace, folder: str) -> list[str]:
    """Record the scenarios of several files side by side and write each file's traces."""
    from kohort.lab.recording.files import write
    from kohort.lab.recording.session import deterministic, record

    scenarios = [each for members in files.values() for each in members]
    traces, problems = record(scenarios, runs=arguments.runs, side_by_side=arguments.side_by_side)
    recorded = {each.name: each for each in traces}
    for name, members in files.items():
        mine = [recorded[each.name] for each in members if each.name in recorded]
        same, others = deterministic(mine)
        for place, kept in ((folder, same), ("nondeterministic", others)):
            path = (arguments.out or TRACES) / place / f"{name}.yaml"
            path.unlink(missing_ok=True)
            if kept:
                write(path, kept)
        steps = sum(len(each.steps) for each in mine)
        print(f"{name}: traces {len(mine)}, steps {steps}, not the same in every run {len(others)}")
    return problems
