"""Confidence intervals of a mean, by Student's t: for few runs, whose spread is not known beforehand."""

from __future__ import annotations

import math
import statistics
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

# Two-sided 95 %: the 97.5 % quantile by degrees of freedom. Between entries the smaller number of degrees counts, which
# makes intervals a little too wide, never too narrow.
_QUANTILES: Final = (
    (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (7, 2.365), (8, 2.306), (9, 2.262),
    (10, 2.228), (11, 2.201), (12, 2.179), (13, 2.160), (14, 2.145), (15, 2.131), (16, 2.120), (17, 2.110), (18, 2.101),
    (19, 2.093), (20, 2.086), (25, 2.060), (30, 2.042), (40, 2.021), (60, 2.000), (120, 1.980),
)  # fmt: skip


class Interval(NamedTuple):
    """A mean and how far the true one may lie from it, with 95 % confidence; `half` is None for a single value."""

    mean: float
    half: float | None

    @property
    def certain(self) -> bool:
        """Whether 0 lies outside: with differences, that there is one."""
        return self.half is not None and abs(self.mean) > self.half


def interval(values: Sequence[float]) -> Interval:
    """The mean of values, at least one, with its interval."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return Interval(mean, None)
    return Interval(mean, quantile(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values)))


def quantile(degrees: int) -> float:
    """The factor for so many degrees of freedom, at least one."""
    return _QUANTILES[bisect_right(_QUANTILES, degrees, key=lambda entry: entry[0]) - 1][1]
