from __future__ import annotations

import json
from pathlib import Path

import pytest

from kohort.objects.affinity import matches_flavor
from kohort.objects.kueue.flavor import Taint
from kohort.objects.selectors import (
    matches,
    matches_node,
    matches_terms,
    reduce_to_keys,
    required_terms,
    tolerates,
    untolerated,
    validate_selector,
)
from kohort.spans import show_path

TABLE = json.loads((Path(__file__).parents[2] / "data" / "matching.json").read_text(encoding="utf-8"))


def server_path(path):
    """The server reports matchLabels as a whole; Kohort points at the label."""
    return "s.matchLabels" if path[0] == "matchLabels" else f"s.{show_path(path)}"


@pytest.mark.parametrize("row", TABLE["selectors"])
def test_selectors_agree_with_the_real_library(row):
    assert matches(row["selector"], row["labels"]) is row["matches"]
    assert {server_path(path) for path, _ in validate_selector(row["selector"])} == set(row["paths"])


@pytest.mark.parametrize("row", TABLE["nodes"])
def test_node_affinity_agrees_with_the_real_library(row):
    assert matches_node(row["spec"], row["labels"], "n1") is row["matches"]


def test_the_tables_hold_both_answers():
    for rows in (TABLE["selectors"], TABLE["nodes"]):
        assert {row["matches"] for row in rows} == {True, False}


def test_none_selects_nothing_and_empty_selects_everything():
    assert not matches(None, {})
    assert not matches(None, {"a": "b"})
    assert matches({}, {})
    assert matches({"matchLabels": {}, "matchExpressions": []}, {"a": "b"})
    assert matches({"matchLabels": None, "matchExpressions": None}, {"a": "b"})


@pytest.mark.parametrize(
    ("selector", "problems"),
    [
        (None, []),
        ({}, []),
        ("team=a", [((), "a label selector is a mapping, not a text")]),
        (
            {"team": "a"},
            [(("team",), "a label selector has no field 'team'; it has matchLabels and matchExpressions")],
        ),
        ({"matchLabels": ["a"]}, [(("matchLabels",), "it is a mapping of labels, not a list")]),
        (
            {"matchLabels": {"gpu": True, "rank": 1, "zone": None}},
            [
                (("matchLabels", "gpu"), "the label value must be a text, not the boolean true; quote it"),
                (("matchLabels", "rank"), "the label value must be a text, not the number 1; quote it"),
                (("matchLabels", "zone"), "the label value must be a text, not nothing; quote it"),
            ],
        ),
        (
            {"matchLabels": {"a b": "x_"}},
            [
                (
                    ("matchLabels", "a b"),
                    "the label key is wrong: ' ' at position 2 is not allowed; use letters, digits, '-', '_' and '.'",
                ),
                (
                    ("matchLabels", "a b"),
                    "the label value is wrong: it ends with '_' at position 2; it must end with a letter or digit",
                ),
            ],
        ),
        (
            {"matchLabels": {True: "x"}},
            [(("matchLabels", "True"), "the label key is wrong: it is the boolean true; quote it")],
        ),
        (
            {"matchExpressions": {"key": "a"}},
            [(("matchExpressions",), "it is a list of requirements, not a mapping")],
        ),
        (
            {"matchExpressions": ["a"]},
            [
                (
                    ("matchExpressions", 0),
                    "a requirement is a mapping with key, operator and values, not a text",
                )
            ],
        ),
        (
            {
                "matchExpressions": [
                    {"key": "a", "operator": "In"},
                    {"key": "a", "operator": "Exists", "values": ["b"]},
                ]
            },
            [
                (("matchExpressions", 0, "values"), "operator In needs at least one value"),
                (("matchExpressions", 1, "values"), "operator Exists takes no values"),
            ],
        ),
        (
            {"matchExpressions": [{"operator": "Gt", "values": [7]}]},
            [
                (("matchExpressions", 0, "key"), "the label key is wrong: it is missing"),
                (
                    ("matchExpressions", 0, "operator"),
                    "'Gt' is unknown; operators are In, NotIn, Exists and DoesNotExist",
                ),
                (
                    ("matchExpressions", 0, "values", 0),
                    "the label value must be a text, not the number 7; quote it",
                ),
            ],
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": "b"}]},
            [(("matchExpressions", 0, "values"), "it is a list of texts, not a text")],
        ),
    ],
)
def test_problems_have_paths_and_words(selector, problems):
    assert validate_selector(selector) == problems


def affinity(*terms):
    return {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}
    }


def on(key, operator, *values):
    return {"key": key, "operator": operator, "values": list(values)}


def test_expressions_on_other_keys_do_not_exclude_a_flavor():
    wanted = affinity({"matchExpressions": [on("gpu", "In", "h100"), on("zone", "In", "a")]})
    assert reduce_to_keys(wanted, {"gpu"}) == ({"matchExpressions": [on("gpu", "In", "h100")]},)
    assert matches_flavor({"affinity": wanted}, {"gpu": "h100"})
    assert not matches_flavor({"affinity": wanted}, {"gpu": "a100"})
    assert not matches_flavor({"affinity": wanted}, {"gpu": "h100"}, keys={"gpu", "zone"})
    assert not matches_node({"affinity": wanted}, {"gpu": "h100"})


def test_a_term_emptied_by_the_reduction_matches_every_flavor():
    wanted = affinity(
        {"matchExpressions": [on("gpu", "In", "h100")]}, {"matchExpressions": [on("zone", "In", "a")]}
    )
    assert reduce_to_keys(wanted, {"gpu"}) is None
    assert matches_flavor({"affinity": wanted}, {"gpu": "a100"})
    only_fields = affinity({"matchFields": [on("metadata.name", "In", "n1")]})
    assert reduce_to_keys(only_fields, {"gpu"}) is None
    assert not matches_node({"affinity": only_fields}, {}, "n2")
    assert matches_node({"affinity": only_fields}, {}, "n1")


def test_affinity_that_requires_nothing():
    preferred = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1}]}}
    for value in (None, {}, "x", preferred, {"nodeAffinity": 3}):
        assert required_terms(value) is None
        assert reduce_to_keys(value, {"a"}) is None
    assert required_terms(affinity()) == ()
    assert not matches_terms((), {})
    assert matches_terms(None, {})


@pytest.mark.parametrize(
    ("operator", "bound", "have", "holds"),
    [
        ("Gt", "5", "6", True), ("Gt", "5", "5", False), ("Lt", "5", "-6", True), ("Lt", "5", "five", False),
        ("Gt", "five", "6", False), ("Gt", "5", None, False), ("Gt", "5", "9223372036854775808", False),
    ],
)  # fmt: skip
def test_greater_and_less_compare_integers(operator, bound, have, holds):
    labels = {} if have is None else {"n": have}
    assert matches_terms(({"matchExpressions": [on("n", operator, bound)]},), labels) is holds


def test_the_node_selector_of_a_pod_counts_for_flavors_on_their_own_keys():
    spec = {"nodeSelector": {"gpu": "h100", "disk": "ssd"}}
    assert matches_flavor(spec, {"gpu": "h100"})
    assert not matches_flavor(spec, {"gpu": "a100"})
    assert matches_flavor(spec, {"other": "x"})
    assert not matches_node(spec, {"gpu": "h100"})


GPU = Taint("gpu", "present", "NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "covered"),
    [
        ({"key": "gpu", "operator": "Exists"}, True),
        ({"key": "gpu", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}, True),
        ({"key": "gpu", "value": "present"}, True),
        ({"key": "gpu", "value": "absent"}, False),
        ({"key": "gpu"}, False),
        ({"operator": "Exists"}, True),
        ({"operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "cpu", "operator": "Exists"}, False),
        ({"key": "gpu", "operator": "exists"}, False),
        ({"key": "gpu", "operator": "Gt", "value": "present"}, False),
        ("gpu", False),
        (None, False),
    ],
)
def test_tolerations(toleration, covered):
    assert tolerates([toleration], GPU) is covered
    assert untolerated([GPU], [toleration]) == ([] if covered else [GPU])


def test_only_repelling_taints_keep_pods_away():
    soft, hard = Taint("a", "", "PreferNoSchedule"), Taint("b", "", "NoExecute")
    assert untolerated([soft, GPU, hard], [{"key": "gpu", "operator": "Exists"}]) == [hard]
    assert untolerated([soft], []) == []
    assert untolerated([GPU, hard], iter([{"operator": "Exists"}])) == []
