"""What to compare: commits of the repository, the working tree, or two paths; and the plan between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kohort.dataclass import dataclass
from kohort.engine.cache import Cache, cache_folder
from kohort.engine.checking import demand
from kohort.engine.marker import MARKER, enclosing, is_repository
from kohort.engine.memory import Memory
from kohort.engine.outcome import Settings
from kohort.engine.planning import Planned, plan_repositories
from kohort.engine.repository import is_source
from kohort.engine.snapshot import read_snapshot
from kohort.engine.usage import UsageProblem
from kohort.engine.worktree import Worktree
from kohort.source.git import Commit, GitProblem, GitTree, History
from kohort.source.git.blobs import Blobs
from kohort.source.tree import SourceTree, WorkDir

WORKTREE = "worktree"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which states to compare: names of commits, or `worktree` for the files as they lie there.

    An empty `base` is the branch that changes are merged into. Unless `exact`, what is compared with is the commit from
    which the head parted from it. `others` are commits that may be merged as well. Rules and people are those of `rules`;
    of the base as it stands where that is empty.
    """

    base: str = ""
    head: str = WORKTREE
    exact: bool = False
    rules: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """A plan, and the commits it was made of (None for the working tree or a folder).

    `base` is what the head was compared with, `onto` the tip of the branch that it will be merged into.
    """

    planned: Planned
    base: Commit | None = None
    head: Commit | None = None
    onto: Commit | None = None


def plan_commits(root: Path, choice: Choice, settings: Settings, snapshot: Sequence[str] = ()) -> Compared:
    """The plan between two states of the repository at `root`. Raises UsageProblem where they cannot be had."""
    if not is_repository(root) and choice.head == WORKTREE:
        above = enclosing(root)
        hint = (
            f"the repository is {above}" if above else "plain manifests are compared by `kohort plan OLD NEW`"
        )
        raise UsageProblem(f"the working directory has no {MARKER}; {hint}")
    state = read_snapshot(snapshot)
    try:
        history = History(root)
        tip = history.demand("HEAD" if choice.head == WORKTREE else choice.head)
        named = history.demand(choice.base) if choice.base else history.trunk()
        base = named if choice.exact else history.parting(named, tip)
        rules = history.demand(choice.rules) if choice.rules else named
        blobs = Blobs(root)
        worktree = choice.head == WORKTREE
        here = Worktree(WorkDir(root)) if worktree else None
        before = GitTree(history, base, blobs, is_source, here)
        after: SourceTree = here or GitTree(history, tip, blobs, is_source)
        names = (_called(base), "working tree" if worktree else _called(tip))
        if here is not None:
            here.base = before
            here.demand_whole(history)
        if MARKER not in before.files() and MARKER not in after.files():
            where = history.prefix.rstrip("/") or "the top folder"
            raise UsageProblem(
                f"neither {names[0]} nor {names[1]} has a {MARKER} in {where}: go to the folder that holds it"
            )
        folder = cache_folder(root) if settings.cached else None
        memory = Cache(folder).load() if folder is not None else Memory()
        onto = GitTree(history, rules, blobs, is_source) if rules.tree != base.tree else None
        planned = plan_repositories(
            before, after, settings, onto=onto, names=names, memory=memory, snapshot=state
        )
        if choice.others:
            from kohort.engine.together import with_others

            planned = with_others(root, planned, before, after, named.sha, choice.others, settings)
    except GitProblem as problem:
        raise UsageProblem(str(problem)) from problem
    return Compared(planned, base, None if worktree else tip, named)


def _called(commit: Commit) -> str:
    """`main (1a2b3c4d5e)`, or the hash alone where that was the name."""
    return commit.short if commit.sha.startswith(commit.name) else f"{commit.name} ({commit.short})"


def plan_paths(old: str, new: str, settings: Settings, snapshot: Sequence[str] = ()) -> Compared:
    """The plan between two folders or files: two repositories, or two sets of plain manifests."""
    for path in (old, new):
        demand(path)
    state = read_snapshot(snapshot)
    kinds = [is_repository(Path(path)) for path in (old, new)]
    if kinds[0] != kinds[1]:
        plain = new if kinds[0] else old
        raise UsageProblem(
            f"{plain} has no {MARKER}: compare two repositories, or two sets of plain manifests"
        )
    if all(kinds):
        planned = plan_repositories(
            WorkDir(Path(old)), WorkDir(Path(new)), settings, names=(old, new), snapshot=state
        )
    else:
        from kohort.engine.planning_plain import plan_manifests

        planned = plan_manifests(old, new, settings, snapshot=state)
    return Compared(planned)
