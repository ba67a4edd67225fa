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
    """What fits where. Domains that hold nothing have 0; `excluded` says why lowest ones do: Kueue's word → how many."""

    pods: dict[Domain, int] = field(default_factory=dict)
    slices: dict[Domain, int] = field(default_factory=dict)
    excluded: dict[str, int] = field(default_factory=dict)


def count(forest: Forest, need: Need, assumed: Assumed, *, empty: bool = False) -> Counts:
    """Count a pod set into a forest; with `empty`, as if no other workload were placed."""
    found = Counts()
    lowest = len(forest.levels) - 1
    for level in range(lowest, -1, -1):
        for domain in forest.by_level[level]:
            if level == lowest:
                pods, why = _in_leaf(domain, need, forest, assumed, empty=empty)
                slices = 0
                if why:
                    found.excluded[why] = found.excluded.get(why, 0) + 1
            else:
                pods = sum(found.pods[child] for child in domain.children)
                slices = sum(found.slices[child] for child in domain.children)
            found.pods[domain] = pods
            found.slices[domain] = pods // need.slice_size if level == need.slice_level else slices
    return found


def _in_leaf(leaf: Domain, need: Need, forest: Forest, assumed: Assumed, *, empty: bool) -> tuple[int, str]:
    """The pods that fit, and where that is none, why: a closed node, or the first resource that holds no pod."""
    if forest.by_host and (why := _closed(leaf, need, forest)):
        return 0, why
    gone = assumed.get(leaf.values[-1:] if forest.by_host else leaf.values, {})
    fits: int | None = None
    scarce = ""
    for resource, units in {**need.per_pod, "pods": 1}.items():
        if units <= 0:
            continue
        if resource == "pods" and "pods" not in leaf.free:
            continue  # a node that does not state how many pods it takes is not limited by them
        left = leaf.free.get(resource, 0) - gone.get(resource, 0)
        if not empty:
            left -= leaf.taken.get(resource, 0)
        here = left // units if left > 0 else 0
        if fits is None or here < fits or (here == fits and resource < scarce):
            fits, scarce = here, resource
    if fits is None:
        return need.count, ""
    return fits, "" if fits else f'resource "{scarce}"'


def _closed(leaf: Domain, need: Need, forest: Forest) -> str:
    """Why the pods may not land on the node at all: taints, node selector, required affinity; empty where they may."""
    pod = need.ask.pod
    host = leaf.hosts[0]
    given = pod.get("tolerations")
    tolerations = [*(given if isinstance(given, (list, tuple)) else ()), *forest.tolerations]
    if left := untolerated(host.taints, tolerations):
        return f'taint "{left[0]}"'
    selector = pod.get("nodeSelector")
    if isinstance(selector, Mapping) and any(host.labels.get(k) != v for k, v in selector.items()):
        return "nodeSelector"
    return "" if matches_terms(required_terms(pod.get("affinity")), host.labels, host.name) else "affinity"
