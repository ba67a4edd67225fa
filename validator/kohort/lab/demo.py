"""The MLBatch tutorial, played from Kohort's own compiled manifests; each step says whether it went as expected."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kohort.lab.account import clock, teller
from kohort.lab.controlplane import ControlPlane
from kohort.lab.demo_steps import Stage, borrowing, eviction, gang, packing, preemption, reclaim, short_jobs
from kohort.lab.syncing import sync
from kohort.lab.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kohort.lab.build import Report
    from kohort.lab.compiled import Compiled

COMPONENTS = ("controllers", "scheduler", "second-scheduler", "kueue", "appwrapper", "kwok", "argocd")
STEPS = (short_jobs, borrowing, preemption, reclaim, packing, gang, eviction)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went.

    Attributes:
        name: what it shows.
        agrees: it went as expected.
        text: what happened, in one sentence.
        seconds: how long it took.
    """

    name: str
    agrees: bool
    text: str
    seconds: float


def play(
    cluster: Compiled,
    write: Callable[[str], None],
    report: Report,
    *,
    cache: Path | None = None,
    network: str | None = None,
) -> list[Outcome]:
    """Play all steps in a lab of their own.

    Args:
        cluster: the tutorial's cluster, compiled.
        write: receives the account, line by line.
        report: receives progress of the lab itself.
        cache: folder of built programs.
        network: see `open_network`.

    Raises:
        LabError: the lab did not start or Argo CD did not sync.
    """
    began = time.monotonic()
    plane = ControlPlane(COMPONENTS, settings=cluster.settings, cache=cache, network=network, report=report)
    with plane:
        write(
            f"The control plane runs: {len(plane.processes())} programs, {clock(time.monotonic() - began)}."
        )
        names = plane.nodes.add(cluster.nodes)
        write(f"{len(names)} nodes are ready: {', '.join(names)}.")
        write("Argo CD syncs the compiled files from a Git repository.")
        started = time.monotonic()
        _, count = sync(plane, cluster)
        write(f"All {count} files are Synced and Healthy after {time.monotonic() - started:.0f} s.")
        watch = Watch(plane.client)
        stage = Stage(plane, watch, teller(write))
        outcomes = []
        for step in STEPS:
            title, *more = (step.__doc__ or "").strip().splitlines()
            write(f"\n{title}")
            for sentence in more:
                write(sentence.strip()) if sentence.strip() else None
            started = time.monotonic()
            agrees, text = step(stage)
            seconds = time.monotonic() - started
            outcomes.append(Outcome(step.__name__.replace("_", " "), agrees, text, seconds))
            write(f"{'As expected' if agrees else 'NOT AS EXPECTED'}: {text} [{seconds:.1f} s]")
            stage.clear()
        write("\nEnding all programs.")
    write(f"Done in {clock(time.monotonic() - began)}.")
    return outcomes
