"""Suggestions: near, real, ordered, fast."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.diagnostics.suggest import _distance, did_you_mean


@pytest.mark.parametrize(
    ("name", "names", "meant"),
    [
        ("a100-gpu", ["a100", "a100-gpus", "h100-gpu", "cpu"], ("a100-gpus", "h100-gpu", "a100")),
        ("default", ["default-flavor", "spot"], ("default-flavor",)),
        ("default-flavor", ["default"], ("default",)),
        ("gpu-a100", ["a100-gpu"], ("a100-gpu",)),
        ("nivdia.com/gpu", ["nvidia.com/gpu", "amd.com/gpu"], ("nvidia.com/gpu",)),
        ("Default", ["default", "defaults"], ("default", "defaults")),
        ("trian", ["train"], ("train",)),  # neighbours swapped: one edit
        ("resea", ["research", "production"], ("research",)),
        ("cohrot", ["cohort", "cohorts", "cohortName"], ("cohort", "cohorts")),
        ("ab", ["cd", "ef"], ()),
        ("ab", ["ac"], ("ac",)),
        ("abcd", ["abxy"], ()),
        ("blue", ["red", "green"], ()),
        ("", ["a"], ()),
        ("x", [], ()),
        ("same", ["same"], ()),
        ("x" * 300, ["x" * 299], ()),
    ],
)
def test_meant(name, names, meant):
    assert did_you_mean(name, names) == meant


def test_the_likeliest_comes_first_equal_ones_by_alphabet_and_no_more_than_asked_for():
    names = ["traim", "trail", "train", "trains", "brain"]
    assert did_you_mean("traiz", names) == ("trail", "traim", "train")
    assert did_you_mean("traiz", reversed(names), limit=1) == ("trail",)
    assert did_you_mean("traiz", iter(names), limit=2) == ("trail", "traim")


@given(st.text("abc", max_size=6), st.text("abc", max_size=6), st.integers(0, 4))
def test_the_bounded_distance_is_the_plain_one(one, two, allowed):
    plain = _plain(one, two)
    assert _distance(one, two, allowed) == (plain if plain <= allowed else None)


def _plain(one: str, two: str) -> int:
    """Optimal string alignment by the book."""
    table = [[max(i, j) if not i or not j else 0 for j in range(len(two) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(two) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (one[i - 1] != two[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == two[j - 2] and one[i - 2] == two[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


_TIMED = """
import sys, time
from kohort.diagnostics.suggest import did_you_mean
names = [f"team-{number:06}" for number in range(50_000)]
names += [f"{number}-queue-{'a' * 40}" for number in range(50_000)]
began = time.process_time()
did_you_mean(sys.argv[1], names)
print(time.process_time() - began)
"""


@pytest.mark.parametrize("name", ["team-5000x", "tema-50000-queue", "zzz", "a" * 253])
def test_a_hundred_thousand_names_take_no_long_time(name):
    # in a process of its own: measuring coverage costs several times the work itself
    done = subprocess.run(
        [sys.executable, "-c", _TIMED, name], capture_output=True, text=True, check=True, timeout=120
    )
    assert float(done.stdout) < 3
