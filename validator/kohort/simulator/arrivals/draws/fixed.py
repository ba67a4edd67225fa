"""Always the same number."""

from __future__ import annotations

from random import Random

from kohort.model.scenario import Draw


def draw(law: Draw, random: Random) -> int:  # noqa: ARG001 - one signature for all distributions
    """The number."""
    return law.values[0]
