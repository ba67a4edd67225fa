"""What an expression may cost at most, before it is evaluated.

Nested macros multiply: `a.all(x, b.all(y, …))`. The estimate counts the words
of an expression, each as often as the macros around it repeat it when every list has `LIST` elements, and counts
functions that walk their input with `WALK`, regular expressions with `PATTERN`. It is no promise about time: that is
kept by the process that evaluates (`evaluator.py`), which is ended when it does not answer.
"""

from __future__ import annotations

from typing import Final

from kohort.policy.cel.tokens import Word, words

LIST: Final = 300
WALK: Final = 10
PATTERN: Final = 50
MAX_COST: Final = 10_000_000
MAX_LENGTH: Final = 10_000  # characters of one expression
MAX_DEPTH: Final = 100  # open brackets

_MACROS: Final = frozenset(
    {"all", "exists", "exists_one", "existsOne", "filter", "map", "sortBy", "transformList", "transformMap",
     "transformMapEntry"}
)  # fmt: skip
_WALKING: Final = frozenset(
    {"contains", "endsWith", "startsWith", "indexOf", "lastIndexOf", "split", "join", "replace", "sum", "min", "max",
     "isSorted", "equivalent", "intersects", "distinct", "sort", "flatten", "format", "quantity", "isQuantity",
     "reverse", "in", "range"}
)  # fmt: skip
_PATTERNS: Final = frozenset({"matches", "find", "findAll"})


def too_much(expression: str) -> str:
    """Why an expression is never evaluated, in words; empty where it may be."""
    if len(expression) > MAX_LENGTH:
        return f"it has more than {MAX_LENGTH:,} characters"
    if estimate(expression) <= MAX_COST:
        return ""
    depth = most = 0
    for word in words(expression):
        depth += (word.text in "([{") - (word.text in ")]}")
        most = max(most, depth)
    if most > MAX_DEPTH:
        return f"it opens more than {MAX_DEPTH} brackets inside each other"
    return f"with {LIST} elements in every list its estimated cost is above {MAX_COST:,}"


def estimate(expression: str) -> int:
    """The estimated cost; `MAX_COST + 1` for what is too long or too deep to be looked at."""
    if len(expression) > MAX_LENGTH:
        return MAX_COST + 1
    total, repeats = 0, 1
    open_brackets: list[int] = []  # the factor to return to at each closing bracket
    before: tuple[Word | None, Word | None] = (None, None)
    for word in words(expression):
        if word.text in "([{":
            open_brackets.append(repeats)
            if len(open_brackets) > MAX_DEPTH:
                return MAX_COST + 1
            if word.text == "(" and _is_macro(*before):
                repeats *= LIST
        elif word.text in ")]}":
            repeats = open_brackets.pop() if open_brackets else repeats
        elif word.kind != "sign" or word.text not in ",.":
            total += repeats * _weight(word)
        if total > MAX_COST:
            return MAX_COST + 1
        before = (before[1], word)
    return total


def _is_macro(dot: Word | None, name: Word | None) -> bool:
    return dot is not None and name is not None and dot.text == "." and name.text in _MACROS


def _weight(word: Word) -> int:
    if word.kind != "name":
        return 1
    return PATTERN if word.text in _PATTERNS else WALK if word.text in _WALKING else 1
