"""Partial admission: with how many pods less a workload could be admitted.

Source: Kueue 0.19.1 `flavorassigner/podset_reducer.go` and `workload.CanBePartiallyAdmitted`. All pod sets with a minCount
shrink together, each by its share of what may be given up, rounded down; a binary search looks for the least
reduction that is accepted, taking for granted that less is never harder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from kohort.semantics.work import PodSetAsk, Work

Found = TypeVar("Found")


def may_shrink(work: Work) -> bool:
    """Whether any pod set accepts fewer pods than it asks for."""
    return any(_spare(ask) > 0 for ask in work.podsets)


def largest(work: Work, accept: Callable[[Mapping[str, int]], Found | None]) -> Found | None:
    """What `accept` gave for the largest counts that it accepted (pod set → pods); None if it accepted none.

    The full counts are tried too where the search leads there, as in Kueue.
    """
    spare = {ask.name: _spare(ask) for ask in work.podsets}
    total = sum(spare.values())
    if total <= 0:
        return None
    best: Found | None = None
    low, high = (
        0,
        total + 1,
    )  # the least accepted step lies from low to high; high was accepted or is past the last
    while low < high:
        middle = (low + high) // 2
        found = accept(_counts(work, spare, middle, total))
        if found is None:
            low = middle + 1
        else:
            best, high = found, middle
    return best


def _counts(work: Work, spare: Mapping[str, int], step: int, total: int) -> dict[str, int]:
    return {ask.name: ask.count - spare[ask.name] * step // total for ask in work.podsets}


def _spare(ask: PodSetAsk) -> int:
    return ask.count - (ask.count if ask.min_count is None else ask.min_count)
