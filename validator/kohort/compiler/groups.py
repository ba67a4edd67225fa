"""Resource groups of a queue or cohort from its derived lines.

A resource may stand in one group only, and all flavors of a group list the same resources in the same order
(kueue.md 2.1, 2.2). So lines whose resources overlap share a group; where a flavor's nodes lack a resource of the
group, its quota is 0. Resources are sorted, flavors keep the order of preference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from kohort.dataclass import dataclass
from kohort.model.derive import DerivedLine
from kohort.spans import Origin, Path


@dataclass(slots=True)
class Groups:
    """`spec.resourceGroups`, and where each number comes from."""

    value: list[dict[str, Any]] = field(default_factory=list)
    entries: dict[Path, tuple[Origin, str]] = field(default_factory=dict)


def resource_groups(lines: Sequence[DerivedLine], *, limits: bool) -> Groups:
    """The groups in order of their first flavor; `limits`: whether borrowing and lending are stated."""
    groups = Groups()
    for members in _overlapping(lines):
        covered = sorted({resource for line in members for resource in line.covered})
        at: Path = ("spec", "resourceGroups", len(groups.value), "flavors")
        flavors = [
            {"name": line.flavor, "resources": _resources(groups, line, covered, (*at, i), limits)}
            for i, line in enumerate(members)
        ]
        groups.value.append({"coveredResources": covered, "flavors": flavors})
    return groups


def _overlapping(lines: Sequence[DerivedLine]) -> list[list[DerivedLine]]:
    """Lines in sets that share no resource, each in the given order."""
    sets: list[tuple[set[str], list[int]]] = []
    for index, line in enumerate(lines):
        resources, members = set(line.covered), [index]
        apart = []
        for other in sets:
            if other[0].isdisjoint(resources):
                apart.append(other)
            else:
                resources |= other[0]
                members += other[1]
        sets = [*apart, (resources, sorted(members))]
    return [[lines[i] for i in members] for members in sorted(members for _, members in sets)]


def _resources(
    groups: Groups, line: DerivedLine, covered: list[str], at: Path, limits: bool
) -> list[dict[str, str]]:
    here = line.line.origin
    groups.entries[at] = (here, "")
    limited = [("borrowingLimit", line.borrow), ("lendingLimit", line.lend)] if limits else []
    found = []
    for r, resource in enumerate(covered):
        amount = line.guarantee.get(resource)
        place = (*at, "resources", r)
        if amount is None:
            found.append({"name": resource, "nominalQuota": "0"})
            groups.entries[place] = (here, f"0, since nodes of {line.flavor} have no {resource}")
            continue
        entry = {"name": resource, "nominalQuota": amount.value.canonical()}
        groups.entries[place] = (amount.origin, amount.arithmetic)
        for name, amounts in limited:
            # Absent is Kueue's word for no limit.
            if amounts is not None:
                limit = amounts[resource]
                entry[name] = limit.value.canonical()
                groups.entries[*place, name] = (limit.origin, limit.arithmetic)
        found.append(entry)
    return found
