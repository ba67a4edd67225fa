"""Giving pods to domains: in which order, and which one gets the last of them.

Source: Kueue 0.19.1 (sortedDomains, findBestFitDomain, updateCountsToMinimum). BestFit takes the domains that hold most
first and the tightest one for what is left at the end; LeastFreeCapacity, for unconstrained pods, the fullest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from kohort.semantics.topology.counting import Counts
from kohort.semantics.topology.forest import Domain

Share = tuple[Domain, int]
"""A domain and how many units (slices or pods) it gets."""


def ordered(domains: Iterable[Domain], counts: Counts, *, tight: bool) -> list[Domain]:
    """Domains in the order in which they are taken; with `tight` (LeastFreeCapacity) those that hold least come first."""
    sign = 1 if tight else -1
    return sorted(domains, key=lambda d: (sign * counts.slices[d], counts.pods[d], d.values))


def tightest(domains: Iterable[Domain], needed: int, held: Callable[[Domain], int]) -> Domain | None:
    """The first of the domains that hold `needed` with the least to spare; None where none holds it."""
    return min((d for d in domains if held(d) >= needed), key=held, default=None)


def spread(
    domains: list[Domain], units: int, held: Mapping[Domain, int], *, tight: bool
) -> list[Share] | None:
    """Give `units` to the domains in their order, as few as the order allows; None where they do not hold all."""
    found: list[Share] = []
    for index, domain in enumerate(domains):
        taker = domain
        if not tight and held[domain] >= units:
            taker = tightest(domains[index:], units, held.__getitem__) or domain
        if held[taker] >= units:
            found.append((taker, units))
            return found
        found.append((taker, held[taker]))
        units -= held[taker]
    return None if units > 0 else found
