"""How many pods, and how many whole slices, every domain holds now.

Source: Kueue 0.19.1 (fillInCounts): counted in the lowest domains, summed upwards; slices are whole from their own level up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kohort.objects.affinity import matches_terms, required_terms
from kohort.objects.tolerations import untolerated
from kohort.semantics.topology.forest import Domain, Forest, Values
from kohort.semantics.topology.need import Need

Assumed = Mapping[Values, Mapping[str, int]]
"""Lowest domain, as placements name it → what pods placed just before take of it."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What fits where. Domains that hold nothing have 0."""

    pods: dict[Domain, int] = field(default_factory=dict)
    slices: dict[Domain, int] = field(default_factory=dict)


def count(forest: Forest, need: Need, assumed: Assumed, *, empty: bool = False) -> Counts:
    """Count a pod set into a forest; with `empty`, as if no other workload were placed."""
    found = Counts()
    lowest = len(forest.levels) - 1
    for level in range(lowest, -1, -1):
        for domain in forest.by_level[level]:
            if level == lowest:
                pods = _in_leaf(domain, need, forest, assumed, empty=empty)
                slices = 0
            else:
                pods = sum(found.pods[child] for child in domain.children)
                slices = sum(found.slices[child] for child in domain.children)
            found.pods[domain] = pods
            found.slices[domain] = pods // need.slice_size if level == need.slice_level else slices
    return found


def _in_leaf(leaf: Domain, need: Need, forest: Forest, assumed: Assumed, *, empty: bool) -> int:
    if forest.by_host and not _open(leaf, need, forest):
        return 0
    gone = assumed.get(leaf.values[-1:] if forest.by_host else leaf.values, {})
    fits: int | None = None
    for resource, units in {**need.per_pod, "pods": 1}.items():
        if units <= 0:
            continue
        if resource == "pods" and "pods" not in leaf.free:
            continue  # a node that does not state how many pods it takes is not limited by them
        left = leaf.free.get(resource, 0) - gone.get(resource, 0)
        if not empty:
            left -= leaf.taken.get(resource, 0)
        here = max(0, left) // units
        fits = here if fits is None else min(fits, here)
    return need.count if fits is None else fits


def _open(leaf: Domain, need: Need, forest: Forest) -> bool:
    """Whether the pods may land on the node at all: taints, node selector, required affinity."""
    pod = need.ask.pod
    host = leaf.hosts[0]
    given = pod.get("tolerations")
    tolerations = [*(given if isinstance(given, (list, tuple)) else ()), *forest.tolerations]
    if untolerated(host.taints, tolerations):
        return False
    selector = pod.get("nodeSelector")
    if isinstance(selector, Mapping) and any(host.labels.get(k) != v for k, v in selector.items()):
        return False
    return matches_terms(required_terms(pod.get("affinity")), host.labels, host.name)
