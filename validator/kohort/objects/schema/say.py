"""The words of the messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kohort.objects.schema.node import ARRAY, BOOLEAN, INT_OR_STRING, INTEGER, OBJECT, STRING

if TYPE_CHECKING:
    from kohort.objects.schema.node import SchemaNode

_EXPECTED: Final = {
    OBJECT: "a mapping",
    ARRAY: "a list",
    STRING: "text",
    INTEGER: "a whole number",
    BOOLEAN: "true or false",
    INT_OR_STRING: "a whole number or text",
}


def expected(node: SchemaNode) -> str:
    """What has to stand here: "a mapping", "a quantity"."""
    return "a quantity" if node.quantity else _EXPECTED[node.type]


def found(value: object) -> str:
    """What stands there instead: "a list", "the number 3"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f'the text "{shortened(value)}"'
    if isinstance(value, list):
        return "a list"
    return "a mapping" if isinstance(value, dict) else f"a {type(value).__name__}"


def shortened(text: str, limit: int = 60) -> str:
    """`text`, cut to `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def choice(words: tuple[str, ...]) -> str:
    """The words of an enum: '"None", "Hold", "HoldAndDrain"'."""
    return ", ".join(f'"{word}"' for word in words)


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 item", "64 items"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
