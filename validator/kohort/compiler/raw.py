"""Hand-written manifests: passed through with a wave and sync options where they have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.compiler.make import SOURCE, source_text
from kohort.compiler.scope import Scope
from kohort.compiler.waves import OPTIONS, WAVE, sync_options, wave_of
from kohort.objects.kube import KubeObject


def raw_objects(scope: Scope) -> Iterator[KubeObject]:
    """By kind, namespace and name. Annotations that the user wrote win; nothing else of the object is touched."""
    for obj in sorted(scope.repo.raw.get(scope.name, ()), key=_order):
        yield _annotated(obj)


def _annotated(obj: KubeObject) -> KubeObject:
    given = obj.get("metadata", "annotations")
    notes: dict[Any, Any] = {SOURCE: source_text(obj.at()), WAVE: str(wave_of(obj.kind))}
    options = sync_options(obj.api_version, obj.kind)
    if options:
        notes[OPTIONS] = options
    if isinstance(given, Mapping):
        notes.update(given)
    elif given is not None:
        return obj  # of a wrong shape, which the rules report
    metadata = obj.get("metadata")
    stated = metadata if isinstance(metadata, Mapping) else {}
    data = {**obj.data, "metadata": {**stated, "annotations": notes}}
    return KubeObject(obj.api_version, obj.kind, obj.name, obj.namespace, data, obj.provenance)


def _order(obj: KubeObject) -> tuple[str, str, str, str, int]:
    origin = obj.at()
    return obj.kind, obj.namespace, obj.name, origin.file, origin.document
