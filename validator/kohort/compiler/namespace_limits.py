"""ResourceQuota and LimitRange of a team's namespaces: only for what Kueue does not count.

Bounds on what queues cover are the model's finding (SRC133) and left out here. Defaults that no queue covers are the
rules' (WKL652), since a LimitRange of anybody may hold them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.compiler.make import TEAM, Entries, make
from kohort.compiler.scope import Scope
from kohort.model.counted import counted_by_kueue
from kohort.model.repo import Team
from kohort.model.settings import NamespaceLimits
from kohort.objects.kube import KubeObject
from kohort.objects.quantity import Quantity
from kohort.spans import Origin, Path

COUNTS: Final = "kohort-counts"
DEFAULTS: Final = "kohort-defaults"


def namespace_limits(scope: Scope, team: Team) -> Iterator[KubeObject]:
    """For each namespace a ResourceQuota and a LimitRange, where anything is declared for them."""
    limits = scope.decl.namespaces
    own = limits.teams.get(team.name, NamespaceLimits())
    at = scope.decl.at(*limits.path)
    labels = {TEAM: team.name}
    counts, counted = _merged(scope, "atMost", (limits.at_most, limits.path), (own.at_most, own.path), _HARD)
    for name in [name for name in counts if counted_by_kueue(name, scope.covered)]:
        del counts[name]
    defaults, defaulted = _merged(
        scope,
        "containerDefaults",
        (limits.container_defaults, limits.path),
        (own.container_defaults, own.path),
        _REQUEST,
    )
    ranges = [{"type": "Container", "defaultRequest": defaults}]
    for namespace in scope.namespaces_of(team):
        if counts:
            body: dict[str, Any] = {"spec": {"hard": counts}}
            yield make(
                "v1", "ResourceQuota", COUNTS, at, body, namespace=namespace, labels=labels, entries=counted
            )
        if defaults:
            body = {"spec": {"limits": ranges}}
            yield make(
                "v1", "LimitRange", DEFAULTS, at, body, namespace=namespace, labels=labels, entries=defaulted
            )


_HARD: Final[Path] = ("spec", "hard")
_REQUEST: Final[Path] = ("spec", "limits", 0, "defaultRequest")


def _merged(
    scope: Scope,
    field: str,
    common: tuple[Mapping[str, Quantity], Path],
    own: tuple[Mapping[str, Quantity], Path],
    target: Path,
) -> tuple[dict[str, str], Entries]:
    """Amounts as the server stores them, those of the team before the common ones, each with its place."""
    amounts: dict[str, str] = {}
    entries: dict[Path, tuple[Origin, str]] = {}
    for values, path in (common, own):
        for name, amount in values.items():
            amounts[name] = amount.canonical()
            entries[*target, name] = (scope.decl.at(*path, field, name), "")
    return amounts, entries
