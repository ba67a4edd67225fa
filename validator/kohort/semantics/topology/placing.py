"""Where the pods of one pod set go, or why there is no room.

Source: Kueue 0.19.1 (findTopologyAssignment, findLevelWithFitDomains); kueue.md 7.1. `required` stays at its level;
`preferred` climbs level by level and splits at the widest; `unconstrained` splits at once. From the level that fits down
to that of the slices, domains are taken across all parents; below, each parent gives out what it was given.

Open: a leader beside its workers (podset-group-name), slices within slices, preferred node affinity (an alpha gate).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kohort.semantics.topology.counting import Assumed, Counts, count
from kohort.semantics.topology.forest import Domain, Forest, Values
from kohort.semantics.topology.need import Need
from kohort.semantics.topology.spreading import ordered, spread, tightest


@dataclass(frozen=True, slots=True)
class Placement:
    """Pods per lowest domain, by its values in order; only the host where the lowest level is the host."""

    pods: tuple[tuple[Values, int], ...]


@dataclass(frozen=True, slots=True)
class NoRoom:
    """No room: how many of the wanted units (slices, or pods where `slice_size` is 1) fit."""

    topology: str
    fits: int
    wanted: int
    slice_size: int = 1
    words: str = ""  # set where the topology cannot serve the need at all
    nodes: int = 0  # lowest domains in all
    excluded: Mapping[str, int] = field(default_factory=dict)  # why some hold no pod → how many

    def __str__(self) -> str:
        """In Kueue's words."""
        if self.words:
            return self.words
        unit = "pod" if self.slice_size == 1 else "slice"
        said = (
            f"allows to fit only {self.fits} out of {self.wanted} {unit}(s)"
            if self.fits
            else f"doesn't allow to fit any of {self.wanted} {unit}(s)"
        )
        reasons = ", ".join(sorted(f"{why}: {number}" for why, number in self.excluded.items()))
        about = f". Total nodes: {self.nodes}; excluded: {reasons}" if reasons else ""
        return f'topology "{self.topology}" {said}{about}'


def place(
    forest: Forest, need: Need, *, mixed: bool, assumed: Assumed | None = None, empty: bool = False
) -> Placement | NoRoom:
    """Place a pod set. `mixed` is the gate TASProfileMixed: unconstrained pods fill the fullest domains first.

    `assumed` is what pod sets before take; with `empty`, all other workloads are thought away.
    """
    if not forest.by_level or not forest.by_level[need.level]:
        words = f"no topology domains at level: {forest.levels[need.level]}" if forest.levels else "no levels"
        return NoRoom(forest.topology, 0, need.count, words=words)
    counts = count(forest, need, assumed or {}, empty=empty)
    tight = mixed and need.unconstrained
    chosen = _choose(forest, need, counts, tight=tight)
    if isinstance(chosen, NoRoom):
        return chosen
    shares = _descend(forest, need, counts, chosen, tight=tight)
    by_host = forest.by_host
    pods = sorted((domain.values, units) for domain, units in shares if units > 0)
    return Placement(tuple((values[-1:] if by_host else values, units) for values, units in pods))


def _choose(forest: Forest, need: Need, counts: Counts, *, tight: bool) -> list[Domain] | NoRoom:
    """The domains that hold all slices: one if any does, at the needed level or above; else several."""
    wanted = need.count // need.slice_size
    held = counts.slices
    level = need.level
    while True:
        domains = ordered(forest.by_level[level], counts, tight=tight)
        one = (
            next((d for d in domains if held[d] >= wanted), None)
            if tight
            else tightest(domains, wanted, held.__getitem__)
        )
        if one is not None:
            return [one]
        if need.required:
            return _no_room(forest, need, counts, held[domains[0]])
        if level == 0 or need.unconstrained:
            break
        level -= 1
    shares = spread(domains, wanted, held, tight=tight)
    if shares is None:
        return _no_room(forest, need, counts, sum(held[d] for d in domains))
    return [domain for domain, _ in shares]


def _no_room(forest: Forest, need: Need, counts: Counts, fits: int) -> NoRoom:
    wanted = need.count // need.slice_size
    return NoRoom(
        forest.topology,
        fits,
        wanted,
        need.slice_size,
        nodes=len(forest.by_level[-1]),
        excluded=counts.excluded,
    )


def _descend(
    forest: Forest, need: Need, counts: Counts, chosen: list[Domain], *, tight: bool
) -> list[tuple[Domain, int]]:
    """Pods per lowest domain, from the chosen ones down."""
    slices = spread(chosen, need.count // need.slice_size, counts.slices, tight=tight) or []
    level = chosen[0].level
    while level < need.slice_level:
        children = [child for domain, _ in slices for child in domain.children]
        below = ordered(children, counts, tight=tight)
        slices = spread(below, need.count // need.slice_size, counts.slices, tight=tight) or []
        level += 1
    pods = [(domain, units * need.slice_size) for domain, units in slices]
    while level < len(forest.levels) - 1:
        pods = [share for domain, units in pods for share in _within(domain, units, counts, tight=tight)]
        level += 1
    return pods


def _within(domain: Domain, units: int, counts: Counts, *, tight: bool) -> list[tuple[Domain, int]]:
    """What one domain was given, given on to those in it."""
    held: Mapping[Domain, int] = counts.pods
    return spread(ordered(domain.children, counts, tight=tight), units, held, tight=tight) or []
