"""Quota of queues and cohorts on one cluster with every amount derived, each line once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kohort.compiler.proportion import in_proportion
from kohort.compiler.scope import Scope
from kohort.diagnostics import Label
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.derive import Amount, DerivedLine, covered_resources, main_resource
from kohort.model.repo import CohortDecl, CohortShare, QuotaLine, Team, TeamQueue
from kohort.objects.quantity import ZERO
from kohort.rules.compile_codes import FLAVOR_TWICE, NO_NODES
from kohort.spans import Origin


def queue_quota(scope: Scope, team: Team, queue: TeamQueue) -> list[DerivedLine]:
    """The lines of a queue in its order of preference."""
    key = ("Team", team.name, queue.name)
    known = scope.quota.get(key)
    if known is None:
        known = scope.quota[key] = _derived(scope, queue.quota.get(scope.name, ()))
    return known


def cohort_quota(scope: Scope, cohort: CohortDecl) -> list[DerivedLine]:
    """What a cohort holds itself, with its limits; a flavor that only has limits gets a line of 0.

    A root has nobody to lend to or borrow from, so limits on it are not written (Kueue refuses them).
    """
    key = ("Cohort", cohort.name, "")
    known = scope.quota.get(key)
    if known is None:
        share = cohort.clusters.get(scope.name)
        known = scope.quota[key] = _cohort_lines(scope, cohort, share) if share else []
    return known


def _cohort_lines(scope: Scope, cohort: CohortDecl, share: CohortShare) -> list[DerivedLine]:
    lines = _derived(scope, share.pool)
    if not cohort.parent:
        return [replace(line, borrow=None, lend=None) for line in lines]
    held = {line.flavor for line in lines} | {line.flavor for line in share.pool}
    for flavor in sorted((share.borrow.keys() | share.lend.keys()) - held):
        if has_nodes(
            scope, flavor, cohort.at(*share.path, "borrow" if flavor in share.borrow else "lend", flavor)
        ):
            lines.append(_empty(scope, cohort, share, flavor))
    return [
        replace(
            line,
            borrow=_limit(scope, cohort, share, line.flavor, "borrow"),
            lend=_limit(scope, cohort, share, line.flavor, "lend"),
        )
        for line in lines
    ]


def _limit(
    scope: Scope, cohort: CohortDecl, share: CohortShare, flavor: str, word: str
) -> Mapping[str, Amount] | None:
    stated = share.borrow if word == "borrow" else share.lend
    return in_proportion(scope, flavor, stated.get(flavor, "any"), cohort.at(*share.path, word, flavor))


def has_nodes(scope: Scope, flavor: str, origin: Origin) -> bool:
    """Whether the cluster offers anything of a flavor that slack or a limit names; a finding where it does not."""
    if covered_resources(scope.repo, scope.decl, flavor):
        return flavor in scope.repo.flavors  # a pool of an undeclared flavor has its own finding
    pools = sorted({pool.flavor for pool in scope.decl.pools})
    if ("Flavor", flavor) not in scope.repo.broken:
        near = did_you_mean(flavor, pools)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        scope.fail(
            NO_NODES,
            f"cluster {scope.name} has no node pool of flavor {flavor}{hint}",
            origin,
            help_=(f"flavors with nodes: {', '.join(pools)}",) if pools else (),
        )
    return False


def _empty(scope: Scope, cohort: CohortDecl, share: CohortShare, flavor: str) -> DerivedLine:
    """A flavor of which the cohort holds nothing, only limits."""
    path = (*share.path, "borrow" if flavor in share.borrow else "lend", flavor)
    origin = cohort.at(*path)
    covered = covered_resources(scope.repo, scope.decl, flavor)
    line = QuotaLine(
        flavor=flavor,
        unit="gpus",
        count=0,
        devices={},
        size="",
        resources={},
        borrow="any",
        lend="any",
        path=path,
        origin=origin,
    )
    nothing = Amount(ZERO, origin, "0: the cohort itself holds none")
    main = main_resource(scope.repo, scope.decl, flavor)
    return DerivedLine(line, flavor, main, covered, dict.fromkeys(covered, nothing), None, None)


def _derived(scope: Scope, lines: Iterable[QuotaLine]) -> list[DerivedLine]:
    """The lines with all amounts; what cannot be derived is a finding and left out, as is a flavor's second line."""
    seen: dict[str, QuotaLine] = {}
    found = []
    for line in lines:
        first = seen.setdefault(line.flavor, line)
        if first is line:
            derived = scope.alike.derive(line)
            if isinstance(derived, DerivedLine):
                found.append(derived)
            else:
                scope.findings += derived
            continue
        scope.fail(
            FLAVOR_TWICE,
            f"flavor {line.flavor} is listed twice on cluster {scope.name}; Kueue takes one quota per flavor",
            line.origin.child("flavor"),
            related=(Label(first.origin.child("flavor"), "listed here first"),),
            help_=("add the two numbers up in one line",),
        )
    return found
