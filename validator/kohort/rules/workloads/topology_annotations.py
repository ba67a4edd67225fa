"""Topology annotations of a pod template and what the webhook has against them.

Source: Kueue 0.15 to 0.19, `ValidateTASPodSetRequest`, `ValidateSliceSizeAnnotationUpperBound` and
`ValidatePodSetGroupingTopology`; several layers of slices from 0.19 on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from kohort.dataclass import dataclass
from kohort.diagnostics.count import count_of
from kohort.objects.names import label_key, visible
from kohort.objects.podset import PodSet, value_at
from kohort.objects.versions import version_key
from kohort.rules.workloads.job_metadata import truth, whole
from kohort.spans import Path

_PREFIX: Final = "kueue.x-k8s.io/podset-"
REQUIRED: Final = _PREFIX + "required-topology"
PREFERRED: Final = _PREFIX + "preferred-topology"
UNCONSTRAINED: Final = _PREFIX + "unconstrained-topology"
SLICE: Final = _PREFIX + "slice-required-topology"
SIZE: Final = _PREFIX + "slice-size"
LAYERS: Final = _PREFIX + "slice-required-topology-constraints"
GROUP: Final = _PREFIX + "group-name"
_MOST_LAYERS: Final = 3


@dataclass(frozen=True, slots=True)
class Notes:
    """The annotations of one pod set and where they stand."""

    podset: PodSet
    path: Path
    values: Mapping[str, str]


def notes_of(podset: PodSet) -> Notes:
    """The annotations of a pod set's template that are texts."""
    given = value_at(podset.template, ("metadata", "annotations"))
    texts = given.items() if isinstance(given, Mapping) else ()
    values = {key: text for key, text in texts if isinstance(key, str) and isinstance(text, str)}
    return Notes(podset, (*podset.path, "metadata", "annotations"), values)


def wrong(notes: Notes, most: int | None, kueue: str) -> Iterator[tuple[str, str]]:
    """Each annotation that is refused, with the reason; `most` is the number of pods where it is known."""
    values = notes.values
    kinds = [key for key in (REQUIRED, PREFERRED, UNCONSTRAINED) if key in values]
    if len(kinds) > 1:
        yield kinds[1], f"at most one topology annotation is allowed, not {' and '.join(kinds)}"
    for key in (REQUIRED, PREFERRED, SLICE):
        reason = label_key(values[key]) if key in values else None
        if reason:
            yield key, f'{key} "{visible(values[key][:80])}" is no label of nodes: {reason}'
    if UNCONSTRAINED in values and truth(values[UNCONSTRAINED]) is None:
        yield (
            UNCONSTRAINED,
            f'{UNCONSTRAINED} "{visible(values[UNCONSTRAINED][:80])}" is neither true nor false',
        )
    if SIZE in values:
        yield from _size(values[SIZE], most)
    if SLICE in values and SIZE not in values:
        yield SLICE, f"{SLICE} needs {SIZE}"
    if SIZE in values and SLICE not in values:
        yield SIZE, f"{SIZE} needs {SLICE}"
    if GROUP in values:
        yield from _group(values)
    if LAYERS in values and version_key(kueue) >= (0, 19):
        yield from _layers(values, most)


def _size(text: str, most: int | None) -> Iterator[tuple[str, str]]:
    number = whole(text)
    if number is None:
        yield SIZE, f'{SIZE} "{visible(text[:80])}" is no whole number'
    elif number < 1:
        yield SIZE, f"{SIZE} is {number}, below 1"
    elif most is not None and number > most:
        yield SIZE, f"{SIZE} is {number}, above the {count_of(most, 'pod')} of the pod set"


def _group(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    name = values[GROUP]
    if name.isascii() and name.isdigit():
        yield GROUP, f'{GROUP} "{visible(name[:80])}" may not be a number'
    if REQUIRED not in values and PREFERRED not in values:
        yield GROUP, f"{GROUP} needs {REQUIRED} or {PREFERRED}"
    for key in (SLICE, SIZE):
        if key in values:
            yield GROUP, f"{GROUP} may not stand beside {key}"
            return


def _layers(values: Mapping[str, str], most: int | None) -> Iterator[tuple[str, str]]:
    for key in (SLICE, SIZE, GROUP):
        if key in values:
            yield LAYERS, f"{LAYERS} may not stand beside {key}"
            return
    try:
        layers = json.loads(values[LAYERS])
    except (ValueError, RecursionError):
        layers = None
    if not isinstance(layers, list) or not 0 < len(layers) <= _MOST_LAYERS:
        yield LAYERS, f"{LAYERS} must be a JSON list of 1 to {_MOST_LAYERS} levels"
        return
    sizes = [value_at(layer, ("size",)) for layer in layers]
    levels = [value_at(layer, ("topology",)) for layer in layers]
    if not all(isinstance(level, str) and label_key(level) is None for level in levels):
        yield LAYERS, f"{LAYERS}: every level needs `topology`, a label of nodes"
    elif len(set(levels)) < len(levels):
        yield LAYERS, f"{LAYERS} names one level twice"
    elif not all(isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in sizes):
        yield LAYERS, f"{LAYERS}: every level needs `size` from 1"
    elif most is not None and sizes[0] > most:
        yield (
            LAYERS,
            f"{LAYERS}: size {sizes[0]} is above the {count_of(most, 'pod')} of the pod set",
        )
    else:
        for outer, inner in pairwise(sizes):
            if outer % inner:
                yield LAYERS, f"{LAYERS}: size {inner} does not divide {outer} of the level above"
                return


def grouping(name: str, members: Sequence[Notes]) -> Iterator[tuple[Path, str]]:
    """What is wrong with a group of pod sets, told once at its first member."""
    path = (*members[0].path, GROUP)
    start = f'group "{visible(name[:80])}"'
    if len(members) != 2:
        yield path, f"{start} has {count_of(len(members), 'pod set')}; it must have exactly 2"
        return
    one, two = members
    if 1 not in (one.podset.count, two.podset.count):
        counts = f"{one.podset.count} and {two.podset.count}"
        yield path, f"{start} has pod sets of {counts} pods; one of them must have a single pod"
    if any(one.values.get(key) != two.values.get(key) for key in (REQUIRED, PREFERRED)):
        yield path, f"{start}: pod sets {one.podset.name} and {two.podset.name} ask for different topology"
