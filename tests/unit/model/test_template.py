"""The template language: what placeholders give, what values are taken, and what is wrong with a template as such."""

from fractions import Fraction
from typing import Any

import pytest

from kohort.model.repo import Parameter, WorkloadTemplate
from kohort.model.template import Place, Rendered, render
from kohort.model.template_check import prepare
from kohort.model.template_context import Context, Fact
from kohort.model.template_values import from_text, matches, measured, read_value
from kohort.objects.quantity import Quantity
from kohort.spans import Origin

HERE = Origin("run.yaml", 0, ("spec", "values"))
FACTS = {
    "name": Fact("fit-1", Origin("run.yaml")),
    "accelerator": Fact("example.com/gpu", Origin("cluster.yaml")),
    "cpuPerAccelerator": Fact(
        Quantity.parse("10"), Origin("cluster.yaml"), "(100 − 20 cpu) ÷ 8 GPUs per node = 10"
    ),
    "memoryPerAccelerator": Fact(Quantity.parse("100Gi"), Origin("cluster.yaml")),
    "gangs": Fact(True, Origin("cluster.yaml")),
}


def parameter(name: str, kind: str = "integer", index: int = 0, **more: Any) -> Parameter:
    rest: dict[str, Any] = {
        "description": f"about {name}",
        "default": None,
        "required": False,
        "minimum": None,
        "maximum": None,
        "enum": (),
        "pattern": "",
    }
    return Parameter(name=name, type=kind, path=("spec", "parameters", index), **{**rest, **more})


def template(spec: Any, *parameters: Parameter, **body: Any) -> WorkloadTemplate:
    whole = {"apiVersion": "v1", "kind": "Thing", "spec": spec, **body}
    return WorkloadTemplate(
        name="t", origin=Origin("t.yaml"), description="a test", parameters=parameters, body=whole
    )


def place(origin: Origin = HERE) -> Place:
    return Place(origin, origin.child, "Workload fit")


def rendered(spec: Any, values: dict[str, Any], *parameters: Parameter, **missing: str) -> Rendered:
    facts = {name: fact for name, fact in FACTS.items() if name not in missing}
    result = render(template(spec, *parameters), values, Context(facts, missing), place())
    assert isinstance(result, Rendered), [fault.message for fault in result]
    return result


GPUS = parameter("gpus", default=1)
PODS = parameter("pods", default=2)
OPT = parameter("opt")
TEXT = parameter("text", "string")


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


def faults_of(result: Any) -> list[tuple[str, Any]]:
    assert isinstance(result, tuple)
    return [(fault.message, fault.primary.origin) for fault in result]


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
    (found,) = prepare(template(deep))
    assert "nested deeper than 100 levels" in found.message


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
