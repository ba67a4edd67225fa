"""Trees of files straight from Git's objects: no checkout, no hook, no network."""

from kohort.source.git.command import GitProblem
from kohort.source.git.history import Commit, History
from kohort.source.git.tree import GitTree

__all__ = ["Commit", "GitProblem", "GitTree", "History"]
