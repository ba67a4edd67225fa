"""The part of validation about device classes (dynamic resource allocation)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.objects.configuration.document import Document, items, mapping, text
from kohort.objects.configuration.fault import Fault
from kohort.objects.names import SUBDOMAIN_MAX, dns_label, dns_subdomain, label_key
from kohort.spans import Path

_LIST: Final = ("resources", "deviceClassMappings")
_MOST_MAPPINGS: Final = 16
_MOST_CLASSES: Final = 8
_LONGEST_DRIVER: Final = 63
_LONGEST_ID: Final = 32
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PAIR: Final = 2


def check_device_classes(document: Document) -> Iterator[Fault]:
    """Names, numbers, one resource per class (or one per counter of it), sources behind their gates."""
    entries = [mapping(entry) for entry in items(document.at(*_LIST))]
    if len(entries) > _MOST_MAPPINGS:
        yield Fault(_LIST, "value", f"Too many: {len(entries)}: must have at most {_MOST_MAPPINGS} items")
    names: set[str] = set()
    owners: dict[str, str] = {}
    counters: dict[str, set[str]] = {}
    for index, entry in enumerate(entries):
        path: Path = (*_LIST, index)
        name = text(entry.get("name"))
        yield from _name(name, (*path, "name"))
        if name in names:
            yield Fault((*path, "name"), "value", f'Duplicate value: "{name[:80]}"')
        names.add(name)
        classes = [text(item) for item in items(entry.get("deviceClassNames"))]
        yield from _classes(classes, (*path, "deviceClassNames"))
        counter = _first_counter(entry) if document.since(0, 18) else ""
        for number, item in enumerate(classes):
            owner = owners.setdefault(item, name)
            known = counters.setdefault(item, {counter} - {""}) if owner == name else counters[item]
            if owner == name:
                continue
            at = (*path, "deviceClassNames", number)
            if not counter or not known:
                yield Fault(at, "value", f"device class already mapped to resource {owner}")
            elif counter in known:
                yield Fault(at, "value", f'device class already has a counter source for counter "{counter}"')
            else:
                known.add(counter)
        yield from _sources(document, items(entry.get("sources")), (*path, "sources"))


def _name(name: str, path: Path) -> Iterator[Fault]:
    wrong = label_key(name)
    if wrong:
        yield Fault(path, "value", f'Invalid value: "{name[:80]}": {wrong}')
    elif len(name) > SUBDOMAIN_MAX:
        yield Fault(path, "value", f"must not exceed {SUBDOMAIN_MAX} characters")


def _classes(classes: list[str], path: Path) -> Iterator[Fault]:
    if not classes:
        yield Fault(path, "value", "Required value: at least one device class name is required")
    if len(classes) > _MOST_CLASSES:
        yield Fault(path, "value", f"Too many: {len(classes)}: must have at most {_MOST_CLASSES} items")
    for index, name in enumerate(classes):
        yield from _name(name, (*path, index))
        if name in classes[:index]:
            yield Fault((*path, index), "value", f'Duplicate value: "{name[:80]}"')


def _first_counter(entry: Mapping[str, Any]) -> str:
    sources = items(entry.get("sources"))
    return text(mapping(mapping(sources[0]).get("counter")).get("name")) if sources else ""


def _sources(document: Document, sources: list[Any], path: Path) -> Iterator[Fault]:
    kinds: set[str] = set()
    for index, source in enumerate(sources):
        at = (*path, index)
        given = [kind for kind in ("counter", "capacity") if mapping(source).get(kind) is not None]
        if len(given) != 1:
            yield Fault(at, "value", "exactly one source type must be set per entry")
            continue
        kind = given[0]
        kinds.add(kind)
        gate = f"KueueDRAIntegration{'PartitionableDevices' if kind == 'counter' else 'ConsumableCapacity'}"
        if not document.gate(gate):
            yield Fault((*at, kind), "value", f"{kind} sources require {gate} to be enabled")
            continue
        yield from _source(mapping(mapping(source).get(kind)), kind, (*at, kind))
    if len(kinds) > 1:
        yield Fault(path, "value", "cannot mix counter and capacity sources in the same mapping")


def _source(source: Mapping[str, Any], kind: str, path: Path) -> Iterator[Fault]:
    name, driver = text(source.get("name")), text(source.get("driver"))
    wrong = dns_label(name) if kind == "counter" else _qualified(name)
    if wrong:
        yield Fault((*path, "name"), "value", f'Invalid value: "{name[:80]}": {wrong}')
    wrong = dns_subdomain(driver) or (
        f"must not exceed {_LONGEST_DRIVER} characters" if len(driver) > _LONGEST_DRIVER else None
    )
    if wrong:
        yield Fault((*path, "driver"), "value", f'Invalid value: "{driver[:80]}": {wrong}')
    if not text(mapping(mapping(source.get("deviceSelector")).get("cel")).get("expression")):
        yield Fault((*path, "deviceSelector", "cel", "expression"), "value", "Required value")


def _qualified(name: str) -> str | None:
    """`identifier` or `domain/identifier`; a third part is not looked at."""
    parts = name.split("/")
    if len(parts) > _PAIR:
        return None
    if len(parts) == _PAIR and dns_subdomain(parts[0].lower()):
        return "the domain must be a DNS name"
    if len(parts[-1]) > _LONGEST_ID or not _IDENTIFIER.fullmatch(parts[-1]):
        return f"a name is a C identifier of at most {_LONGEST_ID} characters"
    return None
