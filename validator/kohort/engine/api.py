"""What Python programs call; `kohort` hands these names on."""

from __future__ import annotations

from datetime import date
from os import PathLike, fspath
from pathlib import Path

from kohort.compiler.build import build
from kohort.compiler.bundle import Bundle
from kohort.diagnostics import Finding, Report, Severity
from kohort.engine.asking import Inquiry, ask_declared, ask_snapshot
from kohort.engine.checking import check_paths, judged_version
from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.engine.repository import load_repository
from kohort.engine.session import Session
from kohort.engine.simulating import Simulated, simulate
from kohort.engine.snapshot import read_snapshot
from kohort.engine.usage import UsageProblem
from kohort.model.repo import Repo
from kohort.planner.plan import Plan
from kohort.source.tree import SourceTree, WorkDir
from kohort.why.answer import Answer

__all__ = [
    "Answer",
    "Bundle",
    "Finding",
    "Inquiry",
    "Plan",
    "Repo",
    "Report",
    "Session",
    "Severity",
    "Simulated",
    "UsageProblem",
    "ask",
    "build",
    "check",
    "load",
    "make_plan",
    "simulate",
]


def load(source: str | PathLike[str] | SourceTree = ".") -> Repo:
    """The declarations of a repository: a folder that holds kohort.yaml, or any tree of files.

    What is wrong with them is in `Repo.findings`; nothing is raised for bad files.
    """
    tree = WorkDir(Path(source)) if isinstance(source, (str, PathLike)) else source
    return load_repository(tree, Settings()).repo


def check(
    *paths: str | PathLike[str],
    nodes: tuple[str | PathLike[str], ...] = (),
    kueue: str | None = None,
    at: date | None = None,
) -> Report:
    """Everything that `kohort check` says, as data.

    One folder with kohort.yaml is a repository (so is the working directory, without paths); any other files and
    folders together are one cluster, to which `nodes` adds Node objects and `kueue` the version to judge for.
    `at` is the day that expiry dates are compared with. Raises UsageProblem where a path or version cannot be judged.
    """
    settings = Settings(kueue=judged_version(kueue), at=at)
    return check_paths([fspath(path) for path in paths], [fspath(path) for path in nodes], settings).report


def ask(
    *snapshot: str | PathLike[str],
    kueue: str | None = None,
    repository: str | PathLike[str] | SourceTree | None = None,
    cluster: str = "",
) -> Inquiry:
    """Questions about one cluster: `ask("now.json").why("blue/fit")` gives an `Answer` as data.

    `snapshot` are files or folders of a live cluster's objects as kubectl prints them. Without any, the cluster of
    `repository` is asked as it is declared, with nothing running; with both, the repository says the version and the
    manager's configuration where the snapshot does not. Raises UsageProblem.
    """
    repo = load(repository) if repository is not None else None
    if snapshot:
        return ask_snapshot([fspath(path) for path in snapshot], kueue=kueue, repo=repo, cluster=cluster)
    if repo is None:
        raise UsageProblem("nothing to ask: give a snapshot or a repository")
    return ask_declared(repo, cluster, kueue=kueue)


def make_plan(
    base: str | PathLike[str] | SourceTree,
    head: str | PathLike[str] | SourceTree,
    *,
    snapshot: tuple[str | PathLike[str], ...] = (),
    kueue: str | None = None,
    at: date | None = None,
    scenarios: tuple[str | PathLike[str], ...] = (),
    seeds: range | None = None,
) -> Plan:
    """What a change from one state to another means: everything that `kohort plan` says, as data.

    Both are folders with kohort.yaml or any trees of their files, or both are files and folders of plain manifests.
    `snapshot` are files with what runs (see `kohort plan --snapshot`), `scenarios` loads to play on both sides, which
    then are paths (see `--scenario`). Raises UsageProblem where they cannot be compared.
    """
    settings = Settings(kueue=judged_version(kueue), at=at)
    states = [fspath(file) for file in snapshot]
    if isinstance(base, (str, PathLike)) and isinstance(head, (str, PathLike)):
        sides = fspath(base), fspath(head)
        planned = plan_paths(*sides, settings, states).planned
        if scenarios:
            from kohort.engine.playing_plans import Loads, with_loads

            planned = with_loads(
                planned, sides, Loads(tuple(fspath(each) for each in scenarios), seeds), settings
            )
        return planned.plan
    if scenarios:
        raise UsageProblem("scenarios are played on folders or files: give both sides as paths")
    before, after = (
        WorkDir(Path(side)) if isinstance(side, (str, PathLike)) else side for side in (base, head)
    )
    return plan_repositories(before, after, settings, snapshot=read_snapshot(states)).plan
