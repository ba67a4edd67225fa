"""One node of a schema, as far as Kueue's and AppWrapper's definitions use the language of OpenAPI v3."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from kohort.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

OBJECT: Final = "object"
ARRAY: Final = "array"
STRING: Final = "string"
INTEGER: Final = "integer"
BOOLEAN: Final = "boolean"
INT_OR_STRING: Final = "int-or-string"


class _Missing:
    """The type of `MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


@dataclass(frozen=True, slots=True, eq=False)
class SchemaNode:
    """What may stand at one place of an object.

    Nodes compare by identity: they are built once per table and shared.

    Attributes:
        type: object, array, string, integer, boolean or int-or-string.
        fields: known fields of an object, in the order of the definition.
        required: names of fields that must be present (after defaults have been filled in).
        entries: schema of the values of a map with free keys, None when the object has only `fields`.
        items: schema of the elements of a list.
        enum: allowed strings; empty means any.
        pattern: regular expression in Go's syntax, searched in the value; empty means none.
        format: int32, int64 or date-time; empty means none.
        minimum: smallest number.
        maximum: largest number.
        min_length: smallest number of code points of a string.
        max_length: largest number of code points of a string.
        min_items: smallest number of elements of a list.
        max_items: largest number of elements of a list.
        max_entries: largest number of keys of an object.
        list_type: "map" (unique by `list_keys`), "set" (unique elements) or "" (no rule).
        list_keys: fields that together name an element of a list of type "map".
        default: value the API server fills in when the field is absent or null; `MISSING` when there is none.
        nullable: null is a value of its own here.
        preserve: unknown fields are kept and not looked at.
        embedded: the object is a whole Kubernetes object with apiVersion, kind and metadata.
        root: the object itself; apiVersion, kind and metadata are not judged by this schema.
        quantity: an int-or-string that is a resource quantity.
        decoded: one of Kueue's webhooks reads the object into Go types, which are stricter about quantities and
            times than the schema.
        rewritten: Kueue's defaulting webhook also writes it back before the schema sees it, so quantities
            may be decimal numbers or have spaces around them.
        filled: required fields that this rewriting supplies when they are absent.
        as_written: at the root, the schema for objects that the defaulting webhook leaves as they are (they
            carry its finalizer); None when that makes no difference.
        unjudged: the part is thrown away on create (status); only names are checked, and types when `decoded`.
    """

    type: str
    fields: Mapping[str, SchemaNode] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    entries: SchemaNode | None = None
    items: SchemaNode | None = None
    enum: tuple[str, ...] = ()
    pattern: str = ""
    format: str = ""
    minimum: int | None = None
    maximum: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    max_entries: int | None = None
    list_type: str = ""
    list_keys: tuple[str, ...] = ()
    default: object = MISSING
    nullable: bool = False
    preserve: bool = False
    embedded: bool = False
    root: bool = False
    quantity: bool = False
    decoded: bool = False
    rewritten: bool = False
    filled: tuple[str, ...] = ()
    as_written: SchemaNode | None = None
    unjudged: bool = False

    @property
    def has_default(self) -> bool:
        """Whether the API server fills in a value when the field is absent or null."""
        return self.default is not MISSING
