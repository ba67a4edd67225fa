"""One of several numbers, by weight."""

from __future__ import annotations

from random import Random

from kohort.model.scenario import Draw


def draw(law: Draw, random: Random) -> int:
    """One of them."""
    return random.choices(law.values, law.weights)[0]
