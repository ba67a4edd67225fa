"""The body of a template as a tree of a few kinds of nodes: what `{param: …}` and `${…}` mean.

    {param: NAME}                          the value of a parameter or fact, with its type; nothing where it is not set
    {param: NAME, else: VALUE}             VALUE where it is not set
    {when: NAME, then: VALUE, else: VALUE} the first where NAME is set and neither false, 0 nor empty; `else` may be left out
    {when: [NAME, NAME], then: VALUE}      VALUE where all of them are
    {sum: [A, B]}, {product: [A, B]}       arithmetic of names and numbers
    ${NAME} in a text or key               the value as text; $${ writes ${

A key or list item whose value is nothing is left out, and so is what becomes empty by that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from kohort.dataclass import dataclass
from kohort.model.shown import shown
from kohort.spans import Origin

MOST_LEVELS: Final = 100  # no Kubernetes object needs more
_WORDS: Final = frozenset({"param", "when", "sum", "product"})
_PIECE: Final = re.compile(r"\$\$\{|\$\{([^}]*)(\})?")


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, truth value or null as written."""

    origin: Origin
    value: Any


@dataclass(frozen=True, slots=True)
class Text:
    """A text in pieces: odd ones are names."""

    origin: Origin
    pieces: tuple[str, ...]
    names: tuple[str, ...]  # whose values stand in it

    @property
    def alone(self) -> bool:
        """Whether it is nothing but one value as text."""
        return len(self.pieces) == 3 and not self.pieces[0] and not self.pieces[2]


@dataclass(frozen=True, slots=True)
class Param:
    """The value of a name, or `other` where it is not set."""

    origin: Origin
    name: str
    other: Node | None = None


@dataclass(frozen=True, slots=True)
class When:
    """`then` where all conditions hold, else `other`."""

    origin: Origin
    conditions: tuple[Node, ...]
    then: Node
    other: Node | None = None


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A sum or product of names, numbers and further arithmetic."""

    origin: Origin
    word: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """A mapping; keys are texts."""

    origin: Origin
    entries: tuple[tuple[Text, Node], ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    origin: Origin
    items: tuple[Node, ...]


Node: TypeAlias = Literal | Text | Param | When | Arithmetic | Map | Items


class ShapeError(ValueError):
    """A body that cannot be read, and where."""

    def __init__(self, origin: Origin, text: str) -> None:
        super().__init__(text)
        self.origin = origin


def read_body(value: Any, at: Origin, level: int = 0) -> Node:
    """The tree of a body or a part of it.

    Raises:
        ShapeError: at the first placeholder that is not one of the forms above, or beyond 100 levels.
    """
    if level > MOST_LEVELS:
        raise ShapeError(at, f"it is nested deeper than {MOST_LEVELS} levels")
    if isinstance(value, str):
        return read_text(value, at)
    if isinstance(value, list):
        return Items(at, tuple(read_body(item, at.child(i), level + 1) for i, item in enumerate(value)))
    if not isinstance(value, Mapping):
        return Literal(at, value)
    if _WORDS & value.keys():
        return _placeholder(value, at, level)
    entries = []
    for key, item in value.items():
        if not isinstance(key, str):
            raise ShapeError(at, f"the key {shown(key)} is no text; write it in quotes")
        below_it = at.child(key)
        entries.append((read_text(key, below_it), read_body(item, below_it, level + 1)))
    return Map(at, tuple(entries))


def read_text(text: str, at: Origin) -> Text:
    """A text with its `${…}`.

    Raises:
        ShapeError: where a `${` has no end.
    """
    pieces, end = [""], 0
    for match in _PIECE.finditer(text):
        pieces[-1] += text[end : match.start()]
        end = match.end()
        if match[1] is None:
            pieces[-1] += "${"
        elif match[2] is None:
            raise ShapeError(at, "a `${` has no `}`; write `$${` for the characters themselves")
        else:
            pieces += [match[1], ""]
    pieces[-1] += text[end:]
    return Text(at, tuple(pieces), tuple(pieces[1::2]))


def below(node: Node) -> Iterator[Node]:
    """The nodes directly below one, keys included."""
    match node:
        case Map():
            for key, value in node.entries:
                yield key
                yield value
        case Items():
            yield from node.items
        case Arithmetic():
            yield from node.operands
        case Param() if node.other is not None:
            yield node.other
        case When():
            yield from node.conditions
            yield node.then
            if node.other is not None:
                yield node.other
        case _:
            pass


_FORMS: Final = {
    "param": ({"param"}, {"else"}, "{param: NAME} or {param: NAME, else: VALUE}"),
    "when": (
        {"when", "then"},
        {"else"},
        "{when: NAME, then: VALUE} or {when: NAME, then: VALUE, else: VALUE}",
    ),
    "sum": ({"sum"}, set[str](), "{sum: [A, B]}"),
    "product": ({"product"}, set[str](), "{product: [A, B]}"),
}


def _placeholder(value: Mapping[Any, Any], at: Origin, level: int) -> Node:
    word = next(w for w in _FORMS if w in value)
    needed, more, form = _FORMS[word]
    wrong = [key for key in value if key not in needed | more]
    if wrong or needed - value.keys():
        what = (
            f"{shown(wrong[0])} does not belong there"
            if wrong
            else f"`{min(needed - value.keys())}` is missing"
        )
        raise ShapeError(at.child(word), f"`{word}` makes this mapping a placeholder, written {form}; {what}")
    other = read_body(value["else"], at.child("else"), level + 1) if "else" in value else None
    inside, operands = at.child(word), value[word]
    if word == "param":
        if not isinstance(operands, str):
            raise ShapeError(inside, f"`param` takes a name, not {shown(operands)}")
        return Param(at, operands, other)
    if word == "when":
        conditions = _operands(operands, inside, level) if isinstance(operands, list) and operands else ()
        conditions = conditions or (_operand(operands, inside, level + 1),)
        return When(at, conditions, read_body(value["then"], at.child("then"), level + 1), other)
    if not isinstance(operands, list) or len(operands) < 2:
        raise ShapeError(inside, f"`{word}` takes a list of at least two names or numbers")
    return Arithmetic(at, word, _operands(operands, inside, level))


def _operands(values: list[Any], at: Origin, level: int) -> tuple[Node, ...]:
    return tuple(_operand(value, at.child(i), level + 1) for i, value in enumerate(values))


def _operand(value: Any, at: Origin, level: int) -> Node:
    """A name, a number or a placeholder."""
    if isinstance(value, str):
        return Param(at, value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Literal(at, value)
    if isinstance(value, Mapping) and _WORDS & value.keys():
        return read_body(value, at, level)
    raise ShapeError(at, f"{shown(value)} is neither a name nor a number")
