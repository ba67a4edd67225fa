"""The words of a CEL expression, as far as its cost needs them.

Source: the CEL language definition, section Syntax. Anything that is no word of CEL is a token of its own; whether
the whole is an expression is decided by the library that evaluates it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kohort.dataclass import dataclass

_WORDS: Final = re.compile(
    r"""
      (?P<blank>[ \t\r\n\f]+ | //[^\n]*)
    | (?P<text>
          (?:[rR][bB]?|[bB][rR])(?:'''.*?'''|\"\"\".*?\"\"\"|'[^'\n]*'|"[^"\n]*")  # raw: a backslash is a backslash
        | [bB]?(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    | (?P<name>[_a-zA-Z][_a-zA-Z0-9]*)
    | (?P<number>(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)u?)
    | (?P<sign>&&|\|\||[<>=!]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `kind` is text, name, number or sign."""

    kind: str
    text: str
    offset: int


def words(expression: str) -> Iterator[Word]:
    """The words in order, without blanks and comments."""
    for found in _WORDS.finditer(expression):
        kind = found.lastgroup or "sign"
        if kind != "blank":
            yield Word(kind, found.group(), found.start())
