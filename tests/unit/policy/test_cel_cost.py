"""What an expression may cost, estimated before anybody evaluates it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.policy.cel.cost import LIST, MAX_COST, MAX_DEPTH, MAX_LENGTH, estimate
from kohort.policy.cel.tokens import words


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        ("a", 1),
        ("a + b", 3),
        ("a.all(x, x)", 2 + 2 * LIST),
        ("a.all(x, b.exists(y, x == y)) && c", 2 + LIST * (1 + 2) + LIST * LIST * 4 + 2),
        ("all(x, y)", 3),  # a function of that name, no macro
        ("a.matches('x')", 1 + 50 + 1),
        ("'a.all(x, b.all(y, z))'", 1),  # inside a text nothing repeats
        ("a // .all(x, y)\n + b", 3),
        ("a.all(x, x) + b", 2 + 2 * LIST + 2),  # what follows is not repeated
    ],
)
def test_words_count_as_often_as_macros_repeat_them(expression, cost):
    assert estimate(expression) == cost


def test_three_nested_macros_over_unknown_lists_are_above_the_bound():
    two = "r.all(a, r.all(b, a.n <= b.n))"
    three = "r.all(a, r.all(b, r.all(c, a.n <= c.n)))"
    assert estimate(two) < MAX_COST < estimate(three)


@pytest.mark.parametrize("expression", ["a" * (MAX_LENGTH + 1), "(" * (MAX_DEPTH + 1), "[" * 5000])
def test_what_is_too_long_or_too_deep_is_above_the_bound(expression):
    assert estimate(expression) == MAX_COST + 1


@given(st.text(max_size=200))
def test_any_text_has_an_estimate_and_no_word_is_lost(text):
    assert 0 <= estimate(text) <= MAX_COST + 1
    found = list(words(text))
    assert all(text[word.offset :].startswith(word.text) for word in found)
    assert [word.offset for word in found] == sorted({word.offset for word in found})


@pytest.mark.parametrize("text", ["'''it's'''", '"a\\"b"', "r'\\'", "b'x'", '"""a\nb"""'])
def test_texts_are_one_word(text):
    assert [(word.kind, word.text) for word in words(text)] == [("text", text)]
