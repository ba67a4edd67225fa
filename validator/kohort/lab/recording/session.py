"""Record scenarios: one Kueue for each configuration, every scenario as often as asked, one trace out of its runs."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.recording.merging import merged
from kohort.lab.recording.player import Player
from kohort.simulator.replay.trace import Trace

Tell = Callable[[str], None]
_NICE = -8
_PER_PLANE = 700  # plays until a fresh Kueue; names take three digits, and what was played leaves remains


def to_stderr(line: str) -> None:
    """Tell on standard error."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def record(
    scenarios: Iterable[Trace],
    *,
    runs: int = 2,
    side_by_side: int = 40,
    tell: Tell = to_stderr,
    each: Callable[[Trace], None] | None = None,
) -> tuple[list[Trace], list[str]]:
    """Play every scenario on a real Kueue.

    Args:
        scenarios: with unique names.
        runs: how often each is played.
        side_by_side: how many at once.
        tell: receives lines of progress.
        each: receives every trace as soon as its last run ended.

    Returns:
        The traces in the order of the scenarios, and what went wrong.
    """
    todo = list(scenarios)
    found: dict[str, list[Trace]] = {each.name: [] for each in todo}
    groups: dict[str, list[Trace]] = {}
    for scenario in todo:
        groups.setdefault(json.dumps(scenario.configuration, sort_keys=True), []).append(scenario)
    problems: list[str] = []

    def done(trace: Trace) -> None:
        found[trace.name].append(trace)
        if each is not None and len(found[trace.name]) == runs:
            each(merged(found[trace.name]))

    for configuration, members in groups.items():
        size = max(1, _PER_PLANE // runs)
        for start in range(0, len(members), size):
            part = members[start : start + size]
            problems += _played(part, json.loads(configuration), runs, side_by_side, tell, done)
    return [merged(found[each.name]) for each in todo if found[each.name]], problems


def _played(
    part: Sequence[Trace],
    configuration: Mapping[str, Any],
    runs: int,
    side_by_side: int,
    tell: Tell,
    done: Callable[[Trace], None],
) -> list[str]:
    """Play scenarios of one configuration; a control plane that does not start is tried once more."""
    for attempt in (1, 2):
        try:
            with ControlPlane(kueue_configuration=configuration) as plane:
                tell(f"playing {len(part)} scenarios with {json.dumps(configuration)}")
                _prefer(plane)
                return Player(plane.client, side_by_side=side_by_side).play(part, done, runs)
        except LabError as error:
            tell(f"attempt {attempt}: {error}")
            problem = str(error)
    return [f"{each.name}: not played: {problem}" for each in part]


def _prefer(plane: ControlPlane) -> None:
    """Let the lab go first on a busy machine: it needs little, and a late answer is a wrong recording."""
    for process in plane.processes().values():
        folder = Path(f"/proc/{process.pid}")
        with contextlib.suppress(
            OSError
        ):  # where the kernel weighs sessions; each program has one of its own
            (folder / "autogroup").write_text(str(_NICE), encoding="ascii")
        for thread in (folder / "task").glob("*"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, int(thread.name), _NICE)


def deterministic(traces: Sequence[Trace]) -> tuple[list[Trace], list[Trace]]:
    """Part traces into those whose runs agreed in all primary fields, and the others."""
    same = [
        each for each in traces if not each.runs and not any(step.nondeterministic for step in each.steps)
    ]
    return same, [each for each in traces if each not in same]
