"""The codes of this layer and the text helpers below the renderers."""

from __future__ import annotations

import re

import pytest

from kohort.diagnostics.codes import OWN_CODES, RULES
from kohort.diagnostics.identity import relative
from kohort.diagnostics.visible import json_safe, visible, width, without_leading_commands
from kohort.spans import Origin


def test_every_code_is_documented():
    assert [rule.code for rule in RULES] == ["SUP101", "SUP102", "SUP103", "SUP111", "SUP112", "SUP121"]
    assert frozenset(rule.code for rule in RULES) == OWN_CODES
    for rule in RULES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
        assert rule.summary.endswith(".")
        assert rule.why.endswith(".")
        assert rule.bad
        assert rule.good
        assert rule.bad != rule.good


def test_a_finding_of_a_code_takes_its_weight():
    rule = RULES[0]
    found = rule.finding("m", Origin("a"), label="l", help=("h",), subject="s")
    assert (found.code, found.name, found.severity, found.consequence) == (
        rule.code,
        rule.name,
        rule.severity,
        rule.consequence,
    )
    assert (found.primary.text, found.help, found.subject) == ("l", ("h",), "s")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text: 研究 é", "plain text: 研究 é"),
        ("a\tb\nc", "a\\x09b\\x0ac"),
        ("\x7f\x85\xa0\xad", "\\x7f\\x85\\xa0\\xad"),
        ("\u061c\u200e\u2066", "\\u061c\\u200e\\u2066"),
        ("\U000e0041", "\\U000e0041"),
        ("\u3164\uffa0\u2800", "\\u3164\\uffa0\\u2800"),
        ("##[error]##vso[x ## [", "#\\x23[error]#\\x23vso[x ## ["),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("a\n  ::error::x", "a\n  \\x3a:error::x"),
        ("a ::error::x", "a ::error::x"),
        (" ::: b.yaml:1:1", " ::: b.yaml:1:1"),
        ("fe80::1", "fe80::1"),
    ],
)
def test_a_line_cannot_begin_with_a_workflow_command(text, shown):
    assert without_leading_commands(text) == shown


def test_json_escapes_keep_the_value():
    assert json_safe('"\u202e\U000e0041 ##[x] é"') == '"\\u202e\\udb40\\udc41 #\\u0023[x] é"'


def test_width_counts_columns():
    assert [width(text) for text in ("abc", "研究", "e\u0301", "🚀", "")] == [3, 4, 1, 2, 0]


def test_two_ways_to_type_a_path_are_one():
    assert [relative(path) for path in ("a", "./a", ".//./a", "../a", "/a", "")] == [
        "a",
        "a",
        "a",
        "../a",
        "/a",
        "",
    ]
