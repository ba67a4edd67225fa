"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from kohort.diagnostics.count import count_of


@pytest.mark.parametrize(("number", "words"), [(0, "0 fixes"), (1, "1 fix"), (2, "2 fixes")])
def test_one_is_no_plural(number, words):
    assert count_of(number, "fix", "fixes") == words
    assert count_of(number, "node") == (f"{number} node" if number == 1 else f"{number} nodes")
