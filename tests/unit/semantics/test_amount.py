from __future__ import annotations

import pytest

from kohort.objects.quantity import Quantity
from kohort.semantics.amount import (
    MOST_NEGATIVE,
    UNLIMITED,
    add,
    add_usage,
    kueue_amount,
    kueue_request,
    scale,
    sub,
    sub_usage,
)


@pytest.mark.parametrize(
    ("text", "resource", "amount"),
    [
        ("2", "cpu", 2000), ("100m", "cpu", 100), ("1u", "cpu", 1), ("0", "cpu", 0), ("-1500m", "cpu", -1500),
        ("500m", "example.com/gpu", 1), ("1.5Gi", "memory", 3 * 2**29), ("1m", "memory", 1), ("16", "pods", 16),
        ("9223372036854775", "cpu", UNLIMITED), ("9223372036854774999m", "cpu", 9223372036854774999),
        ("1E", "cpu", UNLIMITED), ("1E", "memory", 10**18), ("8Ei", "memory", UNLIMITED),
        ("9223372036854775806", "pods", UNLIMITED - 1), ("1e30", "pods", UNLIMITED), ("-1e30", "pods", MOST_NEGATIVE),
    ],
)  # fmt: skip
def test_quota_of_a_quantity(text, resource, amount):
    assert kueue_amount(Quantity.parse(text), resource) == amount


def test_a_request_is_clamped_only_where_64_bits_end():
    # The quota side calls 9223372036854775 cores unlimited already; a request of the same size is a number.
    assert kueue_request(Quantity.parse("9223372036854775"), "cpu") == 9223372036854775000
    assert kueue_request(Quantity.parse("1E"), "cpu") == UNLIMITED
    assert kueue_request(Quantity.parse("-1E"), "cpu") == MOST_NEGATIVE


@pytest.mark.parametrize(
    ("a", "b", "total", "difference"),
    [
        (5, 3, 8, 2),
        (UNLIMITED, 3, UNLIMITED, UNLIMITED),
        (3, UNLIMITED, UNLIMITED, MOST_NEGATIVE),
        (UNLIMITED, UNLIMITED, UNLIMITED, 0),
        (UNLIMITED, -3, UNLIMITED, UNLIMITED),
        (UNLIMITED - 1, 5, UNLIMITED, UNLIMITED - 6),
        (MOST_NEGATIVE, 5, MOST_NEGATIVE + 5, MOST_NEGATIVE),
        (MOST_NEGATIVE, -5, MOST_NEGATIVE, MOST_NEGATIVE + 5),
        (1, MOST_NEGATIVE, MOST_NEGATIVE + 1, UNLIMITED),
    ],
)
def test_sums_of_quotas_saturate(a, b, total, difference):
    assert add(a, b) == total
    assert sub(a, b) == difference


def test_usage_has_no_unlimited():
    assert sub_usage(0, UNLIMITED) == -UNLIMITED
    assert sub(0, UNLIMITED) == MOST_NEGATIVE
    assert sub_usage(UNLIMITED, UNLIMITED) == UNLIMITED
    assert add_usage(UNLIMITED, -5) == UNLIMITED
    assert add_usage(7, -5) == 2


def test_scaling_saturates():
    assert scale(500, 3) == 1500
    assert scale(2**40, 2**40) == UNLIMITED
    assert scale(-(2**40), 2**40) == MOST_NEGATIVE
    assert scale(0, 10**9) == 0
