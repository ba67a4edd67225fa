"""Partitioned GPUs: names and sums against the placement table that the hardware follows."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from kohort.model.mig import impossible, product_of, profile_name

# Profile → (compute slices, possible starts, length) on the eight memory slots of an A100 80 GB.
STARTS = {
    "1g.10gb": (1, range(7), 1),
    "1g.20gb": (1, (0, 2, 4, 6), 2),
    "2g.20gb": (2, (0, 2, 4), 2),
    "3g.40gb": (3, (0, 4), 4),
    "4g.40gb": (4, (0,), 4),
    "7g.80gb": (7, (0,), 8),
}
A100 = product_of("NVIDIA-A100-SXM4-80GB")


def placeable(layout: tuple[str, ...], taken: int = 0) -> bool:
    """Whether the partitions can be placed one after another somewhere, trying every start."""
    if not layout:
        return True
    _, starts, length = STARTS[layout[0]]
    for start in starts:
        mask = ((1 << length) - 1) << start
        if not taken & mask and placeable(layout[1:], taken | mask):
            return True
    return False


def test_layouts_of_one_gpu_are_those_that_can_be_placed():
    feasible = 0
    for size in range(1, 9):
        for layout in combinations_with_replacement(STARTS, size):
            counts = {name: layout.count(name) for name in STARTS}
            want = sum(STARTS[name][0] for name in layout) <= 7 and placeable(layout)
            assert (impossible(A100, counts, 1) == "") is want, layout
            feasible += want
    assert feasible == 77  # and the empty one


def test_layouts_of_two_gpus_are_two_layouts_of_one():
    profiles = ["1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb"]
    one = [
        c
        for c in product(range(8), range(4), range(3), range(2))
        if not impossible(A100, dict(zip(profiles, c, strict=True)), 1)
    ]
    two = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in one for y in one}
    for counts in product(range(15), range(7), range(5), range(3)):
        assert (not impossible(A100, dict(zip(profiles, counts, strict=True)), 2)) is (counts in two), counts


@pytest.mark.parametrize(
    ("counts", "gpus", "why"),
    [
        ({"3g.40gb": 2, "1g.10gb": 1}, 1, "2 × 4 + 1 × 1 = 9 memory slices, more than the 8 of 1 GPU"),
        (
            {"4g.40gb": 2, "3g.40gb": 2, "1g.10gb": 1},
            2,
            "2 × 4 + 2 × 3 + 1 × 1 = 15 compute slices, more than the 14 of 2 GPUs",
        ),
        ({"4g.40gb": 3}, 2, "3 × 4g.40gb, more than the 2 that 2 GPUs can have"),
        ({"1g.10gb.me": 2}, 1, "2 × 1g.10gb.me, more than the 1 that 1 GPU can have"),
        ({"4g.40gb": 1, "2g.20gb": 5}, 2, "no way to spread them over 2 GPUs"),
        ({"3g.40gb": 8, "1g.10gb": 32}, 8, ""),
        ({}, 1, ""),
    ],
)
def test_why_a_layout_is_impossible(counts, gpus, why):
    assert impossible(A100, counts, gpus) == why


@pytest.mark.parametrize(
    ("label", "names"),
    [
        (
            "NVIDIA-A100-PCIE-40GB",
            ["1g.5gb", "1g.5gb.me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"],
        ),
        (
            "NVIDIA-H100-80GB-HBM3",
            ["1g.10gb", "1g.10gb.me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"],
        ),
        ("NVIDIA-H100-NVL", ["1g.12gb", "1g.12gb.me", "1g.24gb", "2g.24gb", "3g.47gb", "4g.47gb", "7g.94gb"]),
        (
            "NVIDIA-GH200-480GB",
            ["1g.12gb", "1g.12gb.me", "1g.24gb", "2g.24gb", "3g.48gb", "4g.48gb", "7g.96gb"],
        ),
        ("NVIDIA-H200", ["1g.18gb", "1g.18gb.me", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"]),
        ("NVIDIA-B200", ["1g.23gb", "1g.23gb.me", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"]),
        (
            "NVIDIA-B300-SXM6",
            ["1g.34gb", "1g.34gb.me", "1g.67gb", "2g.67gb", "3g.135gb", "4g.135gb", "7g.269gb"],
        ),
        ("NVIDIA-A30", ["1g.6gb", "1g.6gb.me", "2g.12gb", "2g.12gb.me", "4g.24gb", "4g.24gb.me"]),
    ],
)
def test_profile_names_follow_from_the_memory(label, names):
    found = product_of(label)
    assert found is not None
    assert list(found.profiles) == names


def test_a_gb200_reports_either_of_two_totals():
    found = product_of("NVIDIA-GB200")
    assert found is not None
    assert {"3g.93gb", "7g.186gb", "3g.95gb", "7g.189gb"} <= set(found.profiles)


def test_products_without_partitions_are_unknown():
    assert [product_of(name) for name in ("", "NVIDIA-L4", "NVIDIA-A300", "AMD-Instinct-MI300X")] == [
        None
    ] * 4


def test_profile_of_a_resource():
    assert profile_name("nvidia.com/mig-3g.40gb") == "3g.40gb"
    assert profile_name("nvidia.com/gpu") == ""
    assert profile_name("example.com/mig-3g.40gb") == ""


def test_a_search_ends_in_bounded_time():
    assert impossible(A100, {name: 9 for name in STARTS if name != "7g.80gb"}, 24) == ""
