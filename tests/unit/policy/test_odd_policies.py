"""Policies that are wrong in every way: each is told at its place, in words, and none passes in silence."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

sys.path.insert(0, str(Path(__file__).parents[2] / "plan"))
from plan_world import FILES

API = "apiVersion: kohort.dev/v1alpha1\n"
TEAM = "about: team"
VAP = "about: object\n  kinds: [AppWrapper]\n  admission: {}"


def rule(expression="true", **more):
    return json.dumps({"expression": expression, "message": "m", **more}, ensure_ascii=False)


def policy(*rules, about=TEAM, more=""):
    listed = "".join(f"  - {each}\n" for each in rules)
    return f"{API}kind: Policy\nmetadata: {{name: p}}\nspec:\n  {about}\n{more}  rules:\n{listed}"


def example(*cases):
    listed = "".join(f"  - {each}\n" for each in cases)
    return f"---\n{API}kind: PolicyTest\nmetadata: {{name: t}}\nspec:\n  policy: p\n  cases:\n{listed}"


def told(text):
    files = {**FILES, "ci/policies/p.yaml": text}
    report = check_repository(MemoryTree({k: v.encode() for k, v in files.items()}), Settings())[0].report
    return [
        (f.code, f.primary.origin.path, f.message)
        for f in report.findings
        if f.primary.origin.file.startswith("ci/policies") or f.code.startswith("POL")
    ]


EXPRESSION, MESSAGE = ("spec", "rules", 0, "expression"), ("spec", "rules", 0, "messageExpression")
VARIABLE = ("spec", "variables", 0, "expression")


@pytest.mark.parametrize(
    ("text", "code", "path", "words"),
    [
        (policy(rule("team.name ==")), "POL101", EXPRESSION, "the end stands where a value is expected (line 1, column 13"),
        (policy(rule("team.name = 'a'")), "POL101", EXPRESSION, "`=` compares nothing: write `==` (line 1, column 11"),
        (policy(rule("team.a & true")), "POL101", EXPRESSION, "`&` is no operator: write `&&` (line 1, column 8"),
        (policy(rule("team.name == 'a")), "POL101", EXPRESSION, "a text begins here and does not end (line 1, column 14"),
        (policy(rule("true\n&& tema.ok")), "POL101", EXPRESSION, "there is no variable `tema`; did you mean `team`?"),
        (policy(rule("true\n&& tema.ok")), "POL101", EXPRESSION, "(line 2, column 4 of the expression)"),
        (policy(rule("before == null")), "POL101", EXPRESSION, "no variable `before` (variables: actor, repository, team, variables)"),
        (policy(rule("team.name.lowerAsci() == ''")), "POL101", EXPRESSION, "no function `lowerAsci`; did you mean `lowerAscii`? (line 1, column 11"),
        (policy(rule("team.queues.all(q)")), "POL101", EXPRESSION, "`all` takes a name first and then what is asked of each"),
        (policy(rule("team.queues.all(q.x, true)")), "POL101", EXPRESSION, "`all` takes a simple name here (line 1, column 18"),
        (policy(rule("has(team)")), "POL101", EXPRESSION, "has(…) takes a field"),
        (policy(rule("Name{a: 1}.a == 1")), "POL101", EXPRESSION, "messages are not made here: write a map"),
        (policy(rule("1" * 5000 + " > 1")), "POL101", EXPRESSION, "a number has at most 100 characters (line 1, column 1"),
        (policy(rule("99999999999999999999 > 1")), "POL101", EXPRESSION, "is more than a whole number of 64 bits holds"),
        (policy(rule(r"team.name == '\d'")), "POL101", EXPRESSION, r"`\d` is no escape of CEL"),
        (policy(rule("// only a remark")), "POL101", EXPRESSION, "there is no expression"),
        (policy(rule("'yes'")), "POL101", EXPRESSION, "it must give true or false, and gives string"),
        (policy(rule("team.queues.size() * 2")), "POL101", EXPRESSION, "it must give true or false, and gives int"),
        (policy(rule("false", messageExpression="7")), "POL101", MESSAGE, "it must give a text, and gives int"),
        (policy(rule("false", messageExpression="team.a == 1")), "POL101", MESSAGE, "it must give a text, and gives bool"),
        (policy(rule("false", messageExpression="taem.name")), "POL101", MESSAGE, "there is no variable `taem`"),
        (policy(rule("variables.a == 2")), "POL101", EXPRESSION, "no variable `variables.a` (none is declared above it) (line 1, column 11"),
        (
            policy(rule("variables.a == 2"), more="  variables: [{name: a, expression: 'variables.b'}, {name: b, expression: '1'}]\n"),
            "POL101", VARIABLE, "no variable `variables.b` (none is declared above it)",
        ),
        (policy(rule("true ? true : " * 600 + "true")), "POL101", EXPRESSION, "it is nested too deep"),
        (policy(rule("(" * 150 + "true" + ")" * 150)), "POL102", EXPRESSION, "it opens more than 100 brackets inside each other"),
        (policy(rule("team.a.all(a, team.a.all(b, team.a.all(c, team.a.all(d, true))))")), "POL102", EXPRESSION, "with 300 elements in every list its estimated cost"),
        (policy(rule("'" + "x" * 9000 + "' == ''" + " " * 2000)), "SRC105", EXPRESSION, "more than 10000 characters"),
        (policy(rule("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')")), "POL103", EXPRESSION, "no answer within 2 s of processor time"),
        (
            policy(rule("variables.a.size() > 0"), more='  variables: [{name: a, expression: "' + "'xxxxxxxxxx'" + ".replace('x', 'xxxxxxxxxx')" * 9 + '"}]\n'),
            "POL102", VARIABLE, "it needs more than 1024 MiB",
        ),
        (policy(rule("team.queues.size()")), "POL101", EXPRESSION, "it must give true or false, and gives int"),
        (policy(rule("team.queues.map(q, 1).sum()")), "POL104", EXPRESSION, "it gave 1, not true or false"),
        (policy(rule("team.name.size(1) == 1")), "POL101", EXPRESSION, "`size` does not take 2 values (line 1, column 11"),
        (policy(rule("team.name.substring(1, 2, 3) == 'a'")), "POL101", EXPRESSION, "`substring` does not take 4 values"),
        (policy(rule("team.name.find('(') == ''")), "POL101", EXPRESSION, "'(' is no regular expression: missing )"),
        (policy(rule("1 / (team.queues.size() - team.queues.size()) > 0")), "POL104", EXPRESSION, "division by zero (line 1, column 3"),
        (policy(rule("team.owner == 'x'")), "POL104", EXPRESSION, "there is no key 'owner'; ask with has(…) first (line 1, column 5"),
        (policy(rule("team.name + 1 == 'x'")), "POL104", EXPRESSION, "`+` is not defined for string and int (line 1, column 11"),
        (policy(rule("team.quota.map(q, q.guarantee * 1.5).size() > 0")), "POL104", EXPRESSION, "`*` is not defined for int and double: write double(…) around the other one"),
        (policy(rule("!team.name.matches('(?=x)')")), "POL101", EXPRESSION, "has `(?=`, which RE2 does not know"),
        (policy(rule("false", messageExpression="1 + 1")), "POL101", MESSAGE, "it must give a text, and gives int"),
        (policy(rule("false", messageExpression="team.quota.map(q, 1).min()")), "POL104", MESSAGE, "it gave 1, not a text"),
        (policy(rule(severity="fatal")), "SRC104", ("spec", "rules", 0, "severity"), "cannot be `fatal`"),
        (policy(rule(audience="everybody")), "SRC104", ("spec", "rules", 0, "audience"), "cannot be `everybody`"),
        (policy(rule(message="a\nb")), "SRC105", ("spec", "rules", 0, "message"), "a message is one line"),
        (policy(rule(message=" ")), "SRC105", ("spec", "rules", 0), "it needs `message` or `messageExpression`"),
        (policy(rule(), more="  variables: [{name: for, expression: '1'}]\n"), "SRC105", ("spec", "variables", 0, "name"), "`for` is a reserved word of CEL"),
        (policy(rule(), about="about: object\n  kinds: [Job, Job]"), "SRC105", ("spec", "kinds", 1), "the kind `Job` stands twice"),
        (policy(rule(), about=VAP.replace("{}", "{operations: [CREATE, CREATE]}")), "SRC105", ("spec", "admission", "operations", 1), "`CREATE` stands twice"),
        (policy(rule("cel.bind(x, math.abs(1), x == 1)"), about=VAP), "POL107", EXPRESSION, "the API server knows no `cel.bind()`, `math.abs()`"),
        (policy(rule("authorizer.group('').check()"), about=VAP), "POL107", EXPRESSION, "the API server knows no `authorizer`, `check()`, `group()`"),
        (policy(rule("object.spec.suspend"), about=VAP), "POL107", EXPRESSION, "must see that the expression gives true or false, and fields have no type"),
        (policy(rule("true", messageExpression="object.metadata.name"), about=VAP), "POL107", MESSAGE, "must see that the expression gives a text"),
        (policy(rule("true", messageExpression="variables.a"), about=VAP, more="  variables: [{name: a, expression: object.metadata.name}]\n"), "POL107", MESSAGE, "gives a text"),
        (policy(rule("params.x == 1"), about=VAP), "POL107", EXPRESSION, "the API server knows no `params`"),
        (policy(rule()) + "---\n" + policy(rule()), "SRC107", ("metadata", "name"), "Policy p is declared twice"),
        (policy(rule()) + example("{name: a, given: {}, expect: pass, message: x}"), "SRC105", ("spec", "cases", 0, "message"), "what passes is told nothing"),
        (policy(rule()) + example(*["{name: a, given: {}, expect: pass}"] * 2), "SRC105", ("spec", "cases", 1, "name"), "the example `a` stands twice"),
        (policy(rule()) + example("{name: a, given: {tema: {}}, expect: pass}"), "POL105", ("spec", "cases", 0, "given", "tema"), "which the policy does not see; did you mean `team`?"),
        (policy(rule("team.name != ''")) + example("{name: a, given: {}, expect: pass}"), "POL104", EXPRESSION, "asked about example `a`: there is no variable or function `team`"),
    ],
)  # fmt: skip
def test_each_is_told_once_at_its_place(text, code, path, words):
    found = [each for each in told(text) if each[0] != "POL201"]
    assert [each[:2] for each in found] == [(code, path)]
    assert words in found[0][2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        policy(rule("team.title != '日本' && team.name.size() < 9 // ünï", message="größer 🎉")),
        policy(rule("cel.bind(x, team.name, x != '')")),
        policy(rule("[" * 90 + "1" + "]" * 90 + " != []")),
        policy(rule(" && ".join(["true"] * 900))),
        policy(rule("team.?nothing.?here.orValue('') == '' && team.queues.all(place, q, place >= 0 && q.name != '')")),
        policy(rule("oldObject == null && request.operation == 'CREATE' && request.kind.kind == 'AppWrapper'"), about=VAP),
        f"{API}kind: Policy\nmetadata: {{name: p}}\nspec: {{about: team, description: &a why, rules: [&x {{expression: 'true', message: *a}}, *x]}}\n",
    ],
)  # fmt: skip
def test_what_is_sound_though_odd_says_nothing(text):
    assert told(text) == []


def test_a_rule_whose_message_fails_still_says_what_is_wrong():
    ((code, _, message), *_) = told(policy(rule("team.name != 'blue'", messageExpression="team.nope")))
    assert (code, message) == ("POL201", "team blue: m")


def test_examples_see_what_the_api_server_adds():
    seen = "oldObject == null && namespaceObject == null && request.operation == 'CREATE'"
    kind = "request.kind == {'group': 'x.dev', 'version': 'v1', 'kind': 'AppWrapper'} && request.namespace == 'blue'"
    given = "{object: {apiVersion: x.dev/v1, kind: AppWrapper, metadata: {name: a, namespace: blue}}}"
    sound = policy(rule(f"{seen} && {kind}"), about=VAP)
    assert told(sound + example(f"{{name: a, given: {given}, expect: pass}}")) == []
    later = given.replace("{object", "{oldObject: {}, object")
    ((code, _, message),) = told(sound + example(f"{{name: a, given: {later}, expect: pass}}"))
    assert (code, message) == ("POL105", "policy p: example `a` should pass, and is told: m")
