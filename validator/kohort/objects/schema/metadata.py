"""What the API server checks in the metadata of an object on create.

Source: apimachinery 0.36 `api/validation` and `meta/v1/validation`, apiserver 0.36 `registry/rest` and the
storage layer (resourceVersion). Names of all Kueue kinds and of AppWrapper are RFC 1123 subdomains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kohort.objects.names import dns_label, dns_subdomain, label_key, label_value
from kohort.objects.schema import say
from kohort.objects.schema.object_meta import OBJECT_META
from kohort.objects.schema.quick import certainly_right
from kohort.objects.schema.report import json_key, visit
from kohort.objects.schema.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kohort.objects.schema.violation import Path

ANNOTATIONS_MAX: Final = 256 * 1024  # bytes of all keys and values
_ORPHAN: Final = "orphan"
_FOREGROUND: Final = "foregroundDeletion"


def check_metadata(obj: Mapping[str, Any], *, namespaced: bool) -> list[Violation]:
    """What the API server has against `metadata` of `obj` on create, with strict field validation.

    Args:
        obj: the whole object as plain values.
        namespaced: whether objects of its kind live in a namespace. Then a missing `metadata.namespace` is a
            violation "required"; a client such as kubectl would put its current namespace there.
            A namespace on a kind without namespaces is no violation: the server removes it.

    Returns:
        Violations whose paths start with "metadata".
    """
    meta = obj.get("metadata")
    path: Path = ("metadata",)
    if meta is None:
        meta = {}
    if not isinstance(meta, dict):
        message = f"must be a mapping, not {say.found(meta)}"
        return [Violation(path, "wrong-type", message, meta)]
    out = [*types(meta, path), *_names(meta, path), *common(meta, path)]
    if namespaced:
        space = _text(meta, "namespace")
        if space is None:
            out.append(Violation((*path, "namespace"), "required", "is required for this kind", None))
        elif space:
            out.extend(_judged(space, dns_label, (*path, "namespace")))
    version = _text(meta, "resourceVersion")
    if version and version.isascii() and version.isdigit() and int(version[:20]):
        message = "must not be set on an object that is created"
        out.append(Violation((*path, "resourceVersion"), "forbidden", message, version))
    return out


def types(meta: Mapping[str, Any], path: Path) -> list[Violation]:
    """Unknown fields and values of a wrong type anywhere in a metadata mapping."""
    if certainly_right(meta, OBJECT_META):
        return []
    out: list[Violation] = []
    visit(meta, OBJECT_META, path, out, _nothing_embedded)
    return out


def _nothing_embedded(_value: Mapping[str, Any], _path: Path) -> list[Violation]:
    return []


def common(meta: Mapping[str, Any], path: Path) -> list[Violation]:
    """Labels, annotations, finalizers and owners: the same for objects and embedded objects."""
    if len(meta) == 1 and "name" in meta:
        return []
    return [
        *_labels(meta.get("labels"), (*path, "labels")),
        *_annotations(meta.get("annotations"), (*path, "annotations")),
        *_finalizers(meta.get("finalizers"), (*path, "finalizers")),
        *_owners(meta.get("ownerReferences"), (*path, "ownerReferences")),
    ]


def _names(meta: Mapping[str, Any], path: Path) -> list[Violation]:
    out: list[Violation] = []
    prefix = _text(meta, "generateName")
    if prefix:
        # The generated name continues the prefix, so a prefix may end with a dash.
        tried = f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix
        out.extend(_judged(tried, dns_subdomain, (*path, "generateName"), prefix))
    name = _text(meta, "name")
    if name:
        out.extend(_judged(name, dns_subdomain, (*path, "name")))
    elif not prefix and name is not None:
        out.append(Violation((*path, "name"), "required", "must not be empty", name))
    elif not prefix and meta.get("name") is None:
        out.append(Violation((*path, "name"), "required", "is required", None))
    return out


def _text(meta: Mapping[str, Any], name: str) -> str | None:
    value = meta.get(name)
    return value if isinstance(value, str) else None


def _judged(
    text: str, grammar: Callable[[str], str | None], path: Path, written: str | None = None
) -> list[Violation]:
    wrong = grammar(text)
    if wrong is None:
        return []
    value = text if written is None else written
    return [Violation(path, "pattern", f'"{say.shortened(value)}" is no valid name: {wrong}', value)]


def _labels(labels: Any, path: Path) -> list[Violation]:
    out: list[Violation] = []
    for key, value in _entries(labels):
        name = json_key(key)
        wrong = label_key(name)
        if wrong:
            message = f'the key "{say.shortened(name)}" is no valid label key: {wrong}'
            out.append(Violation((*path, key), "pattern", message, key))
        wrong = label_value(value) if isinstance(value, str) else None
        if wrong:
            message = f'"{say.shortened(value)}" is no valid label value: {wrong}'
            out.append(Violation((*path, key), "pattern", message, value))
    return out


def _annotations(annotations: Any, path: Path) -> list[Violation]:
    out: list[Violation] = []
    size = 0
    for key, value in _entries(annotations):
        name = json_key(key)
        size += _bytes(name) + (_bytes(value) if isinstance(value, str) else 0)
        wrong = label_key(name.lower())
        if wrong:
            message = f'the key "{say.shortened(name)}" is no valid annotation key: {wrong}'
            out.append(Violation((*path, key), "pattern", message, key))
    if size > ANNOTATIONS_MAX:
        message = f"must have at most {ANNOTATIONS_MAX} bytes in all keys and values, has {size}"
        out.append(Violation(path, "too-long", message, annotations, limit=ANNOTATIONS_MAX))
    return out


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _entries(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _finalizers(finalizers: Any, path: Path) -> list[Violation]:
    if not isinstance(finalizers, list):
        return []
    out: list[Violation] = []
    for index, name in enumerate(finalizers):
        if isinstance(name, str):
            out.extend(_judged(name, label_key, (*path, index)))
    if _ORPHAN in finalizers and _FOREGROUND in finalizers:
        message = f'must not contain both "{_ORPHAN}" and "{_FOREGROUND}"'
        out.append(Violation(path, "forbidden", message, finalizers))
    return out


def _owners(owners: Any, path: Path) -> list[Violation]:
    if not isinstance(owners, list):
        return []
    out: list[Violation] = []
    controllers = 0
    for index, owner in enumerate(owners):
        if not isinstance(owner, dict):
            continue
        here = (*path, index)
        api_version = owner.get("apiVersion")
        out.extend(
            Violation((*here, name), "required", "must not be empty", owner.get(name))
            for name in ("apiVersion", "kind", "name", "uid")
            if owner.get(name) in (None, "")
        )
        if isinstance(api_version, str) and api_version and _no_version(api_version):
            out.append(Violation((*here, "apiVersion"), "pattern", "must name a version", api_version))
        if api_version == "v1" and owner.get("kind") == "Event":
            out.append(Violation(here, "forbidden", "an Event cannot be an owner", owner))
        controllers += owner.get("controller") is True
        if owner.get("controller") is True and controllers == 2:
            message = "only one owner may be the controller"
            out.append(Violation((*here, "controller"), "duplicate", message, value=True))
    return out


def _no_version(api_version: str) -> bool:
    return api_version.endswith("/") or api_version.count("/") > 1
