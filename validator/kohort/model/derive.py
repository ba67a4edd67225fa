"""Derived quota: from the one number of a line to every resource that comes with it.

A line gets, of each resource of the flavor's node pools, the part that its GPUs (or partitions, or nodes) are of all of
them, after the reserve and rounded down. So the sum of all lines never promises more than the pools have, if the sum of
the main numbers does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.model.amounts import Amount, result, round_down
from kohort.model.offer import Offer, make_offer
from kohort.model.repo import ClusterDecl, Limit, QuotaLine, Repo
from kohort.model.request import Request, read_request
from kohort.objects.quantity import ZERO
from kohort.objects.quantity_format import NANO
from kohort.spans import Origin

__all__ = [
    "Amount",
    "DerivedLine",
    "covered_on",
    "covered_resources",
    "derive",
    "main_resource",
    "offer_of",
]


@dataclass(frozen=True, slots=True)
class DerivedLine:
    """A line of quota with all its amounts by resource, in the order of `covered`.

    `main` is the resource that the line is counted in. `borrow` and `lend` are None without a limit.
    """

    line: QuotaLine
    flavor: str
    main: str
    covered: tuple[str, ...]
    guarantee: Mapping[str, Amount]
    borrow: Mapping[str, Amount] | None
    lend: Mapping[str, Amount] | None


def covered_resources(repo: Repo, cluster: ClusterDecl, flavor: str) -> tuple[str, ...]:
    """The resources that quota of a flavor covers on a cluster, always in the same order; empty without pools."""
    return offer_of(repo, cluster, flavor).covered


def covered_on(repo: Repo, cluster: ClusterDecl) -> frozenset[str]:
    """All resources that quota of any flavor with node pools on a cluster covers."""
    flavors = {pool.flavor for pool in cluster.pools}
    return frozenset(name for flavor in flavors for name in offer_of(repo, cluster, flavor).covered)


def main_resource(repo: Repo, cluster: ClusterDecl, flavor: str) -> str:
    """The resource that people count a flavor in on this cluster."""
    return offer_of(repo, cluster, flavor).main


def counted_resources(repo: Repo, cluster: ClusterDecl, flavor: str) -> tuple[str, ...]:
    """The resources that people ask for by their own number: `main_resource`, and every kind of partition beside it."""
    offer = offer_of(repo, cluster, flavor)
    return tuple(dict.fromkeys((offer.main, *offer.shares)))


def derive(repo: Repo, cluster: ClusterDecl, line: QuotaLine) -> DerivedLine | tuple[Finding, ...]:
    """All amounts of a line on a cluster, or why there are none (no finding where the cause is reported already)."""
    offer = offer_of(repo, cluster, line.flavor)
    request = read_request(repo, cluster, line, offer)
    if not isinstance(request, Request):
        return request
    guarantee = {}
    for resource in offer.covered:
        if resource in line.resources:
            amount = line.resources[resource]
            guarantee[resource] = Amount(
                amount, line.origin.child("resources", resource), f"{amount} as written"
            )
        else:
            guarantee[resource] = _amount(offer, request, resource, line.origin.child(request.unit))
    return DerivedLine(
        line=line,
        flavor=line.flavor,
        main=request.main,
        covered=offer.covered,
        guarantee=guarantee,
        borrow=_limited(offer, request, line, line.borrow, "borrow"),
        lend=_limited(offer, request, line, line.lend, "lend"),
    )


def _limited(
    offer: Offer, request: Request, line: QuotaLine, limit: Limit, field: str
) -> Mapping[str, Amount] | None:
    if limit == "any":
        return None
    origin = line.origin.child(field)
    if limit in ("none", 0):
        return {resource: Amount(ZERO, origin, f"{field}: {limit}") for resource in offer.covered}
    assert isinstance(limit, int), "a limit is any, none or a number"
    part = request.limited(limit, offer)
    amounts = {}
    for resource in offer.covered:
        own = line.resources.get(resource)
        if own is None or request.count == 0:
            amounts[resource] = _amount(offer, part, resource, origin)
        else:
            exact = Fraction(own.nano * limit, request.count * NANO)
            value = round_down(exact, resource)
            text = f"{limit} × {own} ÷ {request.count} {result(exact, value)}"
            amounts[resource] = Amount(value, origin, text)
    return amounts


def _amount(offer: Offer, request: Request, resource: str, origin: Origin) -> Amount:
    """One resource of a request: what was asked for itself, or the part of the pools that comes with it."""
    if resource in request.exact:
        count = request.exact[resource]
        return Amount(round_down(count, resource), origin, request.exact_text(resource))
    if request.exact and resource in offer.shares:
        return Amount(ZERO, origin, f"none of {request.text}")
    each, text = offer.part(resource, per_node=request.per_node)
    exact = request.weight * each
    value = round_down(exact, resource)
    return Amount(value, origin, f"{request.text} × {text} {result(exact, value)}")


class _Same:
    """A key that compares by identity: declarations hold mappings and have no hash."""

    __slots__ = ("cluster", "repo")

    def __init__(self, repo: Repo, cluster: ClusterDecl) -> None:
        self.repo, self.cluster = repo, cluster

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.repo is other.repo and self.cluster is other.cluster

    def __hash__(self) -> int:
        return hash((id(self.repo), id(self.cluster)))


def offer_of(repo: Repo, cluster: ClusterDecl, flavor: str) -> Offer:
    """What the pools of a flavor offer on a cluster."""
    return _offer(_Same(repo, cluster), flavor)


@lru_cache(maxsize=512)
def _offer(key: _Same, flavor: str) -> Offer:
    return make_offer(key.cluster, flavor, key.repo.flavors.get(flavor))
