"""What an expression says before anybody evaluates it: whether it is CEL, and which names it takes from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from kohort.dataclass import dataclass
from kohort.diagnostics.suggest import did_you_mean
from kohort.policy.cel.library import FUNCTIONS, KINDS
from kohort.policy.cel.macros import MACROS, bound, is_macro
from kohort.policy.cel.program import Program, program, spaced
from kohort.policy.cel.result import result
from kohort.policy.cel.syntax import Node, parse
from kohort.policy.cel.wrong import Wrong

KNOWN: Final = FUNCTIONS.keys() | {"cel.bind"}
"""Everything that may be called, macros apart."""

_DEEP: Final = "it is nested too deep"


@dataclass(frozen=True, slots=True)
class Used:
    """A name that an expression takes from outside; `function` where it is called."""

    name: str
    offset: int
    function: bool


@lru_cache(maxsize=1024)
def compiled(expression: str) -> Program:
    """The function that evaluates it. Raises Wrong for what is no CEL or calls what nobody knows."""
    for each in names(expression):
        if each.function and each.name not in KNOWN:
            raise Wrong(_no_function(each.name), each.offset)
    try:
        return program(parse(expression))
    except RecursionError:
        raise Wrong(_DEEP) from None


@lru_cache(maxsize=1024)
def names(expression: str) -> tuple[Used, ...]:
    """What an expression takes from outside, in its order. Raises Wrong for what is no CEL."""
    try:
        return tuple(used(parse(expression)))
    except RecursionError:
        raise Wrong(_DEEP) from None


def _no_function(name: str) -> str:
    """A macro that is given too little is called as if it were a function."""
    if name in MACROS:
        return f"`{name}` takes a name first and then what is asked of each, such as x.all(e, e > 0)"
    return f"there is no function `{name}`{_likely(name, FUNCTIONS)}"


def given(expression: str, variables: Mapping[str, str]) -> str:
    """The type that an expression gives, see `result`. Raises Wrong for what is no CEL."""
    return result(parse(expression), variables)


def declared(expression: str, variables: Iterable[str]) -> None:
    """Raises Wrong for the first variable that is none of these."""
    known = sorted({*variables})
    for each in names(expression):
        if not each.function and each.name not in known and each.name not in KINDS:
            text = f"there is no variable `{each.name}`{_likely(each.name, known)}"
            raise Wrong(f"{text} (variables: {', '.join(known)})", each.offset)


def _likely(name: str, known: Iterable[str]) -> str:
    near = did_you_mean(name, list(known), 1)
    return f"; did you mean `{near[0]}`?" if near else ""


def used(node: Node, given: frozenset[str] = frozenset()) -> Iterator[Used]:
    """Variables and functions of a tree; `given` are those of the macros around it."""
    if node.kind == "name":
        if node.data not in given:
            yield Used(node.data, node.offset, function=False)
        return
    parts = node.parts
    if node.kind == "call":
        if is_macro(node):
            yield from _of_macro(node, given)
            return
        space = spaced(node)
        parts = parts[1:] if space else parts
        if node.data != "has" or node.method:
            yield Used(space or node.data, node.offset, function=True)
    for part in parts:
        yield from used(part, given)


def _of_macro(node: Node, given: frozenset[str]) -> Iterator[Used]:
    names, rest = bound(node)
    if node.data == "bind":
        yield Used("cel.bind", node.offset, function=True)
        yield from used(node.parts[2], given)
    else:
        yield from used(node.parts[0], given)
    for part in rest:
        yield from used(part, given | {*names})
