"""From the compact JSON form of a table to linked `SchemaNode`s.

The compact form (written by `ci/schema_tables.py`):

- a string is a node without further limits: "string", "boolean", "int32", "int64", "integer", "date-time",
  "quantity", "int-or-string", "object" (no fields known);
- `{"$ref": name}` is a node of the same table that occurs several times, `{"$table": name}` another table;
- an object with "fields" is an object, with "map" a map with free keys, with "items" a list; any other
  object has "type" like the strings above. Limits carry the names of `SchemaNode` in camel case.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final

from kohort.dataclass import dataclass
from kohort.objects.schema.node import (
    ARRAY,
    BOOLEAN,
    INT_OR_STRING,
    INTEGER,
    MISSING,
    OBJECT,
    STRING,
    SchemaNode,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SIMPLE: Final[dict[str, SchemaNode]] = {
    "string": SchemaNode(STRING),
    "boolean": SchemaNode(BOOLEAN),
    "integer": SchemaNode(INTEGER),
    "int32": SchemaNode(INTEGER, format="int32"),
    "int64": SchemaNode(INTEGER, format="int64"),
    "date-time": SchemaNode(STRING, format="date-time"),
    "quantity": SchemaNode(INT_OR_STRING, quantity=True),
    "int-or-string": SchemaNode(INT_OR_STRING),
    "object": SchemaNode(OBJECT),
}

_LIMITS: Final = {
    "pattern": "pattern",
    "minimum": "minimum",
    "maximum": "maximum",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_items",
    "maxItems": "max_items",
    "maxEntries": "max_entries",
    "listType": "list_type",
    "nullable": "nullable",
    "preserve": "preserve",
    "embedded": "embedded",
}


@dataclass(slots=True)
class Decoder:
    """Decodes the nodes of one table.

    Attributes:
        definitions: the nodes that "$ref" names.
        table: gives the root of another table ("$table").
        decoded: mark every node as read into Go types by a webhook of Kueue.
        rewritten: mark every node as written back by Kueue's defaulting webhook; without it, nothing is "filled".
        unjudged: drop all limits, because the part is thrown away on create.
        quantity_pattern: the pattern of every quantity.
    """

    definitions: Mapping[str, Any]
    table: Callable[[str], SchemaNode]
    decoded: bool = False
    rewritten: bool = False
    unjudged: bool = False
    quantity_pattern: str = ""
    _built: dict[str, SchemaNode] = field(default_factory=dict)

    def node(self, data: Any) -> SchemaNode:
        """The node that `data` describes."""
        if isinstance(data, str):
            return self._finish(_SIMPLE[data])
        if "$ref" in data:
            name = data["$ref"]
            if name not in self._built:
                self._built[name] = self.node(self.definitions[name])
            return self._built[name]
        if "$table" in data:
            return self.table(data["$table"])
        return self._compound(data)

    def _compound(self, data: Mapping[str, Any]) -> SchemaNode:
        values: dict[str, Any] = {ours: data[theirs] for theirs, ours in _LIMITS.items() if theirs in data}
        if "fields" in data or "map" in data:
            base = SchemaNode(OBJECT)
            values["fields"] = {name: self.node(sub) for name, sub in data.get("fields", {}).items()}
            if "map" in data:
                values["entries"] = self.node(data["map"])
        elif "items" in data:
            base = SchemaNode(ARRAY)
            values["items"] = self.node(data["items"])
        else:
            base = _SIMPLE[data["type"]]
        for name, ours in (
            ("required", "required"),
            ("enum", "enum"),
            ("keys", "list_keys"),
            ("filled", "filled"),
        ):
            if name in data:
                values[ours] = tuple(data[name])
        values["default"] = data.get("default", MISSING)
        return self._finish(replace(base, **values))

    def _finish(self, node: SchemaNode) -> SchemaNode:
        if node.quantity:
            node = replace(node, pattern=self.quantity_pattern)
        if self.unjudged:
            node = SchemaNode(
                node.type,
                fields=node.fields,
                entries=node.entries,
                items=node.items,
                format=node.format,
                preserve=node.preserve,
                quantity=node.quantity,
                pattern=node.pattern if node.quantity else "",
                default=node.default,
                unjudged=True,
            )
        filled = node.filled if self.rewritten else ()
        return replace(node, decoded=self.decoded, rewritten=self.rewritten, filled=filled)
