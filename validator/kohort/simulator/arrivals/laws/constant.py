"""A job, always after the same time, the first at the start."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kohort.model.scenario import Times


def moments(times: Times, horizon: int, random: Random) -> Iterator[int]:  # noqa: ARG001 - one signature for all laws
    """`start`, `start` + `every`, … until the end (excluded) or until `count` have come."""
    end = horizon if times.until is None else min(times.until, horizon)
    at, number = times.start, 0
    while at < end and (times.count is None or number < times.count):
        yield at
        number += 1
        at += times.every
