"""What the benches measure with: one process, medians, measures in turn."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took: seconds of processor and wall clock, and its peak of memory in MiB."""

    cpu: float
    wall: float
    memory: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `budget` is the highest allowed ratio, None where nothing was promised."""

    what: str
    ours: Cost
    other_name: str
    other: Cost
    budget: float | None

    @property
    def ratio(self) -> float:
        """Ours by the other's processor time."""
        return self.ours.cpu / self.other.cpu if self.other.cpu else float("inf")


def run(
    command: Iterable[str | Path],
    environment: dict[str, str],
    codes: tuple[int, ...] = (0,),
    folder: Path | None = None,
) -> Cost:
    """Run a command to its end; a code that was not expected stops the measurement."""
    started = time.perf_counter()
    with subprocess.Popen(
        [os.fspath(part) for part in command],
        env=environment,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        said = process.stderr.read() if process.stderr else b""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        sys.exit(f"bench: exit code {process.returncode}: {said.decode('utf-8', 'replace')[-2000:]}")
    scale = 1024 if sys.platform != "darwin" else 1024 * 1024
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - started, used.ru_maxrss / scale)


def median(costs: list[Cost]) -> Cost:
    """The median of each figure; of memory the highest."""
    return Cost(
        statistics.median(cost.cpu for cost in costs),
        statistics.median(cost.wall for cost in costs),
        max(cost.memory for cost in costs),
    )


def interleaved(rounds: int, *measures: Callable[[], Cost]) -> list[Cost]:
    """Each measure once per round, in turn, so that what else the machine does hits them alike."""
    found: list[list[Cost]] = [[] for _ in measures]
    for _ in range(rounds):
        for costs, measure in zip(found, measures, strict=True):
            costs.append(measure())
    return [median(costs) for costs in found]
