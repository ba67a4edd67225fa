"""The verdict in detail: every violation of an object, as the API server finds them on create.

Source of the behaviour: Kubernetes 1.36, apiextensions-apiserver (pruning with strict field validation, null
handling, list types) and kube-openapi's validation. Order: the order of the object's own keys; missing
fields after the present ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kohort.objects.schema import say
from kohort.objects.schema.node import ARRAY, BOOLEAN, INT_OR_STRING, INTEGER, OBJECT
from kohort.objects.schema.scalar import boolean, int_or_string, integer, string
from kohort.objects.schema.unique import repeated
from kohort.objects.schema.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kohort.objects.schema.node import SchemaNode
    from kohort.objects.schema.violation import Path

Embedded: TypeAlias = "Callable[[Mapping[str, Any], Path], list[Violation]]"

_META: Final = frozenset({"apiVersion", "kind", "metadata"})


def visit(value: Any, node: SchemaNode, path: Path, out: list[Violation], embedded: Embedded) -> None:
    """Append the violations of a value.

    Args:
        value: the value, not null.
        node: its schema.
        path: where it stands.
        out: the list that grows.
        embedded: judges type and metadata of a whole object inside the object.
    """
    if node.type == OBJECT:
        if isinstance(value, dict):
            _object(value, node, path, out, embedded)
        else:
            _mismatch(value, node, path, out)
    elif node.type == ARRAY:
        if isinstance(value, list):
            _array(value, node, path, out, embedded)
        else:
            _mismatch(value, node, path, out)
    elif isinstance(value, (dict, list)):
        _mismatch(value, node, path, out)
    elif node.unjudged and not node.decoded:
        return
    elif node.type == INTEGER:
        integer(value, node, path, out)
    elif node.type == BOOLEAN:
        boolean(value, node, path, out)
    elif node.type == INT_OR_STRING:
        int_or_string(value, node, path, out)
    else:
        string(value, node, path, out)


def _mismatch(value: Any, node: SchemaNode, path: Path, out: list[Violation]) -> None:
    """A value of another shape than the schema; in a part that is thrown away only names inside it matter."""
    if node.unjudged and not node.decoded and not _has_names(value, 0):
        return
    message = f"must be {say.expected(node)}, not {say.found(value)}"
    if node.type == OBJECT and isinstance(value, list):
        message += "; remove the dash" if len(value) == 1 else ""
    out.append(Violation(path, "wrong-type", message, value))


_DEEPEST: Final = 100


def _has_names(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and depth < _DEEPEST and any(_has_names(part, depth + 1) for part in value)


def _object(
    value: Mapping[Any, Any], node: SchemaNode, path: Path, out: list[Violation], embedded: Embedded
) -> None:
    present: set[str] = set()
    for key, part in value.items():
        name = key if isinstance(key, str) else json_key(key)
        if node.root and name in _META:
            continue
        sub = node.fields.get(name, node.entries)
        here = (*path, key)
        if sub is None:
            if node.preserve or (node.embedded and name in _META):
                present.add(name)
            else:
                out.append(_unknown(name, part, node, here))
            continue
        if part is None and not sub.nullable:
            if sub.has_default:
                present.add(name)
            continue  # the API server drops the null, and fills in the default if there is one
        present.add(name)
        if part is not None:
            visit(part, sub, here, out, embedded)
    if node.embedded:
        out.extend(embedded(value, path))
    out.extend(
        Violation((*path, name), "required", "is required", None)
        for name in node.required
        if name not in present and name not in node.filled and not _filled_in(node, name)
    )
    if node.max_entries is not None and len(present) > node.max_entries:
        out.append(_too_many(value, len(present), node.max_entries, "key", path))


def _filled_in(node: SchemaNode, name: str) -> bool:
    sub = node.fields.get(name)
    return sub is not None and sub.has_default


def _unknown(name: str, part: Any, node: SchemaNode, path: Path) -> Violation:
    known = tuple(node.fields)
    if node.root:
        known = ("apiVersion", "kind", "metadata", *known)
    return Violation(path, "unknown-field", f'unknown field "{say.shortened(name)}"', part, allowed=known)


def _array(value: list[Any], node: SchemaNode, path: Path, out: list[Violation], embedded: Embedded) -> None:
    if node.items is not None:
        for index, part in enumerate(value):
            if part is not None:
                visit(part, node.items, (*path, index), out, embedded)
            elif not node.items.nullable and not (node.unjudged and not node.decoded):
                message = f"must be {say.expected(node.items)}, not null"
                out.append(Violation((*path, index), "null", message, None))
    size = len(value)
    if node.min_items is not None and size < node.min_items:
        message = f"must have at least {say.counted(node.min_items, 'item')}, has {size}"
        out.append(Violation(path, "too-few", message, value, limit=node.min_items))
    if node.max_items is not None and size > node.max_items:
        out.append(_too_many(value, size, node.max_items, "item", path))
    if node.list_type and size > 1:
        out.extend(repeated(value, node, path))


def _too_many(value: object, size: int, limit: int, noun: str, path: Path) -> Violation:
    message = f"must have at most {say.counted(limit, noun)}, has {size}"
    return Violation(path, "too-many", message, value, limit=limit)


def json_key(key: object) -> str:
    """How a key that is no text is written in JSON, into which YAML is turned before it is sent."""
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)
