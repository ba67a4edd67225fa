from __future__ import annotations

import json
from pathlib import Path

import pytest

from kohort.objects import names
from kohort.objects.lookalikes import lookalike, skeleton, visible

TABLE = json.loads((Path(__file__).parents[2] / "data" / "matching.json").read_text(encoding="utf-8"))[
    "names"
]
GRAMMARS = ("dns_label", "dns_subdomain", "rfc1035_label", "label_key", "label_value")


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_agrees_with_the_real_library(grammar):
    judge = getattr(names, grammar)
    assert {row[grammar] for row in TABLE} == {True, False}
    assert [row["text"] for row in TABLE if (judge(row["text"]) is None) is not row[grammar]] == []


@pytest.mark.parametrize(
    ("grammar", "text", "reason"),
    [
        ("dns_label", "", "it is empty"),
        ("dns_label", "a" * 64, "it has 64 characters; at most 63 are allowed"),
        ("dns_label", "team_a", "'_' at position 5 is not allowed; use lower-case letters, digits and '-'"),
        ("dns_label", "a.b", "'.' at position 2 is not allowed; use lower-case letters, digits and '-'"),
        ("dns_label", "-a", "it starts with '-' at position 1; it must start with a letter or digit"),
        ("dns_label", "a-", "it ends with '-' at position 2; it must end with a letter or digit"),
        ("dns_label", "a\n", "'\\n' at position 2 is not allowed; use lower-case letters, digits and '-'"),
        (
            "dns_label",
            "te\u0430m",
            "'\u0430' (U+0430 CYRILLIC SMALL LETTER A, looks like 'a') at position 3 is not allowed; use lower-case letters, digits and '-'",
        ),
        ("dns_subdomain", "a" * 254, "it has 254 characters; at most 253 are allowed"),
        (
            "dns_subdomain",
            "a..b",
            "there is nothing between dots at position 2; each part needs a letter or digit",
        ),
        (
            "dns_subdomain",
            "a.-b",
            "'-' at position 3 is not allowed there; each part between dots must start and end with a letter or digit",
        ),
        ("rfc1035_label", "1a", "it starts with '1'; it must start with a letter"),
        ("label_key", "a/b/c", "'/' at position 4 is one too many; at most one prefix is allowed"),
        ("label_key", "/b", "the prefix before '/' is wrong: it is empty"),
        ("label_key", "ex.com/", "the name after '/' is wrong: it is empty"),
        (
            "label_key",
            "ex.com/a b",
            "the name after '/' is wrong: ' ' at position 9 is not allowed; use letters, digits, '-', '_' and '.'",
        ),
        ("label_value", "x-", "it ends with '-' at position 2; it must end with a letter or digit"),
    ],
)
def test_the_reason_names_limit_character_and_position(grammar, text, reason):
    assert getattr(names, grammar)(text) == reason


@pytest.mark.parametrize(
    "text", ["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu", "x.kubernetes.io/y"]
)
def test_containers_may_request(text):
    assert names.container_resource_name(text) is None
    assert names.resource_name(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pods", "it is not a standard resource"),
        ("gpu", "it is not a standard resource"),
        ("requests.example.com/gpu", "it starts with 'requests.', which only ResourceQuotas use"),
        (f"{'a' * 250}/gpu", "it is too long to be counted by a ResourceQuota"),
        ("example.com/g pu", "the name after '/' is wrong: ' ' at position 14 is not allowed"),
    ],
)
def test_containers_may_not_request(text, reason):
    assert names.container_resource_name(text).startswith(reason)


def test_a_quota_may_name_what_containers_cannot_request():
    assert names.resource_name("pods") is None
    assert names.resource_name("gpu") is None


@pytest.mark.parametrize(
    ("text", "position", "twin"),
    [
        ("te\u0430m", 3, "a"),
        ("\uff47pu", 1, "g"),
        ("a\u2013b", 2, "-"),
        ("\u039fne", 1, "O"),
        ("1\u0660", 2, "0"),
    ],
)
def test_look_alikes_are_found(text, position, twin):
    found = lookalike(text)
    assert (found.position, found.twin, found.char) == (position, twin, text[position - 1])
    assert f"U+{ord(found.char):04X}" in str(found)


@pytest.mark.parametrize("text", ["", "team-a", "équipe", "日本", "\u200b", "\x1b"])
def test_other_characters_are_no_look_alikes(text):
    assert lookalike(text) is None


def test_names_that_look_alike_have_one_skeleton():
    assert skeleton("te\u0430m\u2011x") == "team-x" == skeleton("team-x")
    assert skeleton("\u0436") == "\u0436"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ж 日", "plain ж 日"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("x\u202egnp", "x\\u202egnp"),
        ("tab\tnl\ncr\r", "tab\\tnl\\ncr\\r"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\x9b31m", "\\x9b31m"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("nb\xa0sp", "nb\\xa0sp"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown
    assert visible(text).isprintable()
