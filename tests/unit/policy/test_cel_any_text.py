"""Whatever stands in a policy as an expression has an answer: that it may be asked, or where and why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.policy.cel import Evaluator, Failure

PIECES = st.sampled_from(
    ["'", '"', "a", "1", "(", ")", "[", "]", "{", "}", ".", "?", ":", "&&", "||", "!", "-", "+", "in", "has", ".all(", ".map(",
     "x", ",", "variables", "\\", "r'", "b'", "'''", "0x", "1e", "u", "`", "//", "\n", "é", "\x00", "null", "'('", "%", "==", " "]
)  # fmt: skip


@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=40))
def test_every_text_compiles_or_says_where_it_does_not(text):
    answer = Evaluator().compiles(text, ["a", "x", "variables"])
    assert answer.failure in (None, Failure.SYNTAX, Failure.COST)
    if answer.failure is Failure.SYNTAX:
        assert answer.text
        assert 1 <= answer.line <= text.count("\n") + 1
        assert 1 <= answer.column <= len(text) + 1


@pytest.mark.parametrize(
    "text",
    ["1" * 5000, "0x" + "f" * 5000, "!" * 9000 + "true", "a." * 4000 + "a", "1" + "?1:1" * 2000, "'a'.find('" + "(" * 500 + "')"],
)  # fmt: skip
def test_what_is_endless_is_told(text):
    answer = Evaluator().compiles(text)
    assert answer.failure is Failure.SYNTAX
    assert len(answer.text) < 200
