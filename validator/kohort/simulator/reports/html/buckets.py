"""A step function as a fixed number of columns, so that a chart of months is as large as one of minutes."""

from __future__ import annotations

from kohort.simulator.metrics.steps import Steps

COLUMNS = 480


def means(steps: Steps, end: int, columns: int = COLUMNS) -> list[float]:
    """The mean of each of `columns` equal parts of the time from 0 to `end`."""
    width = end / columns
    sums = [0.0] * columns
    for number, (at, value) in enumerate(steps):
        until = min(steps[number + 1][0] if number + 1 < len(steps) else end, end)
        if value == 0 or at >= until:
            continue
        first, last = int(at / width), min(int(until / width), columns - 1)
        for column in range(first, last + 1):
            low, high = max(at, column * width), min(until, (column + 1) * width)
            if high > low:
                sums[column] += value * (high - low)
    return [total / width for total in sums]


def peaks(steps: Steps, end: int, columns: int = COLUMNS) -> list[float]:
    """The largest value in each part."""
    width = end / columns
    found = [0.0] * columns
    for number, (at, value) in enumerate(steps):
        until = min(steps[number + 1][0] if number + 1 < len(steps) else end, end)
        if at >= until:
            continue
        last = min(int(max(at, until - 1) / width), columns - 1)
        for column in range(int(at / width), last + 1):
            found[column] = max(found[column], float(value))
    return found
