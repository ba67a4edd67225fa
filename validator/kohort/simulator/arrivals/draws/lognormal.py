"""Many small numbers and few very large ones: the logarithm follows the bell curve."""

from __future__ import annotations

import math
from random import Random

from kohort.model.scenario import Draw
from kohort.simulator.arrivals.draws.bounds import within

_MOST = 60.0  # e⁶⁰ is beyond every horizon; more would not fit a float


def draw(law: Draw, random: Random) -> int:
    """A number of which half are below the median."""
    return within(law, law.mean * math.exp(min(random.normalvariate(0.0, law.deviation), _MOST)))
