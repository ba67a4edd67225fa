"""What to judge: paths become a repository or one cluster of plain manifests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kohort.engine.arguments import demand, judged_version
from kohort.engine.marker import MARKER, enclosing, is_repository
from kohort.engine.outcome import Outcome, Settings
from kohort.engine.plain import check_plain
from kohort.engine.usage import UsageProblem
from kohort.source.tree import STDIN, MemoryTree, SourceTree, WorkDir

__all__ = ["check_paths", "demand", "judged_version", "repository_of"]


def check_paths(
    paths: Sequence[str], nodes: Sequence[str], settings: Settings, stdin: Callable[[], bytes] | None = None
) -> Outcome:
    """Judge a repository (no path, or its folder alone) or all of the paths and `nodes` as one cluster.

    `stdin` gives the bytes behind the path `-`. Raises UsageProblem for a path that does not exist.
    """
    root = repository_of(paths)
    if root is not None:
        return _check_repository(root, settings)
    trees: list[SourceTree] = []
    named = [path for path in (*paths, *nodes) if path != STDIN or stdin is None]
    for path in named:
        demand(path)
    if stdin is not None and len(named) < len(paths) + len(nodes):
        trees.append(MemoryTree({STDIN: stdin()}))
    trees.append(WorkDir(Path(), [Path(path) for path in named]))
    return check_plain(trees, settings)


def repository_of(paths: Sequence[str]) -> Path | None:
    """The folder of the repository that `paths` mean, None for plain manifests. Raises UsageProblem for neither."""
    if not paths:
        if is_repository(Path()):
            return Path()
        above = enclosing(Path())
        hint = f"; the repository is {above}" if above else ""
        raise UsageProblem(f"no PATH given and the working directory has no {MARKER}{hint}")
    root = Path(paths[0])
    return root if len(paths) == 1 and paths[0] not in {STDIN, ""} and is_repository(root) else None


def _check_repository(root: Path, settings: Settings) -> Outcome:
    # Declarations and the compiler are not needed for plain manifests, and take long to import.
    from kohort.engine.cache import Cache, cache_folder
    from kohort.engine.memory import Memory
    from kohort.engine.repository import judge_repository

    folder = cache_folder(root) if settings.cached else None
    cache = Cache(folder) if folder is not None else None
    memory = cache.load() if cache is not None else Memory()
    outcome = judge_repository(WorkDir(root), settings, memory)
    if cache is not None:
        cache.save(memory)
    return outcome
