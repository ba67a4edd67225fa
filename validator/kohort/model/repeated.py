"""Names that occur twice inside one declaration."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from kohort.diagnostics import Finding, Label
from kohort.model.codes import finding
from kohort.model.repo import (
    ClusterDecl,
    CohortDecl,
    Declared,
    QuotaLine,
    Team,
    TopologyDecl,
    WorkloadTemplate,
)
from kohort.spans import Path

_Entry = tuple[Hashable, str, Path]  # (what must be unique, how people call it, where it stands)


def repeated_entries(declaration: Declared) -> Iterator[Finding]:
    """A finding for every entry whose name an earlier entry of the same list has."""
    for group in _groups(declaration):
        first: dict[Hashable, Path] = {}
        for key, what, path in group:
            if key not in first:
                first[key] = path
                continue
            subject = f"{_kind(declaration)} {declaration.name}"
            yield finding(
                "SRC107",
                f"{subject}: {what} stands there twice; the first counts",
                declaration.at(*path),
                subject=subject,
                related=(Label(declaration.at(*first[key]), "first here"),),
            )


def _kind(declaration: Declared) -> str:
    return type(declaration).__name__.removesuffix("Decl")


def _groups(declaration: Declared) -> Iterator[Iterable[_Entry]]:
    match declaration:
        case Team():
            yield [(q.name, f"queue {q.name}", (*q.path, "name")) for q in declaration.queues]
            yield [
                (n, f"namespace {n}", ("spec", "namespaces", i)) for i, n in enumerate(declaration.namespaces)
            ]
            for queue in declaration.queues:
                for cluster, lines in queue.quota.items():
                    yield _lines(lines, f"queue {queue.name} on {cluster}")
        case ClusterDecl():
            yield [(p.name, f"node pool {p.name}", (*p.path, "name")) for p in declaration.pools]
            yield [
                ((s.cohort, s.flavor), f"slack of {s.flavor} in cohort {s.cohort}", s.path)
                for s in declaration.slack
            ]
            yield [
                ((o.flavor, o.resource), f"overcommit of {o.flavor} {o.resource}".rstrip(), o.path)
                for o in declaration.overcommit
            ]
        case CohortDecl():
            for cluster, share in declaration.clusters.items():
                yield _lines(share.pool, f"the pool on {cluster}")
        case TopologyDecl():
            yield [
                (level, f"level {level}", ("spec", "levels", i)) for i, level in enumerate(declaration.levels)
            ]
        case WorkloadTemplate():
            yield [(p.name, f"parameter {p.name}", (*p.path, "name")) for p in declaration.parameters]


def _lines(lines: Iterable[QuotaLine], where: str) -> list[_Entry]:
    return [(line.flavor, f"flavor {line.flavor} of {where}", (*line.path, "flavor")) for line in lines]
