"""A Cohort for every node of the tree that this cluster uses, parents in earlier waves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kohort.compiler.groups import resource_groups
from kohort.compiler.lines import cohort_quota
from kohort.compiler.make import KUEUE, make
from kohort.compiler.scope import Scope
from kohort.compiler.usage import depth, used_cohorts
from kohort.compiler.waves import cohort_wave
from kohort.objects.kube import KubeObject
from kohort.spans import Origin, Path

_DEFAULT_WEIGHT: Final = "1"  # Kueue 0.19.1 CRD


def cohorts(scope: Scope) -> Iterator[KubeObject]:
    """By name. A cohort's own quota and limits are those of this cluster; its place in the tree is everywhere one."""
    for cohort in used_cohorts(scope):
        spec: dict[str, Any] = {}
        entries: dict[Path, tuple[Origin, str]] = {}
        if cohort.parent:
            spec["parentName"] = cohort.parent
            entries["spec", "parentName"] = (cohort.at("spec", "parent"), "")
        if cohort.weight is not None:
            spec["fairSharing"] = {"weight": cohort.weight.canonical()}
            entries["spec", "fairSharing"] = (cohort.at("spec", "weight"), "")
        lines = cohort_quota(scope, cohort)
        if lines:
            groups = resource_groups(lines, limits=bool(cohort.parent))
            spec["resourceGroups"] = groups.value
            entries |= groups.entries
        if not spec:
            # Said in words: a server-side apply that takes the last field away is refused (spec: Invalid value: null).
            spec["fairSharing"] = {"weight": _DEFAULT_WEIGHT}
        wave = cohort_wave(depth(scope, cohort))
        yield make(KUEUE, "Cohort", cohort.name, cohort.at(), {"spec": spec}, wave=wave, entries=entries)
