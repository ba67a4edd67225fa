"""Amounts that change at moments: steps, their mean over time, and their value at a moment.

A step function is a list of (from when, value) in order of time; before the first it is 0.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TypeAlias

Steps: TypeAlias = list[tuple[int, int]]


def steps_of(changes: Iterable[tuple[int, int]]) -> Steps:
    """Sum up (when, by how much) in any order; changes at one moment are one step."""
    made: Steps = []
    value = 0
    for at, by in sorted(changes):
        value += by
        if made and made[-1][0] == at:
            made[-1] = at, value
        else:
            made.append((at, value))
    return made


def integral(steps: Steps, end: int) -> int:
    """Value × milliseconds from 0 to `end`."""
    total = 0
    for number, (at, value) in enumerate(steps):
        until = steps[number + 1][0] if number + 1 < len(steps) else end
        total += value * (min(until, end) - min(at, end))
    return total


def value_at(steps: Steps, at: int) -> int:
    """The value at a moment."""
    place = bisect_right(steps, at, key=lambda step: step[0])
    return steps[place - 1][1] if place else 0


def least_of(first: Steps, second: Steps, end: int) -> int:
    """The integral of the smaller of two step functions."""
    moments = sorted({at for at, _ in first} | {at for at, _ in second} | {end})
    total, i, j = 0, -1, -1
    for number, at in enumerate(moments[:-1]):
        while i + 1 < len(first) and first[i + 1][0] <= at:
            i += 1
        while j + 1 < len(second) and second[j + 1][0] <= at:
            j += 1
        low = min(first[i][1] if i >= 0 else 0, second[j][1] if j >= 0 else 0)
        total += low * (min(moments[number + 1], end) - min(at, end))
    return total
