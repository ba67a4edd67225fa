"""Scalars against what Go's sigs.k8s.io/yaml 1.6.0 (go-yaml 2.4.3) made of the same text."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from kohort.source.dialect import key_text, resolve_plain
from kohort.source.surprise import surprising

ROWS = json.loads((Path(__file__).parent / "go_scalars.json").read_text())
_PREFIX = "v: "
_TYPES = {"int": int, "uint64": int, "float64": float, "string": str, "bool": bool, "<nil>": type(None)}


def _plain(text: str) -> bool:
    return not text.startswith(("!", '"', "'")) and "\n" not in text


VALUES = [
    (row["yaml"][3:], row)
    for row in ROWS
    if row["yaml"].startswith(_PREFIX) and "json" in row and _plain(row["yaml"][3:])
]


def test_the_recording_is_large() -> None:
    assert len(VALUES) > 130


@pytest.mark.parametrize(("text", "row"), VALUES, ids=[text or "empty" for text, _ in VALUES])
def test_value_is_what_go_reads(text: str, row: dict[str, str]) -> None:
    value = resolve_plain(text)
    assert type(value) is _TYPES[row["type"]]
    expected = json.loads(row["json"])["v"]
    if isinstance(value, float):
        assert value == pytest.approx(float(expected), rel=1e-15, abs=0)
    elif isinstance(value, int) and not isinstance(value, bool):
        assert json.loads(row["json"])["v"] == value
    else:
        assert value == expected


KEYS = [
    (row["yaml"][:-3], row)
    for row in ROWS
    if row["yaml"].endswith(": v") and _plain(row["yaml"][:-3]) and row["yaml"][0] not in "[{:<"
]


@pytest.mark.parametrize(("text", "row"), KEYS, ids=[text for text, _ in KEYS])
def test_key_is_what_go_makes_of_it(text: str, row: dict[str, str]) -> None:
    key = key_text(resolve_plain(text))
    if "error" in row:
        assert key is None
    else:
        assert json.loads(row["json"]) == {key: "v"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("on", "`on` reads as the boolean true"),
        ("NO", "`NO` reads as the boolean false"),
        ("true", "`true` is a boolean"),
        ("0x10", "`0x10` reads as 16"),
        ("010", "`010` reads as 8"),
        ("007", "`007` reads as 7"),
        ("12.10", "`12.10` reads as 12.1"),
        ("12.1", "`12.1` is a number"),
        ("1_000", "`1_000` reads as 1000"),
        ("1e3", "`1e3` reads as 1000.0"),
        ("8", "`8` is a number"),
        ("+8", "`+8` reads as 8"),
        ("~", "`~` reads as null"),
        ("", "an empty value reads as null"),
        (".inf", "`.inf` reads as infinity, which JSON cannot say"),
        (".nan", "`.nan` reads as not a number, which JSON cannot say"),
    ],
)
def test_surprises_are_explained(text: str, why: str) -> None:
    assert surprising(text) == why


@pytest.mark.parametrize("text", ["8Gi", "training", "1:30", "2001-01-01", "yEs", "1e999", "0o8"])
def test_text_is_no_surprise(text: str) -> None:
    assert surprising(text) is None


def test_a_number_of_a_million_digits_is_read_at_once() -> None:
    assert resolve_plain("1" * 1_000_000) == "1" * 1_000_000
    assert math.isclose(float(str(resolve_plain("1" + "0" * 30))), 1e30)
