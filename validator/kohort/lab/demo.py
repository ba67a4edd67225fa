"""The MLBatch tutorial, played from Kohort's own compiled manifests; each step says whether it went as expected."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kohort.lab.account import clock, teller
from kohort.lab.controlplane import ControlPlane
from kohort.lab.demo_steps import Stage, borrowing, eviction, gang, packing, preemption, reclaim, short_jobs
from kohort.lab.failure import LabError
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
        _sync(plane, cluster, write)
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


def _sync(plane: ControlPlane, cluster: Compiled, write: Callable[[str], None]) -> None:
    """Let the real Argo CD bring the compiled manifests from a Git repository."""
    repository = plane.argo.repository({})
    # Work that teams declared stays out: it would take GPUs that the story counts.
    files = {
        path: content
        for path, content in cluster.files_for(repository.url).items()
        if "/manifests/workloads/" not in path
    }
    revision = repository.commit(files, "compiled")
    write(f"Argo CD syncs {len(files)} compiled files from a Git repository.")
    began = time.monotonic()
    roots = [
        {**each, "spec": {**each["spec"]}}
        for each in cluster.argo
        if each["kind"] in ("AppProject", "Application")
    ]
    root = f"kohort-{cluster.name}"
    for each in roots:
        if each["kind"] == "Application":
            each["spec"]["source"] = {**each["spec"]["source"], "repoURL": repository.url}
        else:
            each["spec"]["sourceRepos"] = [repository.url]
    # What an admin applies once by hand: the projects and the root application.
    plane.apply(each for each in roots if each["kind"] == "AppProject" or each["metadata"]["name"] == root)
    try:
        for name in (root, f"{root}-platform"):
            plane.argo.wait(name, revision=revision, seconds=120)
    except LabError as error:
        raise LabError(f"Argo CD did not bring the compiled manifests: {error}") from error
    write(f"All of it is Synced and Healthy after {time.monotonic() - began:.0f} s.")
