"""What a mapping means: duplicates, keys, anchors and merges, tags and numbers."""

from __future__ import annotations

import pytest
from read_text import QUEUE, only, read, shown, value


def test_three_times_is_one_finding_that_names_all() -> None:
    text = "a: 1\nb: 2\na: 3\na: 4\n"
    finding = only(text)
    assert shown(text) == ['3:1 YAM003 duplicate key "a" (first at line 1)']
    assert [(label.origin.path[1], label.text) for label in finding.related] == [
        (1, "first here"),
        (4, "and here"),
    ]
    assert read(text).documents[0].value == {"b": 2}


def test_the_same_key_in_different_spelling_is_a_duplicate() -> None:
    assert shown('8: a\n"8": b\n')[-1] == '2:1 YAM003 duplicate key "8" (first at line 1)'


def test_a_duplicate_is_not_filled_from_a_merge() -> None:
    text = "x: &x {a: 1, b: 2}\nz:\n  <<: *x\n  a: 3\n  a: 4\n"
    assert read(text).documents[0].value["z"] == {"b": 2}


def test_the_same_key_in_two_mappings_is_none() -> None:
    assert value("a: {x: 1}\nb: {x: 1}\nc: [{x: 1}, {x: 1}]\n")["c"] == [{"x": 1}, {"x": 1}]


def test_a_duplicate_in_an_anchored_value_is_one_finding() -> None:
    text = "a: &a {x: 1, x: 2, z: 3}\nb: *a\n"
    assert len(read(text).findings) == 1
    assert read(text).documents[0].value == {"a": {"z": 3}, "b": {"z": 3}}


def test_keys_that_read_otherwise() -> None:
    text = QUEUE + "metadata:\n  labels: {on: x, 010: y, 1.10: z, 8: a, true: b}\n"
    assert read(text).documents[0].value["metadata"]["labels"] == {"1.1": "z"}
    assert sorted(line.split(" ", 2)[1] for line in shown(text)) == (
        ["YAM003"] * 2 + ["YAM016"] * 3 + ["YAM017"] * 2
    )
    assert shown(QUEUE + "on: x\n") == ['3:1 YAM016 key on without quotes is a boolean and becomes "true"']
    assert shown(QUEUE + "8: x\n") == ['3:1 YAM017 key 8 is a number, used as the text "8"']


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("null: x\n", "null"),
        ("? [a]\n: x\n", "a list"),
        ("? {a: b}\n: x\n", "a mapping"),
        ("18446744073709551615: x\n", "a number beyond 2^63"),
    ],
)
def test_unusable_keys_are_left_out_with_their_values(text: str, what: str) -> None:
    result = read("a: 1\n" + text + "b: {c: 2}\n")
    assert [f.message for f in result.findings] == [
        f"a key cannot be {what}: Kubernetes knows keys of text only"
    ]
    assert result.documents[0].value == {"a": 1, "b": {"c": 2}}


def test_aliases_are_copies() -> None:
    document = value("a: &a {x: [1]}\nb: *a\nc: [*a, *a]\n")
    document["b"]["x"].append(2)
    document["c"][0]["x"].append(3)
    assert document["a"] == {"x": [1]}
    assert document["c"] == [{"x": [1, 3]}, {"x": [1]}]


def test_merge_lists_prefer_the_earlier_and_own_keys_win() -> None:
    assert value("<<: [{a: 1, b: 1}, {b: 2, c: 2}]\nc: 3\n") == {"a": 1, "b": 1, "c": 3}


def test_a_quoted_merge_key_is_a_key() -> None:
    assert value('"<<": {a: 1}\n') == {"<<": {"a": 1}}


@pytest.mark.parametrize("text", ["<<: 3\n", "<<:\n", "x: &l [{a: 1}]\ny:\n  <<: *l\n", "<<: [{a: 1}, 2]\n"])
def test_bad_merges(text: str) -> None:
    assert only(text).code == "YAM011"


def test_merge_below_an_own_key_warns_and_the_own_key_wins() -> None:
    text = "a: 1\nb: 2\n<<: {a: 3, c: 4}\n"
    assert shown(text) == [
        '3:1 YAM012 "<<" stands below a: kubectl takes the merged value, not the one typed here'
    ]
    assert read(text).documents[0].value == {"a": 1, "b": 2, "c": 4}


def test_two_merge_keys_are_a_duplicate_and_merge_nothing() -> None:
    text = "<<: {a: 1}\n<<: {b: 2}\nc: 3\n"
    assert shown(text) == ['2:1 YAM003 duplicate key "<<" (first at line 1)']
    assert read(text).documents[0].value == {"c": 3}


def test_tags() -> None:
    assert value('a: !!str 8\nb: !!int "8"\nc: !!float 8\nd: !!bool "yes"\ne: !!null ""\nf: ! 8\n') == {
        "a": "8", "b": 8, "c": 8.0, "d": True, "e": None, "f": "8",
    }  # fmt: skip
    assert shown(QUEUE + "a: !!int many\n") == ['3:10 YAM021 "many" cannot be read as !!int']
    assert shown(QUEUE + "a: !vault [x]\n") == [
        "3:11 YAM020 tag !vault means nothing to Kubernetes: kubectl reads the value as if the tag were not there"
    ]


def test_infinity_is_no_value() -> None:
    text = "a: .inf\nb: [-.Inf, .nan]\n"
    assert shown(text) == [
        "1:4 YAM019 .inf is infinite, which JSON and so Kubernetes cannot say",
        "2:5 YAM019 -.Inf is infinite, which JSON and so Kubernetes cannot say",
        "2:12 YAM019 .nan is not a number, which JSON and so Kubernetes cannot say",
    ]
    assert read(text).documents[0].value == {"a": ".inf", "b": ["-.Inf", ".nan"]}


def test_styles_of_files_without_objects_are_not_judged() -> None:
    assert read("theme: !relative x\non: push\n").findings == ()
