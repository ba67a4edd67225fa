"""Codes of policies (`POLxxx`): what an organisation's own rule found, and rules that cannot be asked."""

from __future__ import annotations

from typing import Final

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc

_HEAD = """\
# file: ci/policies/example.yaml
apiVersion: kohort.dev/v1alpha1
kind: Policy
metadata: {name: example}
spec:
  about: team
  rules:
"""
_OBJECT = _HEAD.replace("about: team", "about: object\n  kinds: [AppWrapper]\n  admission: {}")
_TEST = """\
---
apiVersion: kohort.dev/v1alpha1
kind: PolicyTest
metadata: {name: example}
spec:
  policy: example
  cases:
"""
_BLUE = """\
# file: teams/blue/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue]
  access: {admins: {users: [%s]}, members: {groups: [blue-devs]}}
"""
_TWO = "  - {expression: team.admins.users.size() >= 2, message: a team has two admins}\n"
_GOOD = _HEAD + "  - {expression: team.namespaces.size() > 0, message: a team has a namespace}\n"


def _row(
    code: str, name: str, severity: Severity, summary: str, why: str, bad: str, good: str = _GOOD
) -> CodeDoc:
    consequence = Consequence.POLICY if code == "POL201" else Consequence.INVALID
    return CodeDoc(code, name, severity, consequence, summary, why, bad, good)


RULES: Final = (
    _row(
        "POL101",
        "policy-does-not-compile",
        Severity.ERROR,
        "An expression of a policy is no CEL, or names a variable or function that is not there.",
        "Nothing could be judged by it, and a rule that is not asked must not look like a rule that holds. "
        "`kohort policy show` prints what there is.",
        _HEAD + "  - {expression: 'team.namespaces.size() >', message: a team has a namespace}\n",
    ),
    _row(
        "POL102",
        "policy-costs-too-much",
        Severity.ERROR,
        "An expression of a policy may cost more than the bound.",
        "Macros inside macros multiply. The estimate takes every list for 300 elements; what is above the bound is "
        "never evaluated.",
        _HEAD
        + "  - expression: team.queues.all(a, team.queues.all(b, team.queues.all(c, team.queues.all(d, a.name <= d.name))))\n"
        "    message: names are in order\n",
    ),
    _row(
        "POL103",
        "policy-does-not-answer",
        Severity.ERROR,
        "An expression of a policy did not answer in time.",
        "Its process was ended after two seconds, or the whole policy took more than a minute, so the change is not judged "
        "by it. Most likely it compares all of a long list with all of another, or a regular expression backtracks.",
        _HEAD
        + "  - {expression: \"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.find('(a+)+$') == ''\", message: never said}\n"
        + _BLUE % "alice",
    ),
    _row(
        "POL104",
        "policy-fails",
        Severity.ERROR,
        "An expression of a policy failed, or gave something other than true or false.",
        "It was asked and gave no answer, so nothing is known. Usually a key is absent: ask with `has(…)` first.",
        _HEAD + "  - {expression: team.motto == 'fast', message: a team has a motto}\n" + _BLUE % "alice",
    ),
    _row(
        "POL105",
        "policy-test-fails",
        Severity.ERROR,
        "An example of a policy test came out differently.",
        "The policy does not do what its own examples say.",
        _GOOD + _TEST + "  - {name: no namespace, given: {team: {namespaces: []}}, expect: pass}\n",
        _GOOD + _TEST + "  - {name: no namespace, given: {team: {namespaces: []}}, expect: fail}\n",
    ),
    _row(
        "POL106",
        "policy-test-without-policy",
        Severity.ERROR,
        "A policy test names a policy that does not exist.",
        "Its examples test nothing.",
        _GOOD
        + _TEST.replace("policy: example", "policy: exmaple")
        + "  - {name: a, given: {}, expect: pass}\n",
    ),
    _row(
        "POL107",
        "policy-not-for-the-api-server",
        Severity.ERROR,
        "A policy with `admission` uses what only Kohort knows.",
        "The API server sees one object and the request. It would refuse the ValidatingAdmissionPolicy, and nothing "
        "would be enforced.",
        _OBJECT
        + "  - {expression: 'object.metadata.name in repository.flavors', message: name it after a flavor}\n",
        _OBJECT
        + "  - {expression: object.metadata.name.size() < 40, message: a name has less than 40 letters}\n",
    ),
    _row(
        "POL108",
        "policy-about-unknown-kind",
        Severity.WARNING,
        "A policy on objects names a kind that neither Kohort knows nor any cluster has.",
        "It is asked about nothing, and looks like a rule that holds.",
        _HEAD.replace("about: team", "about: object\n  kinds: [AppWraper]")
        + "  - {expression: object.metadata.name.size() < 40, message: a name has less than 40 letters}\n",
        _OBJECT
        + "  - {expression: object.metadata.name.size() < 40, message: a name has less than 40 letters}\n",
    ),
    _row(
        "POL201",
        "policy-violated",
        Severity.ERROR,
        "Something breaks a policy of the organisation.",
        "The policy says what and why; its severity is the policy's own.",
        _HEAD + _TWO + _BLUE % "alice",
        _HEAD + _TWO + _BLUE % "alice, bob",
    ),
)
_BY_CODE: Final = {row.code: row for row in RULES}


def row(code: str) -> CodeDoc:
    """The documentation of a code."""
    return _BY_CODE[code]
