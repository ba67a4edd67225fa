"""Times, amounts and parts as people read them."""

from __future__ import annotations

from kohort.simulator.record import Run

_HOUR = 3_600_000
_UNITS = ((86_400_000, "d"), (_HOUR, "h"), (60_000, "m"), (1000, "s"))


def place(run: Run) -> str:
    """`cluster pokprod`, or `the given manifests`."""
    return f"cluster {run.cluster}" if run.cluster else "the given manifests"


def seeds(first: int, last: int) -> str:
    """`seeds 1 to 10`, `seed 7`."""
    return f"seeds {first} to {last}" if last > first else f"seed {first}"


def length(milliseconds: float | None) -> str:
    """`2d 4h`, `1h 05m`, `12m`, `3.5s`, `0s`; `–` for None. Two units at most."""
    if milliseconds is None:
        return "–"
    left = round(milliseconds)
    if left < 10_000:
        seconds = f"{left / 1000:.1f}".removesuffix(".0")
        return f"{seconds}s"
    left = (left + 500) // 1000 * 1000
    for number, (size, unit) in enumerate(_UNITS):
        if left >= size:
            whole, rest = divmod(left, size)
            if number + 1 == len(_UNITS):
                return f"{whole}{unit}"
            smaller, name = _UNITS[number + 1]
            second = rest // smaller
            return f"{whole}{unit} {second}{name}" if second else f"{whole}{unit}"
    return "0s"


def clock(milliseconds: int) -> str:
    """A moment: `0:00:05`, `26:03:00`, with days beyond two of them: `3d 02:03:00`."""
    seconds = milliseconds // 1000
    hours, rest = divmod(seconds, 3600)
    text = f"{rest // 60:02}:{rest % 60:02}"
    if hours >= 48:
        return f"{hours // 24}d {hours % 24:02}:{text}"
    return f"{hours}:{text}"


def part(value: float | None) -> str:
    """A part in percent."""
    return "–" if value is None else f"{value * 100:.1f} %"


def amount(run: Run, value: float) -> str:
    """A number in the run's unit: whole GPUs, or cores of milli-cores."""
    number = value / 1000 if run.unit == "cores" else value
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def hours(run: Run, value: float) -> str:
    """Amount × milliseconds as `GPU-hours` or `core-hours`."""
    number = value / _HOUR / (1000 if run.unit == "cores" else 1)
    return f"{number:,.1f}"


def unit_hours(run: Run) -> str:
    """The unit of `hours`."""
    return "core-hours" if run.unit == "cores" else "GPU-hours"
