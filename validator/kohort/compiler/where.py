"""Provenance in both directions: what a line of source became, and why a line of compiled output says what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml

from kohort.compiler.bundle import Bundle
from kohort.compiler.emit import emit
from kohort.objects.kube import Derived, KubeObject
from kohort.spans import Origin, Path

_AMOUNT: Final = "nominalQuota"
_LIMITS: Final = frozenset({"borrowingLimit", "lendingLimit"})
_FROM_SHAPE: Final = re.compile(r"per node|\bnodes? ×")  # in arithmetic that takes a node's shape


@dataclass(frozen=True, slots=True)
class Place:
    """A field of a compiled object: where it is written, what it says, what decides it and by which arithmetic.

    `value` is the scalar at `path`, None where the path leads to a mapping or list.
    """

    cluster: str
    file: str
    obj: KubeObject
    path: Path
    value: Any
    origin: Origin
    arithmetic: str


def compiled_from(bundle: Bundle, origin: Origin) -> tuple[Place, ...]:
    """What a place of the source became, in order of file and object.

    Fields that exactly this value (or a part of it) decides; where there are none, those of the nearest value around
    it that decides any.
    """
    found: dict[int, list[Place]] = {}
    inside: list[Place] = []
    for cluster, file, obj, provenance in _compiled(bundle):
        for prefix, (source, reason) in provenance.entries.items():
            if (source.file, source.document) != (origin.file, origin.document):
                continue
            # The number itself, where a whole entry of quota is named.
            path = prefix if obj.get(*prefix, _AMOUNT) is None else (*prefix, _AMOUNT)
            place = Place(cluster, file, obj, path, _scalar(obj, path), source, reason)
            if source.path[: len(origin.path)] == origin.path:
                inside.append(place)
            elif origin.path[: len(source.path)] == source.path:
                found.setdefault(len(source.path), []).append(place)
    return tuple(inside or (found[max(found)] if found else ()))


def derived_quota(bundle: Bundle, cluster: str, flavor: str, resource: str) -> tuple[Place, ...]:
    """Amounts of a flavor on a cluster that are computed from its node pools: of one resource, or of all (empty text).

    Quotas and limits alike; what was typed as an amount of its own takes nothing from a pool.
    """
    found = []
    for name, file, obj, provenance in _compiled(bundle):
        if name != cluster:
            continue
        for prefix, (source, reason) in provenance.entries.items():
            if not _FROM_SHAPE.search(reason):
                continue
            entry = prefix[:-1] if prefix[-1:] and prefix[-1] in _LIMITS else prefix
            amount = (*prefix, _AMOUNT) if entry is prefix else prefix
            of_flavor = entry[-2:-1] == ("resources",) and obj.get(*entry[:-2], "name") == flavor
            if of_flavor and resource in {"", obj.get(*entry, "name")} and obj.get(*amount) is not None:
                found.append(Place(name, file, obj, amount, _scalar(obj, amount), source, reason))
    return tuple(found)


def place_in(bundle: Bundle, file: str, line: int) -> Place | None:
    """The field at a line (from 1) of a compiled file, None for the header, a separator or a file not compiled."""
    for cluster, built in bundle.clusters.items():
        objects = built.files.get(file)
        if objects is None:
            continue
        documents = list(yaml.compose_all(emit(objects), yaml.CSafeLoader))
        for obj, node in zip(reversed(objects), reversed(documents), strict=True):
            if node.start_mark.line < line:
                path = tuple(_steps(node, line - 1))
                origin = obj.at(*path)
                return Place(
                    cluster, file, obj, path, _scalar(obj, path), origin, obj.provenance.arithmetic(path)
                )
    return None


class Lines:
    """Lines of compiled fields; each file is written and read once."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._files: dict[str, list[yaml.Node]] = {}

    def of(self, place: Place) -> int:
        """The line, from 1, at which a field begins: that of its key, or of the dash of a list entry."""
        objects = self._bundle.clusters[place.cluster].files[place.file]
        if place.file not in self._files:
            self._files[place.file] = list(yaml.compose_all(emit(objects), yaml.CSafeLoader))
        number = next(i for i, obj in enumerate(objects) if obj is place.obj)
        node = self._files[place.file][number]
        line: int = node.start_mark.line
        for step in place.path:
            found = _entry(node, step)
            if found is None:
                break
            line, node = found
        return line + 1


def _entry(node: yaml.Node, step: str | int) -> tuple[int, yaml.Node] | None:
    """Line (from 0) and value of a step below a node."""
    if isinstance(node, yaml.MappingNode):
        return next(((k.start_mark.line, v) for k, v in node.value if k.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark.line, node.value[step]
    return None


def _compiled(bundle: Bundle) -> Iterator[tuple[str, str, KubeObject, Derived]]:
    for cluster, built in bundle.clusters.items():
        for file, objects in built.files.items():
            for obj in objects:
                if isinstance(obj.provenance, Derived):
                    yield cluster, file, obj, obj.provenance


def _scalar(obj: KubeObject, path: Path) -> Any:
    value = obj.get(*path)
    return None if isinstance(value, (dict, list)) else value


def _steps(node: yaml.Node, line: int) -> Iterator[str | int]:
    """The way down to the innermost value that has begun at a line (from 0)."""
    while node.start_mark.line <= line:
        if isinstance(node, yaml.MappingNode):
            begun = [(key, value) for key, value in node.value if key.start_mark.line <= line]
            if not begun:
                return
            key, node = begun[-1]
            yield str(key.value)
        elif isinstance(node, yaml.SequenceNode):
            index = max((i for i, item in enumerate(node.value) if item.start_mark.line <= line), default=-1)
            if index < 0:
                return
            yield index
            node = node.value[index]
        else:
            return
