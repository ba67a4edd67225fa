"""Jobs at moments that the scenario states, `count` of them at each."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kohort.model.scenario import Times


def moments(times: Times, horizon: int, random: Random) -> Iterator[int]:  # noqa: ARG001 - one signature for all laws
    """The stated moments in order."""
    for at in sorted(times.at):
        if at > horizon:
            return
        for _ in range(times.count or 1):
            yield at
