"""Amounts given for a whole flavor (limits of cohorts, slack): every resource in proportion to what its pools offer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kohort.compiler.scope import Scope
from kohort.model.amounts import Amount, equals, round_down
from kohort.model.derive import offer_of
from kohort.model.repo import Limit
from kohort.objects.quantity_format import NANO
from kohort.spans import Origin


def in_proportion(scope: Scope, flavor: str, limit: Limit, origin: Origin) -> Mapping[str, Amount] | None:
    """`limit` counts GPUs, GPUs' worth of partitions, or nodes where the flavor has neither. None: no limit."""
    if limit == "any":
        return None
    offer = offer_of(scope.repo, scope.decl, flavor)
    count = 0 if limit == "none" else limit
    per_node = not offer.shares
    unit = "nodes" if per_node else "GPUs"
    found = {}
    for resource in offer.covered:
        total = Fraction(offer.total.get(resource, 0), NANO)
        exact = count * total / offer.units if offer.units else Fraction(0)
        text = f"{count} {unit} × {offer.text(resource, per_node=per_node)} {equals(exact, resource)}"
        found[resource] = Amount(round_down(exact, resource), origin, text)
    return found
