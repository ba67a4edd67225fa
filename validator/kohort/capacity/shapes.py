"""What fits on empty healthy nodes: one pod, and a gang of equal pods.

Placement is judged on empty nodes and by resources alone, so a "does not fit" is certain, while a "fits" is necessary
but not sufficient: other pods, affinity and fragmentation may still be in the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kohort.capacity.health import NodeFacts
from kohort.capacity.supply import FlavorSupply
from kohort.capacity.words import by_weight

NOT_SUFFICIENT: Final = (
    "judged on empty nodes and by resources alone: necessary, but not sufficient, as other pods, affinity and "
    "fragmentation can still keep pods out"
)
_PODS: Final = "pods"


def copies(request: Mapping[str, int], units: Mapping[str, int]) -> int:
    """How many pods of this request an empty node with `units` holds.

    Every pod takes one of the node's `pods`; a node that states no `pods` is not limited by them. A request of
    nothing on such a node counts as one pod.
    """
    wanted = {resource: amount for resource, amount in request.items() if amount > 0 and resource != _PODS}
    if _PODS in units:
        wanted[_PODS] = 1
    if not wanted:
        return 1
    return min(units.get(resource, 0) // amount for resource, amount in wanted.items())


def gang(request: Mapping[str, int], nodes: Iterable[NodeFacts], enough: int | None = None) -> int:
    """How many pods of this request empty nodes hold together; stops counting at `enough`."""
    total = 0
    for found in nodes:
        total += copies(request, found.units)
        if enough is not None and total >= enough:
            break
    return total


def largest_pod(supply: FlavorSupply, resources: Iterable[str]) -> dict[str, int]:
    """What one pod can get at most of these resources at once: the node with most of the weightiest one."""
    order = by_weight(resources)
    best = max(supply.nodes, key=lambda found: [found.units.get(r, 0) for r in order], default=None)
    return {} if best is None else {r: best.units[r] for r in order if best.units.get(r, 0)}
