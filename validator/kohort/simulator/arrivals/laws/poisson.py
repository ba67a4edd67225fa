"""Jobs that come independently of each other: pauses are exponential with mean `every`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kohort.model.scenario import Times


def moments(times: Times, horizon: int, random: Random) -> Iterator[int]:
    """Moments until the end (excluded) or until `count` have come; summed exactly, rounded to whole milliseconds."""
    end = horizon if times.until is None else min(times.until, horizon)
    at, number = float(times.start), 0
    while times.count is None or number < times.count:
        at += random.expovariate(1.0) * times.every
        if at >= end:
            return
        yield int(at)
        number += 1
