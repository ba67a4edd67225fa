"""From a CustomResourceDefinition to the compact form of our tables (see kohort.objects.schema.decode)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

QUANTITY = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"

RENAMED = {
    "enum": "enum",
    "pattern": "pattern",
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "minItems": "minItems",
    "maxItems": "maxItems",
    "maxProperties": "maxEntries",
    "nullable": "nullable",
    "default": "default",
    "required": "required",
    "x-kubernetes-list-map-keys": "keys",
    "x-kubernetes-preserve-unknown-fields": "preserve",
    "x-kubernetes-embedded-resource": "embedded",
}
# Read elsewhere, or without effect on what is accepted.
KNOWN = {
    "type",
    "format",
    "properties",
    "additionalProperties",
    "items",
    "description",
    "anyOf",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
}
POD_TEMPLATE = "podtemplate"
# A definition pays off when its text is longer than its name and the reference.
WORTH_SHARING = 100


def compact(schema: dict[str, Any], name: str = "") -> Any:
    """The compact form of one node and everything below it."""
    unknown = set(schema) - KNOWN - set(RENAMED)
    if unknown:
        msg = f"{name}: the table has no words for {sorted(unknown)}"
        raise ValueError(msg)
    if name == "template" and "spec" in schema.get("properties", {}):
        return {"$table": POD_TEMPLATE}
    return pod_template(schema)


def pod_template(schema: dict[str, Any]) -> Any:
    """As `compact`, for a node that is not looked up elsewhere."""
    out: dict[str, Any] = {RENAMED[key]: value for key, value in schema.items() if key in RENAMED}
    out.pop("pattern", None) if schema.get("pattern") == QUANTITY else None
    kind = schema.get("type", "any")
    if schema.get("x-kubernetes-int-or-string"):
        if schema.get("anyOf") not in (None, [{"type": "integer"}, {"type": "string"}]):
            raise ValueError(schema)
        kind = "quantity" if schema.get("pattern") == QUANTITY else "int-or-string"
    elif "anyOf" in schema:
        raise ValueError(schema)
    elif schema.get("format"):
        kind = schema["format"]
    if "properties" in schema:
        out["fields"] = {key: compact(sub, key) for key, sub in schema["properties"].items()}
    if "additionalProperties" in schema:
        out["map"] = compact(schema["additionalProperties"])
    if "items" in schema:
        out["items"] = compact(schema["items"])
    if schema.get("x-kubernetes-list-type", "atomic") != "atomic":
        out["listType"] = schema["x-kubernetes-list-type"]
    if not {"fields", "map", "items"} & set(out):
        if not out:
            return kind
        out["type"] = kind
    return out


def table(schema: Any) -> dict[str, Any]:
    """A table: the node, with parts that occur several times moved into "definitions"."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    _count(schema, "", counts, names)
    shared = {text for text, count in counts.items() if count > 1 and len(text) > WORTH_SHARING}
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for text, name in names.items():
        if text in shared:
            label, number = name, 1
            while label in taken:
                number += 1
                label = f"{name}{number}"
            taken.add(label)
            labels[text] = label
    definitions: dict[str, Any] = {}
    root = _replace(schema, labels, definitions, top=True)
    return (
        {"definitions": dict(sorted(definitions.items())), "schema": root}
        if definitions
        else {"schema": root}
    )


def _text(node: Any) -> str:
    return json.dumps(node, sort_keys=True, separators=(",", ":"))


def _children(node: Any) -> list[tuple[str, Any]]:
    if not isinstance(node, dict):
        return []
    out = list(node.get("fields", {}).items())
    out.extend((key, node[key]) for key in ("map", "items") if key in node)
    return out


def _count(node: Any, name: str, counts: Counter[str], names: dict[str, str]) -> None:
    if isinstance(node, dict):
        text = _text(node)
        counts[text] += 1
        names.setdefault(text, name)
        if counts[text] > 1:
            return  # its parts are counted once, with their first owner
    for key, sub in _children(node):
        _count(sub, name if key in ("map", "items") else key, counts, names)


def _replace(node: Any, labels: dict[str, str], definitions: dict[str, Any], *, top: bool = False) -> Any:
    if not isinstance(node, dict):
        return node
    label = None if top else labels.get(_text(node))
    if label is not None and label in definitions:
        return {"$ref": label}
    out = dict(node)
    if label is not None:
        definitions[label] = None  # reserves the name, so that the order does not matter
    if "fields" in out:
        out["fields"] = {key: _replace(sub, labels, definitions) for key, sub in out["fields"].items()}
    out |= {key: _replace(out[key], labels, definitions) for key in ("map", "items") if key in out}
    if label is None:
        return out
    definitions[label] = out
    return {"$ref": label}
