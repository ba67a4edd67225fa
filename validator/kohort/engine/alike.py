"""Which clusters a changed file says the same to as before: a team's other numbers on one cluster change no other.

A cluster sees of a team everything but its quota elsewhere (`compiler.reaching`, `compiler.scope`), and the places of
declarations are paths in their documents, never lines. So where that part is the same, what the cluster came to before
is what it comes to now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kohort.engine.memory import FileRead, cluster_key
from kohort.model.repo import Repo, Team


class Changed:
    """Files that differ between two readings and hold nothing but teams, with the clusters that see a difference."""

    def __init__(self, before: Mapping[str, FileRead], after: Mapping[str, FileRead]) -> None:
        """What both name under one name counts; what is new or gone reaches a cluster or not, and is never alike."""
        self._before, self._after = before, after
        self._seen: dict[str, frozenset[str]] = {}
        for file, read in after.items():
            old = before.get(file)
            if old is not None and old is not read and old.digest != read.digest:
                seen = _differing(old, read)
                if seen is not None:
                    self._seen[file] = seen

    def key(self, reached: Repo, name: str, *more: object) -> bytes:
        """`cluster_key` as it would be if no file had changed that says the same to the cluster as before."""
        alike = {file: self._before[file] for file, seen in self._seen.items() if name not in seen}
        return cluster_key(reached, {**self._after, **alike} if alike else self._after, *more)


def _differing(old: FileRead, new: FileRead) -> frozenset[str] | None:
    """The clusters that see another team than before; None where all may: something else is in the file, or changed."""
    number = len(new.source.documents)
    if len(old.source.documents) != number:
        return None
    pairs = [(_team(old, index), _team(new, index)) for index in range(number)]
    found: set[str] = set()
    for one, other in pairs:
        if one is None or other is None or repr(_elsewhere(one)) != repr(_elsewhere(other)):
            return None
        for was, now in zip(one.queues, other.queues, strict=True):
            found.update(
                name
                for name in {*was.quota, *now.quota}
                if repr(was.quota.get(name)) != repr(now.quota.get(name))
            )
    return frozenset(found)


def _team(read: FileRead, index: int) -> Team | None:
    """The team that is the document of that number, none left out before it; else None."""
    taken = read.taken.get(index) if read.source.documents[index].index == index else None
    declared = taken.declared if taken is not None else None
    return declared if isinstance(declared, Team) else None


def _elsewhere(team: Team) -> Team:
    """The team without any quota. Compared as text: to Python 1 and true are the same, and so are 1 and 1000m."""
    return replace(team, queues=tuple(replace(queue, quota={}) for queue in team.queues))
