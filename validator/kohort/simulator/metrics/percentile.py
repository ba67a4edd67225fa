"""Percentiles by the nearest rank: a value that really occurred, the smallest that at least p % do not exceed."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(ordered: Sequence[int], percent: int) -> int:
    """Of values in ascending order, at least one; `percent` from 1 to 100."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(0, rank - 1)]
