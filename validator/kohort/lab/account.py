"""A readable account of what happens in a lab: one line per change, for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kohort.lab.watching import ENDED, FAILED, RUNNING, SUSPENDED, WAITING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kohort.lab.watching import Change, Work

_PREEMPTOR = re.compile(r"accommodate a workload \(([^,)]+)")
_NAME_WIDTH = 18


def clock(seconds: float) -> str:
    """Return minutes and seconds, `2:05`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def amounts(work: Work) -> str:
    """Return the devices that it was given, for example `8 of vendor.example/gpu`; its cpu when there are none."""
    devices = [(name, amount) for name, amount in work.amounts if "/" in name]
    return _sums(devices or [pair for pair in work.amounts if pair[0] == "cpu"])


def flavors(work: Work) -> str:
    """Return the flavors that it was given."""
    return ", ".join(sorted({flavor for _, flavor in work.flavors}))


def line(change: Change) -> str:
    """Return a change as one line without its end."""
    work = change.now
    return f"{clock(change.seconds):>6}  {work.name:<{_NAME_WIDTH}} {_verb(change)}"


def teller(write: Callable[[str], None]) -> Callable[[Change], None]:
    """Return what tells each change that a person wants to know of: not that work waits before Kueue has said why."""

    def tell(change: Change) -> None:
        ended = change.now.gone and change.before in (ENDED, FAILED)
        if not ended and (change.now.state != WAITING or change.now.why or change.now.gone):
            write(line(change))

    return tell


def table(works: Iterable[Work]) -> list[str]:
    """Return one line per piece of work: its state, what it holds, or why it holds nothing."""
    found = sorted((each for each in works if not each.gone), key=lambda each: each.name)
    return [f"{each.name:<{_NAME_WIDTH}} {each.state:<10} {_detail(each)}".rstrip() for each in found]


def _verb(change: Change) -> str:
    work = change.now
    if work.gone:
        return "is gone"
    if work.phase == "Resetting":
        return "is reset: its pods are ended and made anew"
    if work.state == RUNNING:
        again = "runs again" if change.before == SUSPENDED else "runs"
        return f"{again} with {_detail(work)}"
    if work.state == SUSPENDED:
        return f"suspended {because(work.why)}"
    if work.state == ENDED:
        return "has ended"
    if work.state == FAILED:
        return f"has failed: {work.why}"
    return f"waits: {work.why}" if work.why else "waits"


def because(why: str) -> str:
    """Shorten Kueue's message about a preemption to whom it was for, and the reason."""
    reason, _, message = why.partition(": ")
    preemptor = _PREEMPTOR.search(message)
    return f"for {preemptor[1]} ({reason})" if preemptor else f"({why})"


def _detail(work: Work) -> str:
    if work.state == RUNNING:
        return f"{amounts(work) or 'nothing that is counted'} on {flavors(work) or 'no flavor'}"
    if work.state == SUSPENDED:
        return because(work.why)
    return work.why


def _sums(pairs: Iterable[tuple[str, str]]) -> str:
    sums: dict[str, list[str]] = {}
    for name, amount in pairs:
        sums.setdefault(name, []).append(amount)
    return ", ".join(f"{_add(each)} of {name}" for name, each in sums.items())


def _add(texts: list[str]) -> str:
    whole = all(text.isdigit() for text in texts)
    return str(sum(map(int, texts))) if whole else " + ".join(texts)
