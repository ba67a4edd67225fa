"""How long to wait for programs on a machine that has other work too."""

from __future__ import annotations

import os
from typing import Final

_MOST: Final = 10.0


def stretched(seconds: float) -> float:
    """Return a time limit as it is on this machine now.

    A limit holds for a machine with nothing else to do. Where several programs wait for each processor (the load of the
    last minute), everything takes so many times longer, up to ten.
    """
    try:
        load = os.getloadavg()[0]
    except OSError:  # not to be had on this system
        return seconds
    return seconds * min(max(load / (os.cpu_count() or 1), 1.0), _MOST)
