"""What placeholders give, and every fault in the values given, each at its place."""

from __future__ import annotations

import pytest
from template_texts import (
    FACTS,
    GPUS,
    HERE,
    OPT,
    PODS,
    TEXT,
    faults_of,
    parameter,
    place,
    rendered,
    template,
)

from kohort.model.template import render
from kohort.model.template_context import Context
from kohort.spans import Origin


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        ({"param": "opt"}, {"opt": 0}, 0),
        ({"param": "opt"}, {}, "left out"),
        ({"param": "opt"}, {"opt": None}, "left out"),
        ({"param": "opt", "else": {"a": "b"}}, {}, {"a": "b"}),
        ({"param": "opt", "else": 7}, {"opt": 0}, 0),
        ("${opt}", {"opt": 0}, "0"),
        ("${opt}", {}, "left out"),
        ("${gpus}-${name}", {}, "1-fit-1"),
        ("$${gpus} $gpus $(gpus) $$", {}, "${gpus} $gpus $(gpus) $$"),
        ("${gangs}", {}, "true"),
        ({"when": "opt", "then": "yes"}, {"opt": 0}, "left out"),
        ({"when": "opt", "then": "yes"}, {"opt": -1}, "yes"),
        ({"when": "opt", "then": "yes", "else": "no"}, {}, "no"),
        ({"when": "text", "then": "yes"}, {"text": ""}, "left out"),
        ({"when": "opt", "then": "a ${opt} b"}, {"opt": 3}, "a 3 b"),
        ({"when": ["gangs", {"sum": ["pods", -1]}], "then": "many"}, {}, "many"),
        ({"when": ["gangs", {"sum": ["pods", -1]}], "then": "many", "else": "one"}, {"pods": 1}, "one"),
        ({"sum": ["pods", -1]}, {"pods": 1}, 0),
        ({"product": ["gpus", "pods", 3]}, {"gpus": 2}, 12),
        ({"product": ["gpus", 0.5]}, {"gpus": 3}, 1.5),
        ({"product": ["gpus", 0.5]}, {"gpus": 4}, 2),
        ({"product": ["gpus", "cpuPerAccelerator"]}, {"gpus": 3}, "30"),
        ({"product": ["gpus", "memoryPerAccelerator"]}, {"gpus": 3}, "300Gi"),
        ({"product": ["opt", "gpus"]}, {}, "left out"),
        ({"sum": [{"param": "opt", "else": 5}, 1]}, {}, 6),
        ([{"when": "opt", "then": 1}, {"param": "opt"}], {}, "left out"),
        ([{"when": "opt", "then": 1}, 2, {"param": "gpus"}], {}, [2, 1]),
        ({"a": {"b": {"param": "opt"}}}, {}, "left out"),
        ({}, {}, {}),
        ([], {}, []),
        ({"k": None, "t": True}, {}, {"k": None, "t": True}),
        (
            {"${accelerator}": {"when": "gpus", "then": {"param": "gpus"}}},
            {"gpus": 2},
            {"example.com/gpu": 2},
        ),
        ({"${accelerator}": {"when": "gpus", "then": {"param": "gpus"}}}, {"gpus": 0}, "left out"),
    ],
)
def test_placeholders(expression, values, expected):
    # A parameter that the expression does not use would be a fault of the template.
    used = {"u": ["${gpus}", "${pods}", "${opt}", "${text}"]}
    body = {"x": expression, "keep": 1, **used}
    result = rendered(body, values, GPUS, PODS, OPT, TEXT).body["spec"].get("x", "left out")
    assert result == expected
    assert type(result) is type(expected)


def test_every_field_knows_what_decided_it():
    spec = {
        "typed": {"param": "gpus"},
        "cpu": {"product": ["gpus", "cpuPerAccelerator"]},
        "default": {"param": "pods"},
        "fact": {"param": "accelerator"},
        "literal": [{"when": "opt", "then": 0}, "x"],
    }
    entries = rendered(spec, {"gpus": 4}, GPUS, PODS, OPT).entries
    assert entries["spec", "typed"] == (HERE.child("gpus"), "")
    assert entries["spec", "cpu"] == (
        HERE.child("gpus"),
        "4 gpus × 10 cpuPerAccelerator ((100 − 20 cpu) ÷ 8 GPUs per node = 10) = 40",
    )
    assert entries["spec", "default"][0] == Origin("t.yaml", 0, ("spec", "parameters", 0, "default"))
    assert entries["spec", "fact"][0] == Origin("cluster.yaml")
    # The first item was left out: the second one of the body is the first of the result.
    assert entries["spec", "literal", 0][0] == Origin("t.yaml", 0, ("spec", "body", "spec", "literal", 1))
    assert ("spec", "literal", 1) not in entries


ONE = parameter("gpus", required=True, minimum=0, maximum=8)


@pytest.mark.parametrize(
    ("values", "message", "origin"),
    [
        ({"gpus": 9}, "gpus: `9` is above 8", HERE.child("gpus")),
        ({"gpus": -1}, "gpus: `-1` is below 0", HERE.child("gpus")),
        ({"gpus": "4"}, "gpus: `4` is no whole number", HERE.child("gpus")),
        ({"gpus": True}, "gpus: `true` is no whole number", HERE.child("gpus")),
        ({"gpus": 4.0}, "gpus: `4.0` is no whole number", HERE.child("gpus")),
        ({"gpus": [4]}, "gpus: a list is no whole number", HERE.child("gpus")),
        ({"gpus": 10**5000}, "gpus: the number does not fit 64 bits", HERE.child("gpus")),
        ({}, "parameter gpus of template t needs a value", HERE.child("gpus", part="key")),
        (
            {"gpsu": 4},
            "template t has no parameter `gpsu`; did you mean `gpus`?",
            HERE.child("gpsu", part="key"),
        ),
    ],
)
def test_values_that_do_not_fit(values, message, origin):
    result = render(template({"x": {"param": "gpus"}}, ONE), values, Context(FACTS), place())
    assert faults_of(result) == [(f"Workload fit: {message}", origin)]
    assert {fault.code for fault in result} == {"SRC142"}


def test_all_faults_come_at_once_and_a_fact_is_no_parameter():
    result = render(
        template({"x": {"param": "gpus"}}, ONE), {"gpus": 9, "zebra": 1, "name": "x"}, Context(FACTS), place()
    )
    assert [message for message, _ in faults_of(result)] == [
        "Workload fit: template t has no parameter `zebra`",
        "Workload fit: template t has no parameter `name`",
        "Workload fit: gpus: `9` is above 8",
    ]
    assert result[1].help[0] == "name is a fact that every template knows: name of the object, run included"


@pytest.mark.parametrize(
    ("spec", "where"),
    [
        ({"${accelerator}": {"when": "gpus", "then": {"param": "gpus"}}}, "gpus"),
        ({"x": {"when": "gpus", "then": ["of ${accelerator}"]}}, "gpus"),
        ({"x": "of ${accelerator}", "y": "${gpus}"}, ""),
    ],
)
def test_a_fact_that_is_not_known_here(spec, where):
    facts = {name: fact for name, fact in FACTS.items() if name != "accelerator"}
    context = Context(facts, {"accelerator": "queue q has no accelerators"})
    result = render(template(spec, ONE), {"gpus": 2}, context, place())
    assert faults_of(result) == [
        (
            "Workload fit: template t needs `accelerator`, but queue q has no accelerators",
            HERE.child(where) if where else HERE,
        )
    ]


def test_sums_beyond_64_bits_and_keys_that_meet():
    big = parameter("big", default=2**62)
    result = render(template({"x": {"product": ["big", 4]}}, big), {}, Context(FACTS), place())
    assert [m for m, _ in faults_of(result)] == [
        "Workload fit: 4611686018427387904 big × 4 is beyond what Kubernetes can hold"
    ]
    result = render(template({"${text}": 1, "a": 2}, TEXT), {"text": "a"}, Context(FACTS), place())
    assert [m for m, _ in faults_of(result)] == ["Workload fit: two keys become `a`"]
