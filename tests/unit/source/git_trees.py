"""What tests do with a small repository: write, commit, read it as a tree, say what could not be read."""

from __future__ import annotations

from pathlib import Path

from kohort.source.git import GitTree, History


def commit(git, message: str = "one") -> str:
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", message)
    return git("rev-parse", "HEAD")


def tree(root: Path, name: str = "HEAD") -> GitTree:
    history = History(root)
    return GitTree(history, history.demand(name))


def told(found: GitTree) -> list[str]:
    return [f"{p.code} {p.message}" for p in found.problems]


def write(root: Path, name: str, text: str = "a: 1\n") -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
