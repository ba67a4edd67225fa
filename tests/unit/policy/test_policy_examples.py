"""Policy tests: what differs from what an example expects, and where it is shown."""

from __future__ import annotations

import dataclasses

import pytest

from kohort.diagnostics import Audience, Severity
from kohort.model.policy import Policy, PolicyCase, PolicyRule, PolicyTest
from kohort.policy.cel import Evaluator
from kohort.policy.examples import run
from kohort.spans import Origin

POLICY = Policy(
    name="two",
    origin=Origin("ci/policies/two.yaml"),
    title="",
    description="",
    subject="team",
    change=False,
    kinds=(),
    variables=(),
    when="",
    rules=(
        PolicyRule(
            expression="team.n >= 2",
            message="",
            message_expression="'has %d'.format([team.n])",
            help="",
            severity=Severity.ERROR,
            audience=Audience.TEAM,
            field=(),
            path=("spec", "rules", 0),
        ),
    ),
    admission=None,
)


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator() as running:
        yield running


def ran(evaluator, *cases, policy="two"):
    path = ("spec", "cases")
    made = tuple(
        PolicyCase(name=name, given=given, passes=passes, message=message, path=(*path, index))
        for index, (name, given, passes, message) in enumerate(cases)
    )
    test = PolicyTest(name="t", origin=Origin("ci/policies/two.yaml", 1), title="", policy=policy, cases=made)
    return list(run(test, {"two": POLICY}, evaluator))


@pytest.mark.parametrize(
    ("n", "passes", "message", "said"),
    [
        (2, True, "", None),
        (1, False, "", None),
        (1, False, "has 1", None),
        (1, True, "", "should pass, and is told: has 1"),
        (2, False, "", "should fail, and passes"),
        (1, False, "has 2", "should be told `has 2`, and is told: has 1"),
    ],
)
def test_what_an_example_says(evaluator, n, passes, message, said):
    (one,) = ran(evaluator, ("a", {"team": {"n": n}}, passes, message))
    assert (one.policy, one.case) == ("two", "a")
    if said is None:
        assert one.finding is None
    else:
        assert (one.finding.code, one.finding.message) == ("POL105", f"policy two: example `a` {said}")
        assert one.finding.primary.origin == Origin("ci/policies/two.yaml", 1, ("spec", "cases", 0))


def test_an_example_without_an_answer_points_at_the_policy(evaluator):
    (one,) = ran(evaluator, ("a", {"team": {}}, False, ""))
    assert one.finding.code == "POL104"
    assert one.finding.primary.origin.path == ("spec", "rules", 0, "expression")
    assert "asked about example `a`: there is no key 'n'" in one.finding.message


def test_every_example_is_run_though_one_fails(evaluator):
    cases = [(name, {"team": {"n": 1}}, True, "") for name in "abc"]
    assert [each.finding.message.split()[3] for each in ran(evaluator, *cases)] == ["`a`", "`b`", "`c`"]


def test_a_test_of_a_policy_that_does_not_exist_names_the_likely_one(evaluator):
    (one,) = ran(evaluator, ("a", {}, True, ""), policy="tow")
    assert (one.finding.code, one.finding.message) == (
        "POL106",
        "there is no policy `tow`; did you mean `two`?",
    )
    assert one.finding.primary.origin.path == ("spec", "policy")


@pytest.mark.parametrize(
    "given",
    [
        {"team": {"n": 10**30}},
        {"team": {"n": 2.5}},
        {"team": {"n": 2, "": "", "a b": None, "true": [True]}},
        {"team": {"n": 2}, "variables": 7},
        {"team": {"n": 2, "text": "\U0001f600\x00\ud800"}},
    ],
)
def test_odd_values_are_values(evaluator, given):
    (one,) = ran(evaluator, ("a", given, True, ""))
    assert one.finding is None or one.finding.code == "POL104"
    (again,) = ran(evaluator, ("a", {"team": {"n": 2}}, True, ""))
    assert again.finding is None


def test_an_example_whose_message_cannot_be_made_is_no_example_that_came_out(evaluator):
    spoken = dataclasses.replace(POLICY.rules[0], expression="team.ok", message="plain")
    policy = dataclasses.replace(POLICY, rules=(spoken,))
    case = PolicyCase(
        name="a", given={"team": {"ok": False}}, passes=False, message="", path=("spec", "cases", 0)
    )
    test = PolicyTest(
        name="t", origin=Origin("ci/policies/two.yaml", 1), title="", policy="two", cases=(case,)
    )
    (one,) = run(test, {"two": policy}, evaluator)
    assert one.finding.code == "POL104"
    assert one.finding.primary.origin.path == ("spec", "rules", 0, "messageExpression")
    assert "asked about example `a`: there is no key 'n'" in one.finding.message


def test_an_example_of_what_the_policy_does_not_see_is_told_at_its_name(evaluator):
    (one,) = ran(evaluator, ("a", {"team": {"n": 2}, "tema": {"n": 1}}, True, ""))
    assert (one.finding.code, one.finding.message) == (
        "POL105",
        "policy two: example `a` gives `tema`, which the policy does not see; did you mean `team`?",
    )
    assert one.finding.primary.origin == Origin(
        "ci/policies/two.yaml", 1, ("spec", "cases", 0, "given", "tema"), part="key"
    )
    assert one.finding.help == ("it sees actor, repository, team, variables",)
