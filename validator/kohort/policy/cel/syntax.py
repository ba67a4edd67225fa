"""Expressions as trees. Source: the CEL language definition, section Syntax, with Kubernetes' optional fields and indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kohort.dataclass import dataclass
from kohort.policy.cel.literals import number_of, text_of
from kohort.policy.cel.tokens import Word, words
from kohort.policy.cel.wrong import Wrong

_RESERVED: Final = frozenset(
    {"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
     "namespace", "return", "var", "void", "while"}
)  # fmt: skip
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_LEVELS: Final = {
    sign: level
    for level, signs in enumerate(("||", "&&", "< <= > >= == != in", "+ -", "* / %"))
    for sign in signs.split()
}
_END: Final = "the end"


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression, where it begins or where its operator stands.

    `kind` is `value` (of `data`), `name` (called `data`), `select` and `maybe` (`.data` and `.?data`), `index` and
    `maybe-index`, `call` (of `data`, on the first part where `method`), `list`, `map` (keys and values in turn), `if`,
    `not`, `minus`, or a sign of two parts. `optional` numbers the entries of a list or map that stand behind `?`.
    """

    kind: str
    offset: int
    data: Any = None
    parts: tuple[Node, ...] = ()
    method: bool = False
    optional: frozenset[int] = frozenset()


def parse(expression: str) -> Node:
    """The tree of an expression. Raises Wrong for what is no CEL."""
    return _Parser(expression).whole()


class _Parser:
    def __init__(self, expression: str) -> None:
        self._words = [*words(expression), Word("end", "", len(expression))]
        self._at = 0

    def whole(self) -> Node:
        if len(self._words) == 1:
            raise Wrong("there is no expression", 0)
        node = self._expression()
        if self._word.kind != "end":
            raise self._unexpected("an operator or the end")
        return node

    @property
    def _word(self) -> Word:
        return self._words[self._at]

    def _take(self) -> Word:
        self._at += 1
        return self._words[self._at - 1]

    def _is(self, text: str) -> bool:
        return self._word.text == text and self._word.kind in ("sign", "name")

    def _skip(self, text: str) -> bool:
        if self._is(text):
            self._at += 1
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._skip(text):
            raise self._unexpected(f"`{text}`")

    def _unexpected(self, wanted: str) -> Wrong:
        word = self._word
        if word.kind == "sign" and word.text in "'\"":
            return Wrong("a text begins here and does not end", word.offset)
        if word.text == "=":
            return Wrong("`=` compares nothing: write `==`", word.offset)
        if word.text in ("&", "|"):
            return Wrong(f"`{word.text}` is no operator: write `{word.text * 2}`", word.offset)
        found = f"`{word.text}`" if word.kind != "end" else _END
        return Wrong(f"{found} stands where {wanted} is expected", word.offset)

    def _expression(self) -> Node:
        node = self._binary()
        if not self._is("?"):
            return node
        offset = self._take().offset
        first = self._binary()
        self._expect(":")
        return Node("if", offset, parts=(node, first, self._expression()))

    def _binary(self, level: int = 0) -> Node:
        """What signs of at least a level bind together, weaker ones last."""
        node = self._unary()
        while self._word.kind in ("sign", "name") and _LEVELS.get(self._word.text, -1) >= level:
            word = self._take()
            right = self._binary(_LEVELS[word.text] + 1)
            if word.text == node.kind and word.text in ("&&", "||"):  # a long chain is no deep tree
                node = Node(word.text, node.offset, parts=(*node.parts, right))
            else:
                node = Node(word.text, word.offset, parts=(node, right))
        return node

    def _unary(self) -> Node:
        signs = []
        while self._is("!") or self._is("-"):
            signs.append(self._take())
        if signs and signs[-1].text == "-" and self._word.kind == "number":
            sign = signs.pop()
            node = self._rest(Node("value", sign.offset, self._number(self._take(), "-")))
        else:
            node = self._rest(self._primary())
        for sign in reversed(signs):
            node = Node("not" if sign.text == "!" else "minus", sign.offset, parts=(node,))
        return node

    def _rest(self, node: Node) -> Node:
        """What follows a value: fields, calls and indices."""
        while True:
            offset = self._word.offset
            if self._skip("."):
                node = self._field(node, offset)
            elif self._skip("["):
                kind = "maybe-index" if self._skip("?") else "index"
                node = Node(kind, offset, parts=(node, self._expression()))
                self._expect("]")
            elif self._is("{") and node.kind in ("name", "select"):
                raise Wrong("messages are not made here: write a map, {'key': value}", offset)
            else:
                return node

    def _field(self, node: Node, dot: int) -> Node:
        if self._skip("?"):
            return Node("maybe", dot, self._name(), (node,))
        offset = self._word.offset
        name = self._name()
        if self._skip("("):
            return Node("call", offset, name, (node, *self._items(")", self._expression)), method=True)
        return Node("select", dot, name, (node,))

    def _name(self) -> str:
        word = self._word
        if word.kind != "name" or word.text == "in":
            raise self._unexpected("a name")
        self._at += 1
        return word.text

    def _items(self, end: str, one: Callable[[], Node]) -> list[Node]:
        """What stands between brackets, with commas between and perhaps behind."""
        found: list[Node] = []
        while not self._skip(end):
            if found:
                self._expect(",")
                if end != ")" and self._skip(end):
                    break
            found.append(one())
        return found

    def _primary(self) -> Node:
        word = self._word
        if word.kind == "text":
            return Node("value", word.offset, text_of(self._take().text, word.offset))
        if word.kind == "number":
            return Node("value", word.offset, self._number(self._take()))
        if word.text == "(":
            self._at += 1
            node = self._expression()
            self._expect(")")
            return node
        if word.text in ("[", "{") and word.kind == "sign":
            self._at += 1
            return self._list(word.offset) if word.text == "[" else self._map(word.offset)
        self._skip(".")
        if self._word.kind != "name" or self._word.text == "in":
            raise self._unexpected("a value")
        return self._named(self._take())

    def _named(self, word: Word) -> Node:
        if word.text in _CONSTANTS:
            return Node("value", word.offset, _CONSTANTS[word.text])
        if word.text in _RESERVED:
            raise Wrong(f"`{word.text}` is a reserved word of CEL", word.offset)
        if self._skip("("):
            return Node("call", word.offset, word.text, tuple(self._items(")", self._expression)))
        return Node("name", word.offset, word.text)

    def _number(self, word: Word, sign: str = "") -> int | float:
        after = self._word
        if after.kind in ("name", "number") and after.offset == word.offset + len(word.text):
            raise Wrong(f"`{word.text}{after.text}` is no number", word.offset)
        return number_of(sign + word.text, word.offset)

    def _list(self, offset: int) -> Node:
        optional: set[int] = set()
        count = 0

        def one() -> Node:
            nonlocal count
            if self._skip("?"):
                optional.add(count)
            count += 1
            return self._expression()

        return Node("list", offset, parts=tuple(self._items("]", one)), optional=frozenset(optional))

    def _map(self, offset: int) -> Node:
        optional: set[int] = set()
        flat: list[Node] = []

        def one() -> Node:
            if self._skip("?"):
                optional.add(len(flat) // 2)
            flat.append(self._expression())
            self._expect(":")
            flat.append(self._expression())
            return flat[-1]

        self._items("}", one)
        return Node("map", offset, parts=tuple(flat), optional=frozenset(optional))
