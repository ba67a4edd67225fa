"""Names that occur twice inside one declaration.

Two lines of one flavor, and slack that meets in one queue, are the compiler's findings: they depend on the cluster.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from kohort.diagnostics import Finding, Label
from kohort.model.codes import finding
from kohort.model.repo import (
    ClusterDecl,
    Declared,
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
        case ClusterDecl():
            yield [(p.name, f"node pool {p.name}", (*p.path, "name")) for p in declaration.pools]
            yield [
                ((o.flavor, o.resource), f"overcommit of {o.flavor} {o.resource}".rstrip(), o.path)
                for o in declaration.overcommit
            ]
        case TopologyDecl():
            yield [
                (level, f"level {level}", ("spec", "levels", i)) for i, level in enumerate(declaration.levels)
            ]
        case WorkloadTemplate():
            yield [(p.name, f"parameter {p.name}", (*p.path, "name")) for p in declaration.parameters]
