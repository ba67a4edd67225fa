"""Whole Kubernetes objects inside an object: the components of an AppWrapper.

Source: apiextensions-apiserver 0.36 `schema/objectmeta` (fields marked x-kubernetes-embedded-resource).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kohort.objects.names import dns_label, rfc1035_label
from kohort.objects.schema import say
from kohort.objects.schema.metadata import common, types
from kohort.objects.schema.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kohort.objects.schema.violation import Path

_NOT_IN_PATHS: Final = ("/", "%")


def check_embedded(value: Mapping[str, Any], path: Path) -> list[Violation]:
    """Type and metadata of an embedded object at `path`; what is inside of it is not looked at."""
    return [*_api_version(value, path), *_kind(value, path), *_metadata(value, (*path, "metadata"))]


def _api_version(value: Mapping[str, Any], path: Path) -> list[Violation]:
    here = (*path, "apiVersion")
    if "apiVersion" not in value:
        return [Violation(here, "required", "is required", None)]
    text = value["apiVersion"]
    if not isinstance(text, str):
        return [Violation(here, "wrong-type", f"must be text, not {say.found(text)}", text)]
    if not text:
        return [Violation(here, "too-short", "must not be empty", text, limit=1)]
    if text.count("/") > 1:
        return [Violation(here, "pattern", f'"{say.shortened(text)}" must be group/version', text)]
    return []


def _kind(value: Mapping[str, Any], path: Path) -> list[Violation]:
    here = (*path, "kind")
    if "kind" not in value:
        return [Violation(here, "required", "is required", None)]
    text = value["kind"]
    if not isinstance(text, str):
        return [Violation(here, "wrong-type", f"must be text, not {say.found(text)}", text)]
    if not text:
        return [Violation(here, "too-short", "must not be empty", text, limit=1)]
    wrong = rfc1035_label(text.lower())
    return [Violation(here, "pattern", f'"{say.shortened(text)}" is no kind: {wrong}', text)] if wrong else []


def _metadata(value: Mapping[str, Any], path: Path) -> list[Violation]:
    meta = value.get("metadata")
    if meta is None:
        return []
    if not isinstance(meta, dict):
        return [Violation(path, "wrong-type", f"must be a mapping, not {say.found(meta)}", meta)]
    out = [*types(meta, path), *common(meta, path)]
    for name in ("name", "generateName"):
        text = meta.get(name)
        wrong = _not_a_path_segment(text, whole=name == "name") if isinstance(text, str) else ""
        if wrong:
            out.append(Violation((*path, name), "pattern", wrong, text))
    out.extend(_managed(meta.get("managedFields"), (*path, "managedFields")))
    generation = meta.get("generation")  # the server overwrites that of the object itself, not this one
    if type(generation) is int and generation < 0:
        message = "must not be negative"
        out.append(Violation((*path, "generation"), "minimum", message, generation, limit=0))
    space = meta.get("namespace")
    wrong_space = dns_label(space) if isinstance(space, str) and space else None
    if wrong_space:
        message = f'"{say.shortened(str(space))}" is no valid name: {wrong_space}'
        out.append(Violation((*path, "namespace"), "pattern", message, space))
    return out


def _managed(entries: Any, path: Path) -> list[Violation]:
    """Entries of managedFields; those of the object itself are replaced by the server, these are not."""
    out: list[Violation] = []
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        if not isinstance(entry, dict):
            continue
        if entry.get("operation") not in ("Apply", "Update"):
            message = 'must be "Apply" or "Update"'
            out.append(Violation((*path, index, "operation"), "enum", message, entry.get("operation")))
        if entry.get("fieldsType") not in (None, "", "FieldsV1"):
            message = 'must be "FieldsV1"'
            out.append(Violation((*path, index, "fieldsType"), "enum", message, entry["fieldsType"]))
    return out


def _not_a_path_segment(text: str, *, whole: bool) -> str:
    if whole and text in (".", ".."):
        return f'must not be "{text}"'
    for char in _NOT_IN_PATHS:
        if char in text:
            return f'must not contain "{char}"'
    return ""
