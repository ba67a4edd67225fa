"""The macros of CEL: parts of an expression that are asked once per element, with names of their own.

Source: the CEL language definition, section Macros; cel-go's extensions for two variables, optional values and lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cmp_to_key
from typing import Any, Final, TypeAlias

from kohort.policy.cel.operators import decided
from kohort.policy.cel.syntax import Node
from kohort.policy.cel.values import Maybe, below, word_for
from kohort.policy.cel.wrong import Wrong

Known: TypeAlias = dict[str, Any]
Program: TypeAlias = Callable[[Known], Any]
Compile: TypeAlias = Callable[[Node], Program]
Macro: TypeAlias = Callable[[Node, Compile], Program]

# How many values stand between the brackets; those of two variables have one more.
_COUNTS: Final[Mapping[str, frozenset[int]]] = {
    "all": frozenset((2, 3)),
    "exists": frozenset((2, 3)),
    "exists_one": frozenset((2, 3)),
    "existsOne": frozenset((3,)),
    "filter": frozenset((2,)),
    "map": frozenset((2, 3)),
    "sortBy": frozenset((2,)),
    "transformList": frozenset((3, 4)),
    "transformMap": frozenset((3, 4)),
    "transformMapEntry": frozenset((3, 4)),
    "optMap": frozenset((2,)),
    "optFlatMap": frozenset((2,)),
    "bind": frozenset((3,)),
}
_TWO: Final = frozenset({"transformList", "transformMap", "transformMapEntry"})
_BY_COUNT: Final = frozenset({"all", "exists", "exists_one", "existsOne"})


def is_macro(node: Node) -> bool:
    """Whether a call is a macro: by its name, where it stands and how much it is given."""
    if not node.method or node.data not in _COUNTS or len(node.parts) - 1 not in _COUNTS[node.data]:
        return False
    return node.data != "bind" or (node.parts[0].kind == "name" and node.parts[0].data == "cel")


def bound(node: Node) -> tuple[list[str], list[Node]]:
    """The names that a macro gives, and its parts that see them. Raises Wrong for what is no name."""
    given = node.parts[1:]
    two = node.data in _TWO or (node.data in _BY_COUNT and len(given) == 3)
    count = 2 if two else 1
    names = given[:count]
    for each in names:
        if each.kind != "name":
            raise Wrong(f"`{node.data}` takes a simple name here", each.offset)
    return [each.data for each in names], list(given[count + (node.data == "bind") :])


def _elements(value: Any, name: str, two: bool) -> Iterable[Any]:
    if isinstance(value, list):
        return enumerate(value) if two else value
    if isinstance(value, Mapping):
        return value.items() if two else list(value)
    raise Wrong(f"`{name}` goes over a list or a map, not {word_for(value)}")


def _over(
    node: Node, compiled: Compile
) -> tuple[Callable[[Known], Iterator[Known]], list[tuple[Program, Node]]]:
    """What to ask once per element, each with the variables it sees."""
    of = compiled(node.parts[0])
    names, rest = bound(node)

    def each(known: Known) -> Iterator[Known]:
        inner = dict(known)
        for element in _elements(of(known), node.data, len(names) == 2):
            if len(names) == 2:
                inner[names[0]], inner[names[1]] = element[0], element[1]
            else:
                inner[names[0]] = element
            yield inner

    return each, [(compiled(part), part) for part in rest]


def _truth(value: Any, node: Node, name: str) -> bool:
    if isinstance(value, bool):
        return value
    raise Wrong(f"`{name}` takes true or false, not {word_for(value)}", node.offset)


def _quantified(decides: bool) -> Macro:
    """`all` is decided by what is false, `exists` by what is true; a failure counts where nothing decides."""

    def macro(node: Node, compiled: Compile) -> Program:
        each, ((asked, part),) = _over(node, compiled)

        def run(known: Known) -> bool:
            return decided(lambda inner: _truth(asked(inner), part, node.data), each(known), decides)

        return run

    return macro


def _exactly_one(node: Node, compiled: Compile) -> Program:
    each, ((asked, part),) = _over(node, compiled)
    return lambda known: sum(_truth(asked(inner), part, node.data) for inner in each(known)) == 1


def _filter(node: Node, compiled: Compile) -> Program:
    each, ((asked, part),) = _over(node, compiled)
    (name,), _ = bound(node)
    return lambda known: [inner[name] for inner in each(known) if _truth(asked(inner), part, node.data)]


def _chosen(node: Node, compiled: Compile) -> tuple[Callable[[Known], Iterator[Known]], Program]:
    """The elements that a condition before the last part lets through, and that last part."""
    each, rest = _over(node, compiled)
    if len(rest) == 1:
        return each, rest[0][0]
    asked, part = rest[0]

    def some(known: Known) -> Iterator[Known]:
        return (inner for inner in each(known) if _truth(asked(inner), part, node.data))

    return some, rest[1][0]


def _map(node: Node, compiled: Compile) -> Program:
    each, made = _chosen(node, compiled)
    return lambda known: [made(inner) for inner in each(known)]


def _transform_map(node: Node, compiled: Compile) -> Program:
    each, made = _chosen(node, compiled)
    (key, _), _ = bound(node)
    return lambda known: {inner[key]: made(inner) for inner in each(known)}


def _transform_entries(node: Node, compiled: Compile) -> Program:
    each, made = _chosen(node, compiled)

    def run(known: Known) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for inner in each(known):
            entry = made(inner)
            if not isinstance(entry, dict):
                raise Wrong(f"`{node.data}` takes a map, not {word_for(entry)}")
            if not found.keys().isdisjoint(entry):
                raise Wrong(f"`{node.data}` gives a key twice")
            found |= entry
        return found

    return run


def _order(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
    return below(other[0], one[0]) - below(one[0], other[0])


def _sort_by(node: Node, compiled: Compile) -> Program:
    each, ((made, _),) = _over(node, compiled)
    (name,), _ = bound(node)

    def run(known: Known) -> list[Any]:
        keyed = [(made(inner), inner[name]) for inner in each(known)]
        keyed.sort(key=cmp_to_key(_order))
        return [element for _, element in keyed]

    return run


def _optional(flat: bool) -> Macro:
    def macro(node: Node, compiled: Compile) -> Program:
        of = compiled(node.parts[0])
        (name,), (part,) = bound(node)
        made = compiled(part)

        def run(known: Known) -> Any:
            value = of(known)
            if not isinstance(value, Maybe):
                raise Wrong(f"`{node.data}` takes an optional value, not {word_for(value)}")
            if not value.there:
                return value
            found = made({**known, name: value.value})
            return found if flat else Maybe(there=True, value=found)

        return run

    return macro


def _bind(node: Node, compiled: Compile) -> Program:
    (name,), (part,) = bound(node)
    value, made = compiled(node.parts[2]), compiled(part)
    return lambda known: made({**known, name: value(known)})


MACROS: Final[Mapping[str, Macro]] = {
    "all": _quantified(decides=False),
    "exists": _quantified(decides=True),
    "exists_one": _exactly_one,
    "existsOne": _exactly_one,
    "filter": _filter,
    "map": _map,
    "sortBy": _sort_by,
    "transformList": _map,
    "transformMap": _transform_map,
    "transformMapEntry": _transform_entries,
    "optMap": _optional(flat=False),
    "optFlatMap": _optional(flat=True),
    "bind": _bind,
}
