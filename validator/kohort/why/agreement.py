"""Whether Kueue's own message about a waiting job says what this answer says; else what differs, in numbers.

Source: the texts of Kueue 0.19.1 (`flavorassigner` Status, `scheduler.go`, `workload_controller.go`). A message is as old as
the last attempt: what changed since need not be in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from kohort.objects.names import visible
from kohort.why.answer import Said

_ROOM: Final = re.compile(r"insufficient unused quota for (\S+) in flavor (\S+), (\S+) more needed")
_MAXIMUM: Final = re.compile(
    r"insufficient quota for (\S+) in flavor ([^\s,]+),.*?> maximum capacity \((\S*?)\)"
)
_CLOSED: Final = (
    re.compile(r"untolerated taint (\{.*?\}) in flavor (\S+?)(?=$|[,;.])"),
    re.compile(r"flavor (\S+) doesn't match node affinity"),
    re.compile(r"flavor (\S+) not found"),
    re.compile(r"resource (\S+) unavailable in ClusterQueue"),
    re.compile(r"Flavor \"(\S+)\" (?:does not|supports only) [^,;]*"),
)
_PLACES: Final = re.compile(
    r"topology \"([^\"]*)\" (?:allows to fit only (\d+) out of|doesn't allow to fit any of) (\d+) (pod|slice)\(s\)"
)
_VICTIMS: Final = re.compile(r"Pending the preemption of (\d+) workload")
_LONGEST: Final = 20_000


class Fact(NamedTuple):
    """One thing that a message says; `number` is what may change while the reason stays."""

    what: str
    number: str


def compare(said: str, ours: str) -> Said:
    """The comparison of Kueue's message with the one that this answer would give."""
    if said.strip() == ours.strip():
        return Said(said, ours, agrees=True)
    theirs = dict(_facts(said[:_LONGEST]))
    mine = dict(_facts(ours[:_LONGEST]))
    if not theirs and not mine:
        return Said(said, ours, agrees=False, difference="the reasons differ")
    if theirs == mine:
        return Said(said, ours, agrees=True)
    return Said(said, ours, agrees=False, difference="; ".join(_differences(theirs, mine)))


def _facts(message: str) -> Iterator[Fact]:
    for match in _ROOM.finditer(message):
        yield Fact(f"missing {match[1]} in flavor {match[2]}", match[3].rstrip(".,;"))
    for match in _MAXIMUM.finditer(message):
        yield Fact(f"more {match[1]} than can ever be had of flavor {match[2]}", match[3])
    for match in _PLACES.finditer(message):  # how many nodes are left out, and why, moves with every job
        yield Fact(f"{match[4]}s of {match[3]} that topology {match[1]} holds", match[2] or "0")
    for pattern in _CLOSED:
        for match in pattern.finditer(message):
            yield Fact(match[0], "")
    for match in _VICTIMS.finditer(message):
        yield Fact("the preemption of others", match[1])


def _differences(theirs: dict[str, str], mine: dict[str, str]) -> Iterator[str]:
    for what, number in theirs.items():
        if what not in mine:
            yield f"Kueue also says: {visible(what)}"
        elif mine[what] != number:
            yield f"{visible(what)}: Kueue says {visible(number)}, now it is {visible(mine[what])}"
    for what in mine:
        if what not in theirs:
            yield f"Kueue does not say: {visible(what)}"
