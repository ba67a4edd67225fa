"""Lists whose elements have to differ: as a whole, or by the fields that name them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kohort.objects.schema import say
from kohort.objects.schema.violation import Violation

if TYPE_CHECKING:
    from kohort.objects.schema.node import SchemaNode
    from kohort.objects.schema.violation import Path


def repeated(value: list[Any], node: SchemaNode, path: Path) -> list[Violation]:
    """One violation for each element that is met for the second time (later repetitions are not counted).

    Elements of another shape than the schema are left out; they are reported for themselves.
    """
    seen: dict[str, int] = {}
    out: list[Violation] = []
    for index, part in enumerate(value):
        identity = _identity(part, node)
        if identity is None:
            continue
        text = json.dumps(identity, sort_keys=True, default=str)
        seen[text] = seen.get(text, 0) + 1
        if seen[text] == 2:
            out.append(Violation((*path, index), "duplicate", _message(identity), part))
    return out


def _identity(part: Any, node: SchemaNode) -> Any:
    if node.list_type == "set" or node.items is None:
        return part
    if not isinstance(part, dict):
        return None
    out: dict[str, Any] = {}
    for key in node.list_keys:
        sub = node.items.fields.get(key)
        own = part.get(key)
        if own is None and sub is not None and sub.has_default:
            own = sub.default
        if own is not None:
            out[key] = own
    return out


def _message(identity: Any) -> str:
    if not isinstance(identity, dict):
        return f"occurs more than once: {say.found(identity)}"
    if not identity:
        return "occurs more than once: an element without a name"
    named = ", ".join(f'{key} "{say.shortened(str(own))}"' for key, own in identity.items())
    return f"occurs more than once: {named}"
