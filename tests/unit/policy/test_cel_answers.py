"""Expressions answer what the API server's own CEL library answers; where they do not, it is listed here with the reason.

The answers were recorded by `tests/oracle/cel/main.go`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from kohort.policy.cel.check import compiled
from kohort.policy.cel.library import BESIDE
from kohort.policy.cel.library.conversions import shown
from kohort.policy.cel.values import Duration, Maybe, Moment, kind_of
from kohort.policy.cel.wire import decoded, encoded
from kohort.policy.cel.wrong import Wrong

RECORDED = json.loads((Path(__file__).parents[2] / "data/cel_answers.json").read_text("utf-8"))
GIVEN = RECORDED["variables"]

# The server checks the types of what is written out before it evaluates; the same values from an object pass there as well.
TYPES_OF_LITERALS = {
    "1 == 1.0", "1u == 1", "[1,2][0u]", "[1,2][0.0]", "null == 1", "[1] == [1.0]", "{'a':1} == {'a':1.0}", "1 == 'a'",
    "true ? 'a' : 1", "2 in [1.0, 2.0]", "{1:'a', 'b': 2}", "{1:'a'}[1.0]", "[1,[2,[3]]].flatten()", "[1,[2,[3]]].flatten(2)",
    "[[1],[2,[3]]].flatten()", "[f, 2.5].sum()", "m == {'a': 1, 'b': {'c': 'x'}}", "[1, 1.0, 'a'].distinct()",
    "optional.of(1) == optional.of(1.0)", "quantity('1').sub(2).sign()",
}  # fmt: skip
ANSWERED_HERE_ALONE = {
    "isQuantity(5)": "a number is no quantity",
    "isQuantity(n)": "a number is no quantity",
    "[n, f].sort()": "what policies see has whole numbers and fractions",
}
NOT_MADE_HERE = {
    "{true: 1}[true]": "keys are texts and whole numbers",
    "s.matches('(?i)HÉLLO')": "case beyond ASCII",
    r"s.matches('\\pL+')": "classes of Unicode",
    r"s.matches('\\Qh\\E')": "quoting in a regular expression",
    "s.matches('(?U)a+')": "the flag U",
}
SAID_OTHERWISE = {"timestamp('2024-01-01T00:00:00+02:00')": "2023-12-31T22:00:00Z"}  # the same moment


def plain(value):
    """As the recorder writes it."""
    if isinstance(value, Maybe):
        return {"optional": [plain(value.value)] if value.there else []}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"type": "double", "text": shown(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (Duration, Moment)):
        return {"type": kind_of(value), "text": shown(value)}
    ((_, text),) = encoded(value).values()
    return {"type": kind_of(value), "text": text}


def answer(expression):
    try:
        return plain(compiled(expression)(dict(GIVEN)))
    except Wrong:
        return {"refused": True}


def only_here(expression):
    return (
        expression in TYPES_OF_LITERALS
        or expression in ANSWERED_HERE_ALONE
        or any(f"{name}(" in expression for name in (*BESIDE, "cel.bind"))
    )


@pytest.mark.parametrize("one", RECORDED["answers"], ids=lambda one: one["expression"][:60])
def test_the_answer_is_the_servers(one):
    expression, theirs = one["expression"], one["answer"]
    ours = answer(expression)
    if expression in SAID_OTHERWISE:
        assert ours["text"] == SAID_OTHERWISE[expression]
    elif expression in NOT_MADE_HERE:
        assert ours == {"refused": True} != theirs
    elif only_here(expression):
        assert theirs == {"refused": True} != ours
    else:
        assert ours == theirs
        assert isinstance(ours, bool) is isinstance(theirs, bool)  # in Python 1 equals True


def test_what_differs_is_still_among_what_was_recorded():
    known = {one["expression"] for one in RECORDED["answers"]}
    assert {*TYPES_OF_LITERALS, *ANSWERED_HERE_ALONE, *NOT_MADE_HERE, *SAID_OTHERWISE} <= known
    assert len(known) > 600


@pytest.mark.parametrize("one", RECORDED["answers"], ids=lambda one: one["expression"][:60])
def test_values_come_back_from_the_process_as_they_were(one):
    try:
        value = compiled(one["expression"])(dict(GIVEN))
    except Wrong:
        return
    again = decoded(json.loads(json.dumps(encoded(value))))
    assert repr(plain(again)) == repr(plain(value))
    assert kind_of(again) == kind_of(value)
