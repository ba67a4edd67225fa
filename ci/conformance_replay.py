"""Replay recorded traces on the model: a line for each disagreement, counts by feature, and the closing line."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from kohort.simulator.replay.agreement import Agreement, Counts, Report, replay
from kohort.simulator.replay.reading import read_traces
from kohort.simulator.replay.steps import TraceError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from kohort.simulator.replay.playing import Start
    from kohort.simulator.replay.trace import Trace

_SUFFIXES = (".yaml", ".yml", ".json")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `replay`."""
    parser = commands.add_parser("replay", help="replay recorded traces on the model")
    parser.add_argument("paths", nargs="+", type=Path, help="files, or folders with files at any depth")
    parser.add_argument("--kueue", default="", help="behave as this version (that of the recording)")
    parser.add_argument("--secondary", action="store_true", help="list secondary disagreements too")
    parser.add_argument("--only", default="", metavar="TEXT", help="traces whose name holds this")
    parser.add_argument("--seconds", action="store_true", help="say how long it took")
    parser.add_argument("--first", action="store_true", help="of each trace only the first disagreeing step")


def run(arguments: argparse.Namespace) -> int:
    """Exit 1 on any primary disagreement, 2 where nothing could be read."""
    from kohort.simulator.replay.model import start_model

    try:
        traces = [each for each in read(arguments.paths) if arguments.only in each.name]
    except (OSError, TraceError) as error:
        print(error, file=sys.stderr)
        return 2
    if not traces:
        print("no trace was found", file=sys.stderr)
        return 2
    began = time.monotonic()
    sums, crashed = replayed(traces, start_model, arguments)
    table(sums)
    if arguments.seconds:
        print(f"seconds {time.monotonic() - began:.1f}")
    total = sums.total
    disagreed = total.steps - total.agreed
    print(f"traces {sums.traces}, steps {total.steps}, agreed {total.agreed}, disagreed {disagreed}")
    return 1 if disagreed or crashed else 0


def read(paths: Iterable[Path]) -> Iterator[Trace]:
    """Yield every trace of files and folders, in order of path.

    Raises:
        TraceError: a file holds no traces.
    """
    for path in paths:
        if not path.exists():
            raise TraceError(f"no such file or folder: {path}")
        files = (
            sorted(each for each in path.rglob("*") if each.suffix in _SUFFIXES) if path.is_dir() else [path]
        )
        for file in files:
            try:
                yield from read_traces(_documents(file), str(file))
            except (yaml.YAMLError, json.JSONDecodeError, UnicodeDecodeError) as error:
                raise TraceError(f"{file}: {error}") from None


def _documents(file: Path) -> object:
    text = file.read_text("utf-8")
    return json.loads(text) if file.suffix == ".json" else list(yaml.load_all(text, Loader=yaml.CSafeLoader))


def replayed(traces: Iterable[Trace], start: Start, arguments: argparse.Namespace) -> tuple[Agreement, int]:
    """Replay all traces, print what differs, and return the sums and how many traces the model could not finish."""
    sums, crashed = Agreement(), 0
    for trace in traces:
        first = ""
        try:
            for report in replay(trace, start, arguments.kueue, sums):
                if not report.primary and not arguments.secondary:
                    continue
                if arguments.first and first and report.step != first:
                    continue
                first = first or (report.step if report.primary else "")
                print(line(report))
        except Exception as error:  # noqa: BLE001 - one trace that breaks the model must not hide the others
            crashed += 1
            print(f"DISAGREE {trace.name}: the model failed: {type(error).__name__}: {error}")
            sums.traces += 1
            sums.total.steps += 1
    return sums, crashed


def line(report: Report) -> str:
    """Return one disagreement as text."""
    difference = report.difference
    word = "DISAGREE" if report.primary else "SECONDARY"
    return (
        f"{word} {report.trace} {report.step}: {difference.field} {difference.key}: "
        f"recorded {_value(difference.recorded)}, ours {_value(difference.ours)}"
    )


def table(sums: Agreement) -> None:
    """Print the counts by configuration, feature and secondary field."""
    for title, rows in (("configuration", sums.configurations), ("feature", sums.features)):
        for name, counts in sorted(rows.items()):
            print(f"{title} {name}: {_counts(counts)}")
    for name, counts in sums.secondary.items():
        print(f"secondary {name}: said {counts.said}, agreed {counts.said_agreed}")
    for cause, count in sorted(sums.open.items()):
        print(f"any of ({cause}): {count}")
    print(
        f"whole traces {sums.whole}, secondary said {sums.total.said}, agreed {sums.total.said_agreed},"
        f" any of {sum(sums.open.values())}"
    )


def _counts(counts: Counts) -> str:
    return f"steps {counts.steps}, agreed {counts.agreed}, disagreed {counts.steps - counts.agreed}"


def _value(value: object) -> str:
    return "nothing" if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)
