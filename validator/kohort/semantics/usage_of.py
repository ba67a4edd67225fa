"""What a work that holds quota uses of it now.

Source: Kueue 0.19.1 `pkg/workload` (totalRequestsFromAdmission): each pod set's share of the pods that are still needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kohort.semantics.assignment import PodSetChoice
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work


def usage_of(work: Work) -> dict[FlavorResource, int]:
    """(flavor, resource) → amount, without the pods that ended early; a pair of which it needs nothing any more is 0."""
    if work.assignment is None:
        return {}
    return used(work.assignment.podsets, {ask.name: ask.count for ask in work.podsets}, work.reclaimable)


def used(
    podsets: Iterable[PodSetChoice], asked: Mapping[str, int], reclaimable: Mapping[str, int]
) -> dict[FlavorResource, int]:
    """The same of choices: `asked` and `reclaimable` are pods by pod set."""
    found: dict[FlavorResource, int] = {}
    for podset in podsets:
        # Pods that ended early are taken from all that were asked for: after a partial admission the first of them are
        # those that it never got.
        needed = max(0, asked.get(podset.name, podset.count) - reclaimable.get(podset.name, 0))
        left = min(podset.count, needed)
        for resource, choice in podset.flavors.items():
            whole = podset.requests.get(resource, 0)
            units = whole // podset.count * left if podset.count and left != podset.count else whole
            pair = (choice.flavor, resource)
            found[pair] = found.get(pair, 0) + units
    return found
