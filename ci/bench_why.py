"""Measure `kohort why` on a large snapshot: reading it and answering once, and each further question through the API.

`bench_why.py [--quick] [--at DATE]` prints the figures; with `--at` they are stored in docs/bench.md under a heading of their
own. Budgets are absolute: 5 s for the command on JSON, 50 ms for a further question (median of waiting jobs).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import bench
import snapshot
from bench_page import store_section

TITLE = "kohort why"
COMMAND, QUESTION = 5.0, 0.05
_ASK = """\
import json, sys, time
import gc
from kohort.engine.asking import ask_snapshot
gc.disable()
inquiry = ask_snapshot([sys.argv[1]])
gc.freeze()
gc.enable()
queues = list(inquiry.snapshot.waiting.values())
jobs = [work.key for waiting in queues[:: max(1, len(queues) // 60)] for work in waiting[:2]]
found = []
for job in jobs:
    wall, cpu = time.perf_counter(), time.process_time()
    inquiry.why(job)
    found.append((time.process_time() - cpu, time.perf_counter() - wall))
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """One snapshot: the command, the questions after it (seconds of processor each), and the size of the file in MiB."""

    what: str
    command: bench.Cost
    questions: list[float]
    size: float

    def row(self) -> str:
        """One line of the table."""
        median = statistics.median(self.questions)
        worst = sorted(self.questions)[int(len(self.questions) * 0.95)]
        missed = ", missed" if self.command.cpu > COMMAND or median > QUESTION else ""
        return (
            f"| {self.what} | {self.size:.0f} | {self.command.cpu:.2f} | {self.command.wall:.2f} | {median * 1000:.0f} "
            f"| {worst * 1000:.0f} | {self.command.memory:.0f} | {COMMAND:g} s, {QUESTION * 1000:g} ms{missed} |"
        )


def measure(folder: Path, what: str, *, queues: int, workloads: int, trees: int, rounds: int) -> Figures:
    """Write a snapshot and ask it."""
    file = folder / f"{queues}-{trees}.json"
    snapshot.write(file, queues, workloads, trees=trees)
    waiting = next(
        f"{o['metadata']['namespace']}/{o['metadata']['name']}"
        for o in snapshot.objects(queues, workloads, trees)
        if o["kind"] == "Workload" and "admission" not in o["status"]
    )
    environment = dict(os.environ)
    command = bench.median(
        [
            bench.run((*bench.KOHORT, "why", waiting, "--snapshot", file, "-q"), environment, (0, 1))
            for _ in range(rounds)
        ]
    )
    done = subprocess.run([sys.executable, "-c", _ASK, os.fspath(file)], capture_output=True, check=True)
    questions = [cpu for cpu, _ in json.loads(done.stdout)]
    size = file.stat().st_size / (1 << 20)
    file.unlink()
    return Figures(what, command, questions, size)


def section(rows: list[Figures], at: date, load: float) -> str:
    """The section of docs/bench.md, without its heading."""
    lines = [
        f"Measured on {at} by `ci/bench_why.py`, load average {load:.1f} on {os.cpu_count()} processors: the whole command on a generated",
        "snapshot (`ci/snapshot.py`: two flavors, every queue full, 12,000 jobs run and 8,000 wait), then further questions about",
        "waiting jobs through `kohort.ask`. Processor time, medians.",
        "",
        "| snapshot, as `kubectl get -o json` prints it | MiB | command, CPU s | wall s | further question, ms | 95th, ms | peak MiB | budget |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *(figures.row() for figures in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print, and store where a date is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a small snapshot, one round: does it run at all"
    )
    parser.add_argument("--at", type=date.fromisoformat, help="date of the measurement: store docs/bench.md")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    queues, workloads = (60, 1200) if chosen.quick else (1000, 20_000)
    rounds = 1 if chosen.quick else chosen.rounds
    shapes = (
        (f"{queues:,} queues in 10 trees, {workloads:,} workloads", 10),
        (f"{queues:,} queues in one tree", 1),
    )
    with tempfile.TemporaryDirectory(prefix="kohort-bench-") as folder:
        rows = [
            measure(Path(folder), what, queues=queues, workloads=workloads, trees=trees, rounds=rounds)
            for what, trees in shapes
        ]
    text = section(rows, chosen.at or date(1970, 1, 1), os.getloadavg()[0])
    print(text)
    if chosen.at:
        store_section(TITLE, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
