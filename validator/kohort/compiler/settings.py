"""Settings of a cluster with their defaults filled in, where several parts of the compiler need them."""

from __future__ import annotations

from typing import Final

from kohort.compiler.job_kinds import APPWRAPPER
from kohort.compiler.scope import Scope

_COUNTED_BY_ALL: Final = frozenset({"cpu", "memory", "pods", "ephemeral-storage"})


def frameworks(scope: Scope) -> tuple[str, ...]:
    """Job frameworks that Kueue integrates with: as declared, else batch jobs and AppWrappers where installed."""
    declared = scope.decl.kueue.frameworks
    if declared:
        return tuple(sorted(set(declared)))
    return ("batch/job", APPWRAPPER) if has_appwrapper(scope) else ("batch/job",)


def has_appwrapper(scope: Scope) -> bool:
    """Whether AppWrapper runs on the cluster: its version is declared."""
    return bool(scope.decl.versions.get("appwrapper"))


def own_scheduler(scope: Scope) -> bool:
    """Whether a second scheduler packs GPU pods or starts gangs together."""
    return scope.decl.scheduling.packing or scope.decl.scheduling.gangs


def accelerators(scope: Scope) -> tuple[str, ...]:
    """Resources that count accelerators on this cluster: the pools' own, and their devices. Sorted."""
    found = set[str]()
    for pool in scope.decl.pools:
        found.update(pool.share)
        if pool.accelerator:
            found.add(pool.accelerator)
    return tuple(sorted(found - _COUNTED_BY_ALL))
