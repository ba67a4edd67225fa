"""From what is typed to the scenario that is meant: a file, a name in the repository, or nothing but a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kohort.diagnostics import Finding, Severity
from kohort.diagnostics.suggest import did_you_mean
from kohort.engine.marker import MARKER, enclosing, is_repository
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.engine.usage import UsageProblem
from kohort.model.scenario import Scenario
from kohort.model.take import take
from kohort.source.bounded import read_bounded
from kohort.source.reader import read_file
from kohort.source.tree import WorkDir
from kohort.spans import Origin

UNBOUNDED: Final = 10**15  # milliseconds: the horizon of a trace alone, until its jobs are known


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for.

    Attributes:
        scenario: a file, or the name of a scenario of the repository in the working directory; empty with `traces`.
        traces: (format, file) of recorded loads that are played besides.
        queues: queue of a trace → whose queue stands for it; `*` for all others.
        cluster: cluster to play on in place of the scenario's.
        on: configuration to play on in place of the scenario's own: a folder, or a commit.
        commits: the repository whose commit `on` may name; that of the scenario where it is None.
    """

    scenario: str = ""
    traces: tuple[tuple[str, str], ...] = ()
    queues: Mapping[str, str] = field(default_factory=dict)
    cluster: str = ""
    on: str = ""
    commits: Path | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario (None where it cannot be used), and what reading it found.

    `files` holds the bytes of a file that is named by its path, `folder` is what the scenario's own paths count from,
    `root` the repository that its names are looked up in, None where there is none.
    """

    scenario: Scenario | None
    findings: tuple[Finding, ...]
    files: Mapping[str, bytes]
    folder: Path
    root: Path | None


def find(asked: Asked, settings: Settings) -> Found:
    """Find and read it. Raises UsageProblem where there is none."""
    if not asked.scenario:
        return _from_traces(asked)
    path = Path(asked.scenario)
    if path.is_file():
        return _from_file(asked.scenario, path)
    if path.exists() or "/" in asked.scenario or path.suffix in (".yaml", ".yml", ".json"):
        what = (
            "does not exist"
            if not path.exists()
            else "is no file"
            if not path.is_dir()
            else "is a folder; name the scenario's file"
        )
        raise UsageProblem(f"{asked.scenario} {what}")
    if not is_repository(Path()):
        raise UsageProblem(
            f"there is no file {asked.scenario}, and the working directory has no {MARKER} whose scenario it could be"
        )
    loaded = load_repository(WorkDir(Path()), settings)
    repo = loaded.repo
    scenario = repo.scenarios.get(asked.scenario)
    broken = ("Scenario", asked.scenario) in repo.broken
    if scenario is None and not broken:
        near = did_you_mean(asked.scenario, repo.scenarios)
        hint = f"; did you mean {near[0]}?" if near else ""
        names = ", ".join(sorted(repo.scenarios)) or "none"
        raise UsageProblem(f"there is no scenario {asked.scenario}{hint} (there are: {names})")
    subject = f"Scenario {asked.scenario}"
    findings = tuple(f for f in repo.findings if f.subject == subject and f.code != "SRC131")
    file = scenario.origin.file if scenario is not None else ""
    return Found(scenario, findings, {}, Path(file).parent, Path())


def _from_file(name: str, path: Path) -> Found:
    try:
        data = read_bounded(path)
    except OSError as error:
        raise UsageProblem(f"cannot read {name}: {error.strerror or error}") from error
    file = read_file(name, data)
    documents = [
        d for d in file.documents if isinstance(d.value, Mapping) and d.value.get("kind") == "Scenario"
    ]
    if len(documents) > 1:
        names = ", ".join(str((d.value.get("metadata") or {}).get("name", "?")) for d in documents)
        raise UsageProblem(f"{name} holds {len(documents)} scenarios ({names}): one file, one scenario")
    above = (
        path.absolute().parent if is_repository(path.absolute().parent) else enclosing(path.absolute().parent)
    )
    root = above or (Path() if is_repository(Path()) else None)
    if not documents:
        if any(f.severity is Severity.ERROR for f in file.findings):
            return Found(None, file.findings, {name: data}, path.parent, root)
        raise UsageProblem(f"{name} holds no Scenario")
    taken = take(documents[0])
    scenario = taken.declared if isinstance(taken.declared, Scenario) else None
    return Found(scenario, (*file.findings, *taken.findings), {name: data}, path.parent, root)


def _from_traces(asked: Asked) -> Found:
    """A scenario of nothing but recorded loads, long enough for all of them."""
    if not asked.traces:
        raise UsageProblem(
            "name a scenario (a file, or one of workloads/scenarios/), or give --trace FORMAT=FILE"
        )
    perf = all(name == "kueue-perf" for name, _ in asked.traces)
    if not asked.cluster and not perf and not asked.on:
        raise UsageProblem("a trace alone says no cluster: name one of the repository with --cluster")
    scenario = Scenario(
        name="-".join(dict.fromkeys(name for name, _ in asked.traces)),
        origin=Origin("--trace"),
        cluster=asked.cluster,
        horizon=UNBOUNDED,
    )
    return Found(scenario, (), {}, Path(), Path() if is_repository(Path()) else None)
