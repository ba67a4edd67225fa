"""Whether a value reads as a PodSpec: AppWrapper converts it strictly, but asks for no more than field types.

Source: AppWrapper 1.2.2 `GetPodTemplateSpec` (strict conversion of unstructured content): unknown fields and wrong types
are refused; required fields, words of enums and lengths are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.configuration.decode import shown
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.schema import SchemaNode, table_for
from kohort.objects.schema.node import ARRAY, BOOLEAN, INT_OR_STRING, INTEGER, OBJECT
from kohort.spans import Path

_DEEPEST = 64
Wrong = tuple[Path, str, tuple[str, ...]]


@cache
def _node() -> SchemaNode | None:
    """The schema of a pod's spec, as Kueue's newest Workload holds it."""
    node = table_for("kueue.x-k8s.io/v1beta2", "Workload", "0.19")
    for step in ("spec", "podSets", "template", "spec"):
        node = node.fields.get(step) if node is not None else None
        if node is not None and node.type == ARRAY:
            node = node.items
    return node


def unreadable(spec: Mapping[str, Any]) -> list[Wrong]:
    """Every place of a PodSpec that the conversion refuses: path, what is wrong, what may be meant."""
    node = _node()
    return list(_visit(spec, node, ())) if node is not None else []


def _visit(value: Any, node: SchemaNode, path: Path) -> Iterator[Wrong]:
    if value is None or len(path) > _DEEPEST:
        return
    if node.type == OBJECT:
        if not isinstance(value, Mapping):
            yield path, f"must be a mapping, not {shown(value)}", ()
            return
        for key, item in value.items():
            part = node.fields.get(key) or node.entries
            if part is not None:
                yield from _visit(item, part, (*path, key))
            elif not node.preserve:
                close = did_you_mean(str(key), node.fields)
                helps = (f"did you mean {' or '.join(close)}?",) if close else ()
                yield (*path, str(key)), f'unknown field "{str(key)[:60]}"', helps
    elif node.type == ARRAY:
        if not isinstance(value, list):
            yield path, f"must be a list, not {shown(value)}", ()
        elif node.items is not None:
            for index, item in enumerate(value):
                yield from _visit(item, node.items, (*path, index))
    else:
        wrong = _scalar(value, node)
        if wrong:
            yield path, wrong, ()


def _scalar(value: Any, node: SchemaNode) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if node.type == INTEGER:
        return "" if number else f"must be a whole number, not {shown(value)}"
    if node.type == BOOLEAN:
        return "" if isinstance(value, bool) else f"must be true or false, not {shown(value)}"
    if node.type != INT_OR_STRING:
        return "" if isinstance(value, str) else f"must be text, not {shown(value)}; write it in quotes"
    if not number and not isinstance(value, str):
        return f"must be a number or text, not {shown(value)}"
    if node.quantity:
        try:
            Quantity.parse(value)
        except QuantityError as error:
            return error.reason
    return ""
