"""The bell curve, moved into its bounds."""

from __future__ import annotations

from random import Random

from kohort.model.scenario import Draw
from kohort.simulator.arrivals.draws.bounds import within


def draw(law: Draw, random: Random) -> int:
    """A number around the mean."""
    return within(law, random.normalvariate(law.mean, law.deviation))
