"""Which law gives moments, and which distribution gives numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from kohort.model.scenario import Draw, Times
from kohort.simulator.arrivals.draws import choice, fixed, lognormal, normal, uniform
from kohort.simulator.arrivals.laws import constant, poisson, stated

_LAWS: Final[Mapping[str, Callable[[Times, int, Random], Iterator[int]]]] = {
    "at": stated.moments,
    "constant": constant.moments,
    "poisson": poisson.moments,
}
_DRAWS: Final[Mapping[str, Callable[[Draw, Random], int]]] = {
    "fixed": fixed.draw,
    "uniform": uniform.draw,
    "normal": normal.draw,
    "lognormal": lognormal.draw,
    "choice": choice.draw,
}


def moments(times: Times, horizon: int, random: Random) -> Iterator[int]:
    """The moments of a source in order, none beyond the horizon."""
    return _LAWS[times.law](times, horizon, random)


def draw(law: Draw, random: Random) -> int:
    """One number."""
    return _DRAWS[law.kind](law, random)
