"""One policy, one subject: what is said, in which words, and where an expression that gives no answer is shown."""

from __future__ import annotations

import copy

import pytest

from kohort.diagnostics import Audience, Severity
from kohort.model.policy import Policy, PolicyRule
from kohort.policy.ask import Unanswered, Violation, ask
from kohort.policy.cel import Answer, Failure
from kohort.policy.judge import judge, uncompiled
from kohort.policy.subject import Asked
from kohort.spans import Origin

ORIGIN = Origin("ci/policies/p.yaml")
BLUE = Origin("teams/blue/team.yaml")


class Told:
    """Answers from a table; counts what it was asked."""

    def __init__(self, **answers):
        self.answers, self.asked, self.begun = answers, [], 0

    def begin(self):
        self.begun += 1

    def ask(self, expression, known=(), variables=None):
        self.asked.append((expression, known, copy.deepcopy(dict(variables or {}))))
        found = self.answers.get(expression, True)
        return found if isinstance(found, Answer) else Answer(found)

    def compiles(self, expression, variables=None):
        return self.ask(expression)


def rule(expression="r", message="m", **more):
    given = {"message_expression": "", "help": "", "severity": Severity.ERROR, "audience": Audience.TEAM}
    given |= {"field": (), "path": ("spec", "rules", 0), **more}
    return PolicyRule(expression=expression, message=message, **given)


def policy(*rules, variables=(), when="", kinds=(), description=""):
    return Policy(
        name="p",
        origin=ORIGIN,
        title="",
        description=description,
        subject="team",
        change=False,
        kinds=kinds,
        variables=variables,
        when=when,
        rules=rules or (rule(),),
        admission=None,
    )


FAILED = Answer(failure=Failure.RUN, text="there is no key 'x'", line=2, column=7)
SLOW = Answer(failure=Failure.TIME, text="no answer within 2 s; its process was ended")


def test_what_holds_says_nothing():
    assert list(ask(policy(), Told(), ("state",), {"team": 1})) == []


def test_every_rule_that_does_not_hold_says_so_in_order():
    rules = (rule("a", "first"), rule("b", "second"), rule("c", "third"))
    said = list(ask(policy(*rules), Told(a=False, c=False), (), {}))
    assert [each.message for each in said] == ["first", "third"]


def test_variables_see_earlier_ones_and_are_asked_where_an_expression_first_names_them():
    told = Told(one=1, **{"variables.a + 1": 2})
    rules = (rule("variables.b > 0"), rule("variables['b'] > 0"))
    named = (("a", "one"), ("b", "variables.a + 1"), ("unused", "x"))
    list(ask(policy(*rules, variables=named), told, ("state",), {"team": 0, "variables": 9}))
    assert [(e, seen["variables"]) for e, _, seen in told.asked] == [
        ("one", {}),
        ("variables.a + 1", {"a": 1}),
        ("variables.b > 0", {"a": 1, "b": 2}),
        ("x", {"a": 1, "b": 2}),  # any may be meant by an index
        ("variables['b'] > 0", {"a": 1, "b": 2, "unused": True}),
    ]
    assert all(known == ("state",) for _, known, _ in told.asked)
    assert told.asked[-1][2] == {"team": 0, "variables": {"a": 1, "b": 2, "unused": True}}


def test_a_variable_that_cannot_be_had_spoils_nothing_where_it_is_not_needed():
    named = (("v", "before.x"),)
    told = Told(w=False, **{"before.x": FAILED})
    assert list(ask(policy(rule("variables.v > 0"), variables=named, when="w"), told, (), {})) == []
    assert [each[0] for each in told.asked] == ["w"]
    either = "w || variables.v > 0"
    told = Told(**{"before.x": FAILED, either: True})
    assert list(ask(policy(rule(either), variables=named), told, (), {})) == []


def test_a_variable_without_an_answer_is_shown_at_its_own_line():
    named = (("v", "before.x"), ("w", "variables.v + 1"))
    told = Told(**{"before.x": FAILED, "variables.v + 1": FAILED, "variables.w > 0": FAILED})
    said = list(ask(policy(rule("variables.w > 0"), variables=named), told, (), {}))
    assert said == [Unanswered(("spec", "variables", 0, "expression"), "before.x", FAILED)]
    told = Told(**{"before.x": SLOW})
    said = list(ask(policy(rule("variables.w > 0"), variables=named), told, (), {}))
    assert said == [Unanswered(("spec", "variables", 0, "expression"), "before.x", SLOW)]
    assert [each[0] for each in told.asked] == ["before.x"]


def test_when_it_is_false_no_rule_is_asked():
    told = Told(w=False, r=False)
    assert list(ask(policy(when="w"), told, (), {})) == []
    assert [each[0] for each in told.asked] == ["w"]


@pytest.mark.parametrize(
    ("given", "path", "expression"),
    [
        ({"w": FAILED}, ("spec", "when"), "w"),
        ({"r": FAILED}, ("spec", "rules", 0, "expression"), "r"),
    ],
)
def test_the_first_expression_without_an_answer_ends_it_at_its_line(given, path, expression):
    told = Told(**given)
    said = list(ask(policy(when="w"), told, (), {}))
    assert said == [Unanswered(path, expression, FAILED)]
    assert told.asked[-1][0] == expression


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        ("yes", '"yes"'),
        (1, "1"),
        ([True], "[true]"),
        ({}, "{}"),
        (float("nan"), "NaN"),
        ("x" * 200, f'"{"x" * 59}'),
    ],
)
def test_only_true_and_false_are_answers_and_others_are_shown_in_words_of_cel(value, shown):
    (said,) = ask(policy(), Told(r=value), (), {})
    assert said.answer.failure is Failure.RUN
    assert said.answer.text == f"it gave {shown}, not true or false"


def test_a_message_expression_says_it_better_and_the_message_where_it_fails():
    with_both = rule(message="plain", message_expression="t")
    assert [s.message for s in ask(policy(with_both), Told(r=False, t="better"), (), {})] == ["better"]
    for answer in ("", " ", FAILED):
        assert [s.message for s in ask(policy(with_both), Told(r=False, t=answer), (), {})] == ["plain"]
    alone = rule(message="", message_expression="t")
    (said,) = ask(policy(alone), Told(r=False, t=FAILED), (), {})
    assert said.message == "`r` does not hold (its messageExpression failed: there is no key 'x')"


@pytest.mark.parametrize(("answer", "shown"), [(7, "7"), (None, "null"), (["a"], '["a"]')])
def test_a_message_expression_that_gives_no_text_is_told_once_beside_what_it_should_have_said(answer, shown):
    broken = rule(message="plain", message_expression="t")
    subjects = [Asked(f"team {name}", {}, BLUE) for name in ("blue", "red")]
    found = list(judge(policy(broken), subjects, Told(r=False, t=answer), ()))
    assert [(f.code, f.primary.origin.file) for f in found] == [
        ("POL201", "teams/blue/team.yaml"),
        ("POL104", "ci/policies/p.yaml"),
    ]
    assert found[0].message == "team blue: plain"
    assert found[1].message == f"policy p: `t` failed, asked about team blue: it gave {shown}, not a text"
    assert found[1].primary.origin.path == ("spec", "rules", 0, "messageExpression")


def test_a_message_that_takes_too_long_hides_nothing_and_is_asked_once():
    broken = rule(message="plain", message_expression="t")
    told = Told(r=False, t=SLOW)
    subjects = [Asked(f"team {name}", {}, BLUE) for name in ("blue", "red", "green")]
    found = list(judge(policy(broken), subjects, told, ()))
    assert [(f.code, f.primary.origin.file) for f in found] == [
        ("POL201", "teams/blue/team.yaml"),
        ("POL103", "ci/policies/p.yaml"),
    ]
    assert found[1].primary.origin.path == ("spec", "rules", 0, "messageExpression")
    assert [each[0] for each in told.asked].count("t") == 1


def test_a_violation_says_what_where_and_what_next():
    one = rule(
        message="\x1b[31mtoo few\nadmins",
        help="name another",
        severity=Severity.WARNING,
        audience=Audience.ADMIN,
        field=("spec", "queues", 0),
    )
    (found,) = judge(policy(one, description="holidays"), [Asked("team blue", {}, BLUE)], Told(r=False), ())
    assert found.message == "team blue: \\x1b[31mtoo few\\nadmins"
    assert (found.code, found.severity, found.audience) == ("POL201", Severity.WARNING, Audience.ADMIN)
    assert (found.primary.origin.file, found.primary.origin.path) == (BLUE.file, ("spec", "queues", 0))
    assert found.primary.text == "policy p"
    assert (found.subject, found.field) == ("team blue", "spec.queues[0]")
    assert found.help == ("name another", "holidays")
    (related,) = found.related
    assert (related.origin.file, related.origin.path) == (ORIGIN.file, ("spec", "rules", 0))


def test_a_message_is_no_book():
    (found,) = judge(policy(rule(message="x" * 9_000)), [Asked("team blue", {}, BLUE)], Told(r=False), ())
    assert found.message == f"team blue: {'x' * 2000}…"


def test_one_expression_without_an_answer_is_one_finding_however_many_there_are_to_judge():
    subjects = [Asked(f"team {number}", {}, BLUE) for number in range(50)]
    (found,) = judge(policy(), subjects, Told(r=FAILED), ())
    assert found.message == (
        "policy p: `r` failed, asked about team 0: there is no key 'x' (line 2, column 7 of the expression)"
    )
    assert found.primary.origin.path == ("spec", "rules", 0, "expression")
    assert found.severity is Severity.ERROR
    assert found.help == ("what it should judge is not judged until it answers",)


def test_every_expression_that_does_not_compile_is_a_finding_at_its_own_line():
    bad = Answer(failure=Failure.SYNTAX, text="mismatched input ')'", line=1, column=3)
    dear = Answer(failure=Failure.COST, text="too much")
    broken = policy(
        rule("r", message_expression="t"),
        rule("s", path=("spec", "rules", 1)),
        variables=(("v", "v"),),
        when="w",
    )
    found = list(uncompiled(broken, Told(v=bad, w=dear, t=bad, s=dear)))
    assert [(f.code, f.primary.origin.path) for f in found] == [
        ("POL101", ("spec", "variables", 0, "expression")),
        ("POL102", ("spec", "when")),
        ("POL101", ("spec", "rules", 0, "messageExpression")),
        ("POL102", ("spec", "rules", 1, "expression")),
    ]
    assert (
        found[0].message
        == "policy p: `v` does not compile: mismatched input ')' (line 1, column 3 of the expression)"
    )


def test_each_policy_has_its_own_time():
    told = Told()
    list(uncompiled(policy(), told))
    list(judge(policy(), [], told, ()))
    assert told.begun == 2


def test_violations_are_kept_apart_from_silence():
    rules = (rule("a", "first"), rule("b", path=("spec", "rules", 1)))
    said = list(ask(policy(*rules), Told(a=False, b=FAILED), (), {}))
    assert [type(each) for each in said] == [Violation, Unanswered]


@pytest.mark.parametrize(("side", "other"), [("before", "after"), ("after", "before")])
def test_an_expression_that_forgets_a_side_that_does_not_exist_is_told(side, other):
    subject = Asked("team blue", {side: None, other: {"name": "blue"}}, BLUE)
    (found,) = judge(policy(), [subject], Told(r=FAILED), ())
    assert found.help[0] == f"`{side}` is null here: ask `{side} != null` first, in `when` for instance"
