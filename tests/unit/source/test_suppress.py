from __future__ import annotations

import pytest

from kohort.source.suppress import Suppression, suppressions


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "a: 1  # kohort: allow QTY102: the sheet counts so",
            Suppression(1, ("QTY102",), "the sheet counts so", False),
        ),
        (
            "  # kohort: allow QTY102, CAP901: until March",
            Suppression(1, ("QTY102", "CAP901"), "until March", True),
        ),
        (
            "#kohort:allow limit-without-cohort: see #12: a note",
            Suppression(1, ("limit-without-cohort",), "see #12: a note", True),
        ),
        ("a: 1 # kohort: allow QTY102", Suppression(1, ("QTY102",), "", False)),
        ("a: 1 # kohort: allow QTY102:  ", Suppression(1, ("QTY102",), "", False)),
        ("a: 1 # kohort: allow", Suppression(1, (), "", False)),
        ("a: 1 # kohort: allow A, A B: x", Suppression(1, ("A", "B"), "x", False)),
    ],
)
def test_comments(line: str, expected: Suppression) -> None:
    assert suppressions([line]) == [expected]


@pytest.mark.parametrize(
    "line",
    ["a: 1", "# kohort is nice", "a: b#kohort: allow X: y", "# kohort: allowed X: y", "", "# allow X: y"],
)
def test_other_lines(line: str) -> None:
    assert suppressions([line]) == []


def test_lines_count_from_one() -> None:
    assert [s.line for s in suppressions(["", "x: 1 # kohort: allow A: b", "# kohort: allow B: c"])] == [2, 3]
