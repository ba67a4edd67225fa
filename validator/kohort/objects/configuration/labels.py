"""The part of validation about custom labels of metrics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from kohort.objects.configuration.document import Document, items, mapping, text
from kohort.objects.configuration.fault import Fault
from kohort.objects.names import label_key
from kohort.spans import Path

_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")
_MOST: Final = 20
_PER_KIND: Final = {"Workload": 2, "LocalQueue": 6, "ClusterQueue": 6, "Cohort": 6}
_MOST_VALUES: Final = {"Workload": 12}
_VALUES: Final = 16
_LIST: Final = ("metrics", "customLabels")


def check_custom_labels(document: Document) -> Iterator[Fault]:
    """Names, sources and numbers of labels; limits per kind since 0.18."""
    entries = [mapping(entry) for entry in items(document.at(*_LIST))]
    limited = document.since(0, 18)
    if limited and len(entries) > _MOST:
        yield Fault(_LIST, "value", f"Too many: {len(entries)}: must have at most {_MOST} items")
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        name = text(entry.get("name"))
        yield from _label(entry, name, (*_LIST, index))
        if name in seen:
            yield Fault((*_LIST, index, "name"), "value", f'Duplicate value: "{name[:80]}"')
        seen.add(name)
        if limited:
            yield from _values(entry, (*_LIST, index, "trackedValues"))
    kinds = Counter(_source_kind(entry) for entry in entries)
    for kind, count in sorted(kinds.items()) if limited else ():
        most = _PER_KIND.get(kind)
        if most is None:
            yield Fault(_LIST, "value", f"unknown source kind: {kind[:60]}")
        elif count > most:
            message = f"too many custom labels for source kind {kind}: found {count}, expected <= {most}"
            yield Fault(_LIST, "value", message)


def _label(entry: Any, name: str, path: Path) -> Iterator[Fault]:
    if not _NAME.fullmatch(name):
        yield Fault(
            (*path, "name"), "value", f'Invalid value: "{name[:80]}": must match ^[a-zA-Z][a-zA-Z0-9_]*$'
        )
    label, annotation = text(entry.get("sourceLabelKey")), text(entry.get("sourceAnnotationKey"))
    if label and annotation:
        yield Fault(path, "value", "sourceLabelKey and sourceAnnotationKey are mutually exclusive")
    field = "sourceLabelKey" if label else "sourceAnnotationKey" if annotation else "name"
    wrong = label_key(label or annotation or name)
    if wrong and (field != "name" or _NAME.fullmatch(name)):
        yield Fault(
            (*path, field), "value", f'Invalid value: "{(label or annotation or name)[:80]}": {wrong}'
        )


def _values(entry: Any, path: Path) -> Iterator[Fault]:
    values, kind = items(entry.get("trackedValues")), _source_kind(entry)
    most = _MOST_VALUES.get(kind, _VALUES)
    if kind == "Workload" and not values:
        yield Fault(path, "value", "must not be empty when sourceKind is 'Workload'")
    if len(values) > most:
        yield Fault(path, "value", f"Too many: {len(values)}: must have at most {most} items")
    if len(set(map(text, values))) < len(values):
        yield Fault(path, "value", "must not contain duplicates")


def _source_kind(entry: Any) -> str:
    kind = entry.get("sourceKind")
    return kind if isinstance(kind, str) else "ClusterQueue"
