"""The readers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kohort.simulator.importers import alibaba, helios, kueue, kueue_perf, philly, slurm
from kohort.simulator.importers.imported import Imported

READERS: Final[Mapping[str, Callable[[bytes], Imported]]] = {
    "kueue": kueue.read,
    "slurm": slurm.read,
    "philly": philly.read,
    "helios": helios.read,
    "alibaba": alibaba.read,
    "kueue-perf": kueue_perf.read,
}
