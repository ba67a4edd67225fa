"""What is to be said about a snapshot: it is taken from a moving system, so it may contradict itself and still be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

_SHOWN_OF_A_KIND: Final = 20


class Kind(StrEnum):
    """Kinds of remarks."""

    UNREADABLE = "unreadable"  # a file, or a part of it, gives no objects
    NOT_AN_OBJECT = "not an object"
    TWICE = "twice"  # two objects of one name; the first counts
    ODD_SHAPE = "odd shape"  # a field that is not what the API would give
    NO_QUEUE = "no such queue"
    NO_FLAVOR = "no such flavor"
    NO_QUOTA = "no such quota"  # usage of a flavor that the queue lists no quota for
    NEGATIVE = "negative usage"
    TOO_MUCH = "more used than there is"
    COUNTS_DIFFER = "counts differ"  # the queue's status and its workloads tell different usage
    HALF_DONE = "half done"  # conditions that do not go together: taken in mid-change
    CYCLE = "cohort cycle"


@dataclass(frozen=True, slots=True)
class Remark:
    """One contradiction or gap: what it concerns, and a sentence with the numbers and what was assumed instead."""

    kind: Kind
    subject: str  # `Workload blue/job-1`, `ClusterQueue blue`, or a file
    message: str


@dataclass(slots=True)
class Remarks:
    """Collects remarks; of one kind only the first ones are kept, the others are counted."""

    found: list[Remark] = field(default_factory=list)
    more: dict[Kind, int] = field(default_factory=dict)
    _counts: dict[Kind, int] = field(default_factory=dict)

    def add(self, kind: Kind, subject: str, message: str) -> None:
        """Note one."""
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count <= _SHOWN_OF_A_KIND:
            self.found.append(Remark(kind, subject, message))
        else:
            self.more[kind] = self.more.get(kind, 0) + 1

    def of_files(self) -> Iterator[Remark]:
        """What could not be read at all: it may concern any job."""
        return (remark for remark in self.found if remark.kind in {Kind.UNREADABLE, Kind.NOT_AN_OBJECT})

    def about(self, subjects: Iterable[str]) -> Iterator[Remark]:
        """Those that concern any of the subjects, in order."""
        wanted = frozenset(subjects)
        return (remark for remark in self.found if remark.subject in wanted)
