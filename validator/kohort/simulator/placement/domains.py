"""What a topology ties pods to: the node labels of the domain that they were given, and how the domain is called.

Source: Kueue 0.19.1 `pkg/controller/tas/topology_ungater.go`: each pod gets a node selector with the values of its domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kohort.objects.kueue import Flavor
from kohort.semantics.assignment import Assignment, PodSetChoice


class Placed(NamedTuple):
    """Pods of one pod set in one lowest domain, which is named by its labels from the widest level on, as far as known."""

    podset: str
    domain: tuple[str, ...]
    pods: int


def shares(
    choice: PodSetChoice, flavors: Mapping[str, Flavor], topologies: Mapping[str, Sequence[str]]
) -> list[tuple[dict[str, str], int]]:
    """(labels of a domain, pods in it) of one pod set; all its pods without labels where no topology has a say."""
    levels = _levels(choice, flavors, topologies)
    if not choice.domains or not levels:
        return [({}, choice.count)]
    return [(dict(zip(levels[-len(values) :], values, strict=True)), pods) for values, pods in choice.domains]


def placed(
    assignment: Assignment,
    flavors: Mapping[str, Flavor],
    topologies: Mapping[str, Sequence[str]],
    nodes: Mapping[str, Mapping[str, str]],
) -> Iterator[Placed]:
    """Every domain of an assignment; `nodes` are labels by node: a domain that is one node is told with what holds it."""
    for choice in assignment.podsets:
        levels = _levels(choice, flavors, topologies)
        for values, pods in choice.domains if levels else ():
            labels = nodes.get(values[-1], {}) if len(values) < len(levels) else {}
            wide = tuple(labels[level] for level in levels[: -len(values)] if level in labels)
            yield Placed(choice.name, (*wide, *values), pods)


def words(found: Sequence[Placed]) -> str:
    """In one line: `a/a0 ×2, a/a1`; pod sets are named where there are several."""
    several = len({each.podset for each in found}) > 1
    return ", ".join(
        f"{each.podset + ' ' if several else ''}{'/'.join(each.domain)}{f' ×{each.pods}' if each.pods > 1 else ''}"
        for each in found
    )


def _levels(
    choice: PodSetChoice, flavors: Mapping[str, Flavor], topologies: Mapping[str, Sequence[str]]
) -> Sequence[str]:
    named = (flavors.get(each.flavor) for each in choice.flavors.values())
    return next((topologies[f.topology] for f in named if f is not None and f.topology in topologies), ())
