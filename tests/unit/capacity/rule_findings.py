"""What the tests of capacity rules ask of one rule on one cluster."""

from __future__ import annotations

SLACK = frozenset({"slack"})


def only(rule, made):
    found = list(rule.check(made))
    assert len(found) == 1, [f.message for f in found]
    return found[0]


def silent(rule, made):
    return list(rule.check(made)) == []


def table(found):
    return [(t.sign, t.amount, t.text) for t in found.terms]
