"""`topologyAssignment` of a status: the lowest domains of the pods, with how many are in each.

Source: Kueue 0.19.1 Workload v1beta2 (`slices`, compressed by prefix, suffix and roots) and v1beta1 (`domains`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

Domains = tuple[tuple[tuple[str, ...], int], ...]

_MOST: Final = 100_000


def read_domains(value: Any) -> Domains:
    """Values and pods per domain; what is malformed is left out."""
    if not isinstance(value, Mapping):
        return ()
    found: list[tuple[tuple[str, ...], int]] = []
    for each in _mappings(value.get("domains")):
        values, count = each.get("values"), each.get("count")
        if isinstance(values, list) and isinstance(count, int) and count > 0:
            found.append((tuple(str(text) for text in values), count))
    for each in _mappings(value.get("slices")):
        size = each.get("domainCount")
        if not isinstance(size, int) or not 0 < size <= _MOST - len(found):
            continue
        columns = [_column(level, size) for level in _mappings(each.get("valuesPerLevel"))]
        counts = _counts(each.get("podCounts"), size)
        if columns and counts and all(len(column) == size for column in columns):
            found += [
                (tuple(column[i] for column in columns), counts[i]) for i in range(size) if counts[i] > 0
            ]
    return tuple(found)


def _column(level: Mapping[str, Any], size: int) -> list[str]:
    """The values of one level, one per domain."""
    universal, individual = level.get("universal"), level.get("individual")
    if isinstance(universal, str):
        return [universal] * size
    if not isinstance(individual, Mapping) or not isinstance(individual.get("roots"), list):
        return []
    prefix, suffix = individual.get("prefix") or "", individual.get("suffix") or ""
    return [f"{prefix}{root}{suffix}" for root in individual["roots"]]


def _counts(value: Any, size: int) -> list[int]:
    if not isinstance(value, Mapping):
        return []
    universal, individual = value.get("universal"), value.get("individual")
    if isinstance(universal, int):
        return [universal] * size
    if (
        isinstance(individual, list)
        and len(individual) == size
        and all(isinstance(n, int) for n in individual)
    ):
        return individual
    return []


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    return (each for each in (value if isinstance(value, list) else ()) if isinstance(each, Mapping))
