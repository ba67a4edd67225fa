"""Topology assignments of a status: both ways of writing them, compressed or not, and what is malformed."""

from __future__ import annotations

import pytest

from kohort.semantics.status.domains import read_domains


def sliced(levels, counts, size=2):
    return {
        "levels": ["rack", "host"],
        "slices": [{"domainCount": size, "valuesPerLevel": levels, "podCounts": counts}],
    }


def individual(*roots, **parts):
    return {"individual": {"roots": list(roots), **parts}}


@pytest.mark.parametrize(
    ("level", "names"),
    [
        (individual("a", "b"), ("a", "b")),
        (individual("a", "b", prefix="n-"), ("n-a", "n-b")),
        (individual("a", "b", suffix=".lan"), ("a.lan", "b.lan")),
        (individual("a", "b", prefix="n-", suffix=".lan"), ("n-a.lan", "n-b.lan")),
        (individual("a", "b", prefix=None, suffix=None), ("a", "b")),
        ({"universal": "r1"}, ("r1", "r1")),
    ],
)
def test_values_of_a_level_are_roots_between_prefix_and_suffix_or_one_for_all(level, names):
    found = read_domains(sliced([level, individual("x", "y")], {"individual": [1, 2]}))
    assert found == (((names[0], "x"), 1), ((names[1], "y"), 2))


def test_counts_may_be_one_for_all_and_domains_without_pods_are_none():
    levels = [individual("x", "y")]
    assert read_domains(sliced(levels, {"universal": 3})) == ((("x",), 3), (("y",), 3))
    assert read_domains(sliced(levels, {"individual": [0, 2]})) == ((("y",), 2),)


def test_the_older_form_lists_domains():
    value = {
        "domains": [
            {"values": ["r", "h"], "count": 2},
            {"values": ["r", "i"], "count": 0},
            {"values": "r", "count": 1},
        ]
    }
    assert read_domains(value) == ((("r", "h"), 2),)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"domains": "x", "slices": 7},
        sliced([individual("x")], {"universal": 1}),  # one root for two domains
        sliced([individual("x", "y")], {"individual": [1]}),
        sliced([individual("x", "y")], {"individual": [1, "2"]}),
        sliced([individual("x", "y")], None),
        sliced([{}], {"universal": 1}),
        sliced([], {"universal": 1}),
        sliced([individual("x", "y")], {"universal": 1}, size=0),
        sliced([individual("x", "y")], {"universal": 1}, size=100_001),
    ],
)
def test_what_is_malformed_is_left_out(value):
    assert read_domains(value) == ()
