"""A tree of an expression as a function of its variables.

Every part becomes a closure, so that an expression is walked once and evaluated often. What fails is `Wrong` with the place
of the part that failed; `&&`, `||`, `all` and `exists` forget a failure where another part decides, as CEL says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, Final, TypeAlias

from kohort.diagnostics.count import count_of
from kohort.policy.cel.library import FUNCTIONS, KINDS
from kohort.policy.cel.library.patterns import matcher
from kohort.policy.cel.macros import MACROS, is_macro
from kohort.policy.cel.operators import OPERATORS, decided, field, has, index, maybe, minus
from kohort.policy.cel.syntax import Node
from kohort.policy.cel.values import Maybe, word_for
from kohort.policy.cel.wrong import Wrong

Known: TypeAlias = dict[str, Any]
Program: TypeAlias = Callable[[Known], Any]
_NONE: Final = object()
_PATTERNS: Final = frozenset({"matches", "find", "findAll"})


def program(node: Node) -> Program:
    """The function that evaluates a tree. Raises Wrong for a call of what is no function."""
    if node.kind == "value":
        value = node.data
        return lambda _: value
    if node.kind == "call":
        return _call(node)
    return _PARTS.get(node.kind, _sign)(node)


def _name(node: Node) -> Program:
    name, offset = node.data, node.offset

    def run(known: Known) -> Any:
        value = known.get(name, _NONE)
        if value is not _NONE:
            return value
        if name in KINDS:
            return KINDS[name]
        there = ", ".join(sorted(known))
        raise Wrong(f"there is no variable or function `{name}` (variables: {there})", offset)

    return run


def _one(node: Node, do: Callable[[Any, Any], Any]) -> Program:
    of, name = program(node.parts[0]), node.data
    return _placed(node, lambda known: do(of(known), name))


def _two(node: Node, do: Callable[[Any, Any], Any]) -> Program:
    first, second = (program(part) for part in node.parts)
    return _placed(node, lambda known: do(first(known), second(known)))


def _placed(node: Node, run: Program) -> Program:
    """The same, whose failures have a place."""
    offset = node.offset

    def placed(known: Known) -> Any:
        try:
            return run(known)
        except Wrong as wrong:
            if wrong.offset < 0:
                wrong.offset = offset
            raise

    return placed


def _sign(node: Node) -> Program:
    return _two(node, OPERATORS[node.kind])


def _either(node: Node) -> Program:
    """`&&` and `||`: the first part that decides, else the first failure."""
    decides: bool = node.kind == "||"
    parts = [_truth(part, node.kind) for part in node.parts]

    def run(known: Known) -> bool:
        return decided(lambda part: part(known), parts, decides)

    return run


def _truth(node: Node, sign: str) -> Program:
    """A part that must be true or false."""
    of = program(node)

    def run(known: Known) -> bool:
        value = of(known)
        if isinstance(value, bool):
            return value
        raise Wrong(f"`{sign}` takes true and false, not {word_for(value)}", node.offset)

    return run


def _if(node: Node) -> Program:
    asked, yes, no = (program(part) for part in node.parts)

    def run(known: Known) -> Any:
        value = asked(known)
        if value is True:
            return yes(known)
        if value is False:
            return no(known)
        raise Wrong(f"`?` takes true or false before it, not {word_for(value)}", node.offset)

    return run


def _not(node: Node) -> Program:
    of = _truth(node.parts[0], "!")
    return lambda known: not of(known)


def _minus(node: Node) -> Program:
    of = program(node.parts[0])
    return _placed(node, lambda known: minus(of(known)))


def _list(node: Node) -> Program:
    parts = [(program(part), place in node.optional) for place, part in enumerate(node.parts)]

    def run(known: Known) -> list[Any]:
        found = []
        for part, optional in parts:
            value = part(known)
            if not optional:
                found.append(value)
            elif _maybe(value, node).there:
                found.append(value.value)
        return found

    return run


def _map(node: Node) -> Program:
    pairs = [
        (
            program(node.parts[at]),
            program(node.parts[at + 1]),
            node.parts[at].offset,
            at // 2 in node.optional,
        )
        for at in range(0, len(node.parts), 2)
    ]

    def run(known: Known) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for name, of, offset, optional in pairs:
            key, value = name(known), of(known)
            if not isinstance(key, (str, int)) or isinstance(key, bool):
                raise Wrong(f"a key is a string or a whole number, not {word_for(key)}", offset)
            if key in found:
                raise Wrong(f"the key {key!r} stands twice", offset)
            if not optional:
                found[key] = value
            elif _maybe(value, node).there:
                found[key] = value.value
        return found

    return run


def _maybe(value: Any, node: Node) -> Maybe:
    if isinstance(value, Maybe):
        return value
    raise Wrong(f"`?` takes an optional value, not {word_for(value)}", node.offset)


def _call(node: Node) -> Program:
    if is_macro(node):
        return _placed(node, MACROS[node.data](node, program))
    if node.data == "has" and not node.method:
        return _has(node)
    name, parts = node.data, node.parts
    space = spaced(node)
    if space:
        name, parts = space, parts[1:]
    function = FUNCTIONS.get(name)
    if function is None:
        raise Wrong(f"there is no function `{name}`", node.offset)
    _fits(function, name, parts, node.offset)
    given = [program(part) for part in parts]

    def run(known: Known) -> Any:
        return function(*[part(known) for part in given])

    return _placed(node, _fitting(run, name))


def _fits(function: Callable[..., Any], name: str, parts: Sequence[Node], offset: int) -> None:
    """Raises Wrong for a call with too few or too many values, and for a pattern written out that is none."""
    try:
        signature(function).bind(*parts)
    except TypeError:
        raise Wrong(f"`{name}` does not take {count_of(len(parts), 'value')}", offset) from None
    if name in _PATTERNS and parts[1].kind == "value" and isinstance(parts[1].data, str):
        try:
            matcher(parts[1].data)
        except Wrong as wrong:
            raise Wrong(wrong.text, parts[1].offset) from None


def _fitting(run: Program, name: str) -> Program:
    """The same, whose Python errors are words: functions are given whatever there is."""

    def fitting(known: Known) -> Any:
        try:
            return run(known)
        except (TypeError, AttributeError):
            raise Wrong(f"`{name}` does not take what it is given here") from None

    return fitting


def spaced(node: Node) -> str:
    """The name of a function that stands in a space of names (`sets.contains`); empty for any other call."""
    first = node.parts[0] if node.method and node.parts else None
    name = f"{first.data}.{node.data}" if first is not None and first.kind == "name" else ""
    return name if name in FUNCTIONS else ""


def _has(node: Node) -> Program:
    (part,) = node.parts if len(node.parts) == 1 else (None,)
    if part is None or part.kind not in ("select", "maybe"):
        raise Wrong("has(…) takes a field, such as has(object.metadata.labels)", node.offset)
    return _one(Node("select", node.offset, part.data, part.parts), has)


_PARTS: Final[Mapping[str, Callable[[Node], Program]]] = {
    "name": _name,
    "select": lambda node: _one(node, field),
    "maybe": lambda node: _one(node, maybe),
    "index": lambda node: _two(node, index),
    "maybe-index": lambda node: _two(node, maybe),
    "if": _if,
    "not": _not,
    "minus": _minus,
    "&&": _either,
    "||": _either,
    "list": _list,
    "map": _map,
}
