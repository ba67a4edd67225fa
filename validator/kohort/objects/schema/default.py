"""Structural defaults: what the API server fills in before anything else sees the object."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from kohort.objects.schema.effective import effective
from kohort.objects.schema.node import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kohort.objects.schema.node import SchemaNode


def apply_defaults(value: Mapping[str, Any], table: SchemaNode) -> dict[str, Any]:
    """A new object with the defaults of the schema filled in and the nulls that the API server drops removed.

    Defaults are filled in from the outside in: fields of an object that is itself a default get theirs too.
    Nothing is filled into an absent object, with two exceptions that Kueue's defaulting webhook makes: an
    absent spec of its kinds counts as empty, and an absent nominalQuota of a ClusterQueue is "0". Unknown
    fields and values of a wrong type are kept; other rewriting by that webhook (quantities, finalizers) is
    not done here.
    """
    table = effective(value, table)
    defaulted = _object(value, table)
    if table.rewritten and defaulted.get("spec") is None and "spec" in table.fields:
        # The defaulting webhook writes the empty struct that it read, and the server fills in its defaults.
        defaulted["spec"] = _object({}, table.fields["spec"])
    return defaulted


def _object(value: Mapping[str, Any], node: SchemaNode) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, part in value.items():
        sub = node.fields.get(key, node.entries)
        if sub is None or (node.root and key == "metadata"):
            out[key] = copy.deepcopy(part)
        elif part is not None or sub.nullable:
            out[key] = _value(part, sub)
        elif sub.has_default:
            out[key] = _value(sub.default, sub)
    for key in node.filled:
        out.setdefault(key, "0")
    for key, sub in node.fields.items():
        if key not in out and sub.default is not MISSING:
            out[key] = _value(sub.default, sub)
    return out


def _value(value: Any, node: SchemaNode) -> Any:
    if isinstance(value, dict):
        return _object(value, node)
    if isinstance(value, list) and node.items is not None:
        return [_value(part, node.items) for part in value]
    return copy.deepcopy(value)
