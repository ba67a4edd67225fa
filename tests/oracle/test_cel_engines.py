"""A second CEL engine, cel-python, gives the same answers as ours on what policies use of the language itself."""

from __future__ import annotations

import sys

import celpy
import pytest
from celpy.adapter import json_to_cel
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.policy.cel import Evaluator

TEAMS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["blue", "red", "green"]),
            "gpus": st.integers(0, 64),
            "leads": st.lists(st.sampled_from("ab"), max_size=3),
        }
    ),
    max_size=4,
)
EXPRESSIONS = [
    "teams.all(t, t.gpus <= 32)",
    "teams.exists(t, t.name == 'blue' && t.gpus > 8)",
    "teams.exists_one(t, t.leads.size() == 2)",
    "teams.filter(t, t.gpus % 2 == 0).map(t, t.name)",
    "teams.map(t, t.gpus).size() == teams.size()",
    "teams.size() > 0 ? teams[0].gpus * 2 - 1 : -1",
    "'blue' in teams.map(t, t.name)",
    "teams.all(t, has(t.name) && !has(t.owner))",
    "teams.filter(t, t.name.startsWith('b') || t.name.contains('ee')).size()",
    "teams.all(t, t.name.matches('^[a-z]+$'))",
    "teams.map(t, t.leads).filter(l, 'a' in l).size()",
    "string(teams.size()) + '/' + string(64)",
]


def their_programs():
    """One program per expression; making an environment raises the recursion limit for good, which is put back."""
    limit = sys.getrecursionlimit()
    environment = celpy.Environment()
    try:
        return {text: environment.program(environment.compile(text)) for text in EXPRESSIONS}
    finally:
        sys.setrecursionlimit(limit)


THEIRS = their_programs()


@pytest.fixture(scope="module")
def ours():
    with Evaluator() as running:
        yield running


@pytest.mark.parametrize("expression", EXPRESSIONS)
@settings(max_examples=25, deadline=None)
@given(teams=TEAMS)
def test_both_engines_agree(ours, expression, teams):
    theirs = THEIRS[expression].evaluate({"teams": json_to_cel(teams)})
    answer = ours.ask(expression, (), {"teams": teams})
    assert answer.failure is None, answer.text
    assert answer.value == theirs
