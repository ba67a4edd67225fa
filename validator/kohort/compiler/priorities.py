"""Priorities: a WorkloadPriorityClass for Kueue's queues, and a PriorityClass where pods need one of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kohort.compiler.make import KUEUE, Entries, make
from kohort.compiler.scope import Scope
from kohort.objects.kube import KubeObject


def priorities(scope: Scope) -> Iterator[KubeObject]:
    """All priorities on every cluster, so that a workload may move.

    A PriorityClass is never the global default: that would also raise system pods without a class (mlbatch.md 1.3).
    The declared default is written into workloads instead.
    """
    for name in sorted(scope.repo.priorities):
        priority = scope.repo.priorities[name]
        entries: Entries = {("value",): (priority.at("spec", "value"), "")}
        body: dict[str, Any] = {"value": priority.value}
        if priority.description:
            body["description"] = priority.description
        yield make(KUEUE, "WorkloadPriorityClass", name, priority.at(), body, entries=entries)
        if priority.pods:
            pods = {**body, "preemptionPolicy": priority.pod_preemption}
            yield make("scheduling.k8s.io/v1", "PriorityClass", name, priority.at(), pods, entries=entries)


def default_priority(scope: Scope) -> str:
    """The priority of workloads that name none: the first by name that is declared the default, or empty."""
    return next((n for n in sorted(scope.repo.priorities) if scope.repo.priorities[n].default), "")
