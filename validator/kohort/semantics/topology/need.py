"""What one pod set needs of a topology, resolved to the levels of a forest.

Source: Kueue 0.19.1 (levelKey, isRequired, isUnconstrained): slices without a level of their own for all pods may lie
anywhere below the widest one; a queue whose flavors all have a topology implies `unconstrained` for whoever asks nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kohort.semantics.topology.forest import Forest
from kohort.semantics.work import PodSetAsk, TopologyAsk


@dataclass(frozen=True, slots=True)
class Need:
    """Pods of one shape. `level` and `slice_level` are indices of the forest's levels, the widest is 0.

    `per_pod` is what a pod's own spec asks for. `required` never relaxes, `unconstrained` ignores how far pods are apart;
    neither of both is `preferred`.
    """

    ask: PodSetAsk
    count: int
    per_pod: Mapping[str, int]
    level: int
    slice_level: int
    slice_size: int = 1
    required: bool = False
    unconstrained: bool = False


def need_of(ask: PodSetAsk, count: int, forest: Forest) -> Need | str:
    """The need of `count` pods, or in words why this topology cannot serve it."""
    wanted = ask.topology or TopologyAsk(unconstrained=True)
    lowest = forest.levels[-1]
    only_slices = not wanted.required and not wanted.preferred and bool(wanted.slice_level)
    key = wanted.required or wanted.preferred or (forest.levels[0] if only_slices else lowest)
    slice_key = wanted.slice_level or lowest
    for name in (key, slice_key):
        if name not in forest.levels:
            return f"no requested topology level: {name}"
    level, slice_level = forest.levels.index(key), forest.levels.index(slice_key)
    if wanted.slice_level and wanted.slice_size <= 0:
        return "slice topology requested, but slice size not provided"
    if level > slice_level:
        return f"podset slice topology {slice_key} is above the podset topology {key}"
    return Need(
        ask,
        count,
        ask.on_node,
        level,
        slice_level,
        slice_size=wanted.slice_size if wanted.slice_level else 1,
        required=bool(wanted.required),
        unconstrained=not wanted.required and not wanted.preferred,
    )
