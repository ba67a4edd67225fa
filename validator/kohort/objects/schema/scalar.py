"""Checks of single values: text, numbers, flags and quantities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.schema import say
from kohort.objects.schema.formats import RANGES, integer_of, is_date_time, is_rfc3339
from kohort.objects.schema.pattern import compile_pattern
from kohort.objects.schema.violation import Violation

if TYPE_CHECKING:
    from kohort.objects.schema.node import SchemaNode
    from kohort.objects.schema.violation import Path

# Patterns of names look at each character several times; beyond this no name can be right.
_LONGEST_MATCHED: Final = 10_000


def boolean(value: Any, node: SchemaNode, path: Path, out: list[Violation]) -> None:
    """True or false; nothing else is read as a flag."""
    if not isinstance(value, bool):
        out.append(_wrong_type(value, node, path))


def integer(value: Any, node: SchemaNode, path: Path, out: list[Violation]) -> None:
    """A whole number within the range of its format and the limits of the schema."""
    number = _whole(value)
    if number is None:
        out.append(_wrong_type(value, node, path))
        return
    lowest, highest = RANGES[node.format]
    if not lowest <= number <= highest:
        message = f"must fit into {node.format or 'int64'} ({lowest} to {highest}), is {number}"
        out.append(Violation(path, "format", message, value, limit=highest if number > highest else lowest))
    if node.minimum is not None and number < node.minimum:
        message = f"must be at least {node.minimum}, is {number}"
        out.append(Violation(path, "minimum", message, value, limit=node.minimum))
    if node.maximum is not None and number > node.maximum:
        message = f"must be at most {node.maximum}, is {number}"
        out.append(Violation(path, "maximum", message, value, limit=node.maximum))


def int_or_string(value: Any, node: SchemaNode, path: Path, out: list[Violation]) -> None:
    """A whole number or text; a quantity when the schema says so."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        out.append(_wrong_type(value, node, path))
    elif node.quantity and (node.rewritten or isinstance(value, str)):
        wrong = _no_quantity(value, node)
        if wrong:
            out.append(Violation(path, "quantity", wrong, value))
    elif isinstance(value, str):
        string(value, node, path, out)
    elif _whole(value) is None:
        out.append(_wrong_type(value, node, path))


def _no_quantity(value: str | float, node: SchemaNode) -> str:
    """Why a text or number is no quantity, or "".

    The schema wants its pattern; Kueue's Go types read less (no fractions in exponents) and, where a
    webhook rewrites the value before the schema sees it, more (spaces around it, decimal numbers, "-").
    """
    try:
        Quantity.parse(value)
    except QuantityError as error:
        return error.reason if node.decoded or not _in_pattern(value, node) else ""
    if node.rewritten or _in_pattern(value, node):
        return ""
    return f'"{say.shortened(str(value))}" is not a quantity: it must match {node.pattern}'


def _in_pattern(value: str | float, node: SchemaNode) -> bool:
    return isinstance(value, str) and _matches(value, node.pattern)


def string(value: Any, node: SchemaNode, path: Path, out: list[Violation]) -> None:
    """Text within the length, pattern, format and words of the schema."""
    if not isinstance(value, str):
        out.append(_wrong_type(value, node, path))
        return
    if node.format == "date-time" and not (is_rfc3339(value) if node.decoded else is_date_time(value)):
        message = f'must be a time such as 2026-01-31T08:00:00Z, not "{say.shortened(value)}"'
        out.append(Violation(path, "format", message, value))
    size = len(value)
    if node.max_length is not None and size > node.max_length:
        message = f"must have at most {say.counted(node.max_length, 'character')}, has {size}"
        out.append(Violation(path, "too-long", message, value, limit=node.max_length))
    elif node.min_length is not None and size < node.min_length:
        message = (
            "must not be empty"
            if not size
            else f"must have at least {node.min_length} characters, has {size}"
        )
        out.append(Violation(path, "too-short", message, value, limit=node.min_length))
    elif node.pattern and not _matches(value, node.pattern):
        message = f'"{say.shortened(value)}" must match {node.pattern}'
        out.append(Violation(path, "pattern", message, value))
    if node.enum and value not in node.enum:
        message = f'must be one of {say.choice(node.enum)}, not "{say.shortened(value)}"'
        out.append(Violation(path, "enum", message, value, allowed=node.enum))


def _matches(value: str, pattern: str) -> bool:
    return len(value) <= _LONGEST_MATCHED and compile_pattern(pattern).search(value) is not None


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return integer_of(value)
    # An integer beyond 64 bits is read as a floating point number, which is too large to be a whole one.
    lowest, highest = RANGES[""]
    return value if isinstance(value, int) and lowest <= value <= highest else None


def _wrong_type(value: Any, node: SchemaNode, path: Path) -> Violation:
    message = f"must be {say.expected(node)}, not {say.found(value)}"
    return Violation(path, "wrong-type", message, value)
