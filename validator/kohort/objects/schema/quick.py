"""Fast acceptance: one closure per node that says "certainly right" or "look closer".

A closure may say no to a right value (an unusual type, a null); it must never say yes to a wrong one.
`kohort.objects.schema.report` gives the verdict when it says no.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kohort.objects.schema.formats import RANGES, is_date_time, is_rfc3339
from kohort.objects.schema.node import ARRAY, BOOLEAN, INT_OR_STRING, INTEGER, MISSING, OBJECT, STRING
from kohort.objects.schema.pattern import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from kohort.objects.schema.node import SchemaNode

Accept: TypeAlias = "Callable[[Any], bool]"


# Quantities that the pattern of the schema and Kueue's Go types accept alike.
PLAIN_QUANTITY: Final = (
    r"^[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$"
)


def certainly_right(value: object, node: SchemaNode) -> bool:
    """True only when `value` has no violation; False means that it has to be looked at in detail."""
    try:
        return _compiled(node)(value)
    except TypeError:  # an unhashable value where a word of an enum or a key should be
        return False


@cache
def _compiled(node: SchemaNode) -> Accept:
    if node.embedded:
        return _never
    return _COMPILERS[node.type](node)


def _never(_value: Any) -> bool:
    return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _boolean(_node: SchemaNode) -> Accept:
    return _is_flag


def _string(node: SchemaNode) -> Accept:
    if node.enum and node.max_length is None and not node.pattern and not node.format and not node.min_length:
        return frozenset(node.enum).__contains__
    search = compile_pattern(node.pattern).search if node.pattern else None
    words = frozenset(node.enum)
    shortest, longest, timed = node.min_length or 0, node.max_length, node.format == "date-time"
    is_time = is_rfc3339 if node.decoded else is_date_time
    if search is None and longest is None and not shortest and not words and not timed:
        return _is_text
    if search is not None and longest is not None and not words and not timed and not shortest:

        def name(value: Any) -> bool:
            return isinstance(value, str) and len(value) <= longest and search(value) is not None

        return name

    def text(value: Any) -> bool:
        return (
            isinstance(value, str)
            and len(value) >= shortest
            and (longest is None or len(value) <= longest)
            and (not words or value in words)
            and (not timed or is_time(value))
            and (search is None or search(value) is not None)
        )

    return text


def _integer(node: SchemaNode) -> Accept:
    lowest, highest = RANGES[node.format]
    if node.minimum is not None:
        lowest = max(lowest, node.minimum)
    if node.maximum is not None:
        highest = min(highest, node.maximum)

    def number(value: Any) -> bool:
        return type(value) is int and lowest <= value <= highest

    return number


def _int_or_string(node: SchemaNode) -> Accept:
    lowest, highest = RANGES[""]
    pattern = PLAIN_QUANTITY if node.quantity else node.pattern
    search = compile_pattern(pattern).search if pattern else None

    def either(value: Any) -> bool:
        if isinstance(value, str):
            return search is None or search(value) is not None
        return type(value) is int and lowest <= value <= highest

    return either


def _array(node: SchemaNode) -> Accept:
    item = _compiled(node.items) if node.items is not None else _never
    fewest, most = node.min_items or 0, node.max_items
    unique = _unique(node)

    def array(value: Any) -> bool:
        if not isinstance(value, list):
            return False
        size = len(value)
        if size < fewest or (most is not None and size > most):
            return False
        for part in value:
            if not item(part):
                return False
        return unique is None or size <= 1 or unique(value)

    return array


def _unique(node: SchemaNode) -> Accept | None:
    """Whether the elements of a list with a uniqueness rule differ; every element has been accepted before."""
    if node.list_type == "set":
        return _all_differ
    if node.list_type != "map" or node.items is None:
        return None
    known = node.items.fields
    keys = [
        (key, known[key].default if key in known and known[key].has_default else MISSING)
        for key in node.list_keys
    ]
    if len(keys) == 1:
        only, otherwise = keys[0]

        def by_key(value: Any) -> bool:
            return len({part.get(only, otherwise) for part in value}) == len(value)

        return by_key

    def by_keys(value: Any) -> bool:
        return len({tuple(part.get(key, other) for key, other in keys) for part in value}) == len(value)

    return by_keys


def _all_differ(value: Any) -> bool:
    return len(set(value)) == len(value)


def _object(node: SchemaNode) -> Accept:
    find = {name: _compiled(sub) for name, sub in node.fields.items()}.get
    required = tuple(
        name
        for name in node.required
        if name not in node.filled and not (name in node.fields and node.fields[name].has_default)
    )
    if node.root:
        return _root(find, required)
    if node.entries is not None or node.preserve or node.max_entries is not None:
        return _free_object(node, required)

    def plain(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for name, part in value.items():
            accept = find(name)
            if accept is None or not accept(part):
                return False
        for name in required:  # noqa: SIM110 - `all` would cost a generator per object
            if name not in value:
                return False
        return True

    return plain


def _root(find: Callable[[str], Accept | None], required: tuple[str, ...]) -> Accept:
    meta = {"apiVersion", "kind", "metadata"}

    def root(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for name, part in value.items():
            accept = find(name)
            if accept is None:
                if name not in meta:
                    return False
            elif not accept(part):
                return False
        return all(name in value for name in required)

    return root


def _free_object(node: SchemaNode, required: tuple[str, ...]) -> Accept:
    find = {name: _compiled(sub) for name, sub in node.fields.items()}.get
    other = _compiled(node.entries) if node.entries is not None else None
    most, preserve = node.max_entries, node.preserve

    def free(value: Any) -> bool:
        if not isinstance(value, dict) or (most is not None and len(value) > most):
            return False
        for name, part in value.items():
            accept = find(name) or other
            if accept is None:
                if not preserve:
                    return False
            elif not accept(part):
                return False
        return all(name in value for name in required)

    return free


_COMPILERS: dict[str, Callable[[SchemaNode], Accept]] = {
    OBJECT: _object,
    ARRAY: _array,
    STRING: _string,
    INTEGER: _integer,
    BOOLEAN: _boolean,
    INT_OR_STRING: _int_or_string,
}
