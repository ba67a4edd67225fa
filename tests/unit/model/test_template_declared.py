"""What is wrong with a template as such, and how values of each type are taken."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from template_texts import (
    faults_of,
    parameter,
    template,
)

from kohort.model.repo import WorkloadTemplate
from kohort.model.template_check import prepare
from kohort.model.template_values import from_text, matches, measured, read_value
from kohort.objects.quantity import Quantity
from kohort.spans import Origin

BODY = ("spec", "body", "spec")


@pytest.mark.parametrize(
    ("spec", "message", "path"),
    [
        ({"x": {"param": "gpu"}}, "there is no parameter or fact `gpu`; did you mean `gpus`?", ("x",)),
        ({"x": "a ${gpu}"}, "there is no parameter or fact `gpu`; did you mean `gpus`?", ("x",)),
        ({"x": "${gpus"}, "a `${` has no `}`; write `$${` for the characters themselves", ("x",)),
        (
            {"x": {"param": "gpus", "default": 1}},
            (
                "`param` makes this mapping a placeholder, written {param: NAME} or {param: NAME, else: VALUE}; "
                "`default` does not belong there"
            ),
            ("x", "param"),
        ),
        (
            {"x": {"when": "gpus"}},
            (
                "`when` makes this mapping a placeholder, written {when: NAME, then: VALUE} or "
                "{when: NAME, then: VALUE, else: VALUE}; `then` is missing"
            ),
            ("x", "when"),
        ),
        ({"x": {"sum": ["gpus"]}}, "`sum` takes a list of at least two names or numbers", ("x", "sum")),
        (
            {"x": {"sum": ["gpus", "name"]}},
            "`sum` takes numbers and quantities; name is neither",
            ("x", "sum", 1),
        ),
        ({"x": {"sum": ["gpus", None]}}, "nothing is neither a name nor a number", ("x", "sum", 1)),
        (
            {"x": {"sum": [{"param": "gpus", "else": "one"}, 1]}},
            "`sum` takes numbers and quantities, and names only as {param: NAME}",
            ("x", "sum", 0, "else"),
        ),
        ({"x": {"param": 1}}, "`param` takes a name, not `1`", ("x", "param")),
        ({"x": {"param": "gpus"}, 8: 1}, "the key `8` is no text; write it in quotes", ()),
        ({"x": "for ${gpus}"}, "a text uses `gpus`, which may have no value", ("x",)),
    ],
)
def test_bodies_that_cannot_be_read(spec, message, path):
    found = prepare(template(spec, parameter("gpus")))
    shown = [entry for entry in faults_of(found) if "decides nothing" not in entry[0]]
    assert shown == [(f"WorkloadTemplate t: {message}", Origin("t.yaml", 0, (*BODY, *path)))]
    assert {fault.code for fault in found} == {"SRC141"}


def test_bodies_without_a_header_or_with_too_much_of_one():
    bare = WorkloadTemplate(name="t", origin=Origin("t.yaml"), description="", parameters=(), body=[1])
    assert [m for m, _ in faults_of(prepare(bare))] == [
        "WorkloadTemplate t: `body` must be a mapping: the object to make"
    ]
    found = faults_of(
        prepare(template({}, kind="${name}", metadata={"finalizers": ["x"], "labels": {"a": "b"}}))
    )
    assert found == [
        (
            "WorkloadTemplate t: `body` needs `kind` as a plain text",
            Origin("t.yaml", 0, ("spec", "body", "kind")),
        ),
        (
            "WorkloadTemplate t: `metadata` may hold labels and annotations, not `finalizers`",
            Origin("t.yaml", 0, ("spec", "body", "metadata", "finalizers"), "key"),
        ),
    ]
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    ((message, _),) = faults_of(prepare(template(deep)))
    assert "nested deeper than 100 levels" in message


@pytest.mark.parametrize(
    ("fields", "message", "path"),
    [
        ({"default": 9, "maximum": 8}, "parameter gpus: the default `9` is above 8", ("default",)),
        ({"default": "x"}, "parameter gpus: the default `x` is no whole number", ("default",)),
        ({"enum": (1, 2), "default": 3}, "parameter gpus: the default `3` is none of `1`, `2`", ("default",)),
        ({"enum": (1, "b")}, "parameter gpus: the choice `b` is no whole number", ("enum", 1)),
        (
            {"minimum": 9, "maximum": 8},
            "parameter gpus: minimum 9 is above maximum 8, so that no value fits",
            ("maximum",),
        ),
        (
            {"default": 1, "required": True},
            "parameter gpus is required and has a default: it can only be one of both",
            ("default",),
        ),
        ({"pattern": "x"}, "parameter gpus: `pattern` means nothing for type integer", ("pattern",)),
        (
            {"kind": "string", "minimum": 1},
            "parameter gpus: `minimum` means nothing for type string",
            ("minimum",),
        ),
        (
            {"kind": "string", "pattern": "("},
            "parameter gpus: `(` is no regular expression (neither look-around nor back-references)",
            ("pattern",),
        ),
    ],
)
def test_parameters_that_no_value_fits(fields, message, path):
    more = dict(fields)
    found = prepare(
        template({"x": {"param": "gpus"}}, parameter("gpus", more.pop("kind", "integer"), **more))
    )
    at = Origin("t.yaml", 0, ("spec", "parameters", 0, *path))
    assert faults_of(found) == [(f"WorkloadTemplate t: {message}", at)]


def test_names_of_parameters():
    twice = prepare(template({"x": {"param": "a"}}, parameter("a"), parameter("a", index=1)))
    assert [m for m, _ in faults_of(twice)] == ["WorkloadTemplate t: parameter a is declared twice"]
    fact = prepare(template({"x": {"param": "queue"}}, parameter("queue")))
    assert "parameter queue has the name of a fact" in faults_of(fact)[0][0]
    unused = prepare(template({"x": 1}, parameter("a")))
    assert [m for m, _ in faults_of(unused)] == [
        "WorkloadTemplate t: parameter a decides nothing: the body does not use it"
    ]


@pytest.mark.parametrize(
    ("kind", "raw", "expected"),
    [
        ("number", 1.5, 1.5),
        ("number", 2, 2),
        ("string", "", ""),
        ("boolean", False, False),
        ("quantity", "64Gi", Quantity.parse("64Gi")),
        ("quantity", 8, Quantity.parse("8")),
        ("quantity", 0.5, Quantity.parse("500m")),
        ("duration", "1h30m", "1h30m"),
        ("duration", "0s", "0s"),
    ],
)
def test_values_by_type(kind, raw, expected):
    assert read_value(parameter("p", kind), raw) == expected


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        ("number", float("nan"), "is no number"),
        ("number", "1", "`1` is no number"),
        ("string", 1.1, "`1.1` is no text; write it in quotes"),
        ("string", "x" * 70000, "a text may have at most 65536 characters, this one has 70000"),
        ("boolean", "yes", "`yes` is neither true nor false"),
        ("quantity", "8 GB", "is no quantity"),
        ("quantity", "-1", "`-1` is below zero"),
        ("duration", "7d", 'the unit "d" is not known; a day is 24h'),
        ("duration", 60, 'a duration is a text such as "30s", not int'),
        ("duration", "-1s", "`-1s` is below zero"),
    ],
)
def test_values_of_another_type(kind, raw, message):
    with pytest.raises(ValueError) as caught:
        read_value(parameter("p", kind), raw)
    assert message in str(caught.value)


def test_ranges_of_durations_are_seconds_and_of_quantities_units():
    hour = parameter("p", "duration", maximum=3600)
    assert read_value(hour, "60m") == "60m"
    with pytest.raises(ValueError, match="`61m` is above 3600 seconds"):
        read_value(hour, "61m")
    cores = parameter("p", "quantity", minimum=1, enum=("1", "2000m"))
    assert read_value(cores, 2) == Quantity.parse("2")
    with pytest.raises(ValueError, match="`500m` is below 1"):
        read_value(cores, "500m")
    assert measured("duration", "90s") == Fraction(90)


def test_patterns_match_whole_texts_in_linear_time():
    word = parameter("p", "string", pattern="[a-z]+")
    assert read_value(word, "abc") == "abc"
    for wrong in ("abc\n", "1abc", "a b"):
        with pytest.raises(ValueError, match=r"does not match the pattern \[a-z\]\+"):
            read_value(word, wrong)
    assert not matches("(a+)+b", "a" * 60_000)  # a backtracking engine would not come back


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("integer", "8", 8),
        ("integer", "-8", -8),
        ("integer", "8x", "8x"),
        ("integer", "9" * 5000, "9" * 5000),
        ("number", "1.5", 1.5),
        ("boolean", "true", True),
        ("boolean", "True", "True"),
        ("string", "8", "8"),
        ("quantity", "8", "8"),
    ],
)
def test_values_from_the_command_line(kind, text, expected):
    result = from_text(parameter("p", kind), text)
    assert result == expected
    assert type(result) is type(expected)
