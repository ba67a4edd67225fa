from __future__ import annotations

import json
import math
import time
from decimal import Decimal
from pathlib import Path

import pytest

from kohort.objects.quantity import (
    Quantity,
    QuantityError,
    format_units,
    human,
)

TABLE = json.loads((Path(__file__).parents[2] / "data" / "quantities.json").read_text(encoding="utf-8"))[
    "rows"
]


def test_the_recorded_table_is_whole():
    assert len(TABLE) >= 400
    assert sum("error" in row for row in TABLE) > 40
    assert {row.get("format") for row in TABLE} == {None, "DecimalSI", "BinarySI", "DecimalExponent"}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: ascii(row["text"])[:40])
def test_agrees_with_the_real_library(row):
    if "error" in row:
        with pytest.raises(QuantityError) as caught:
            Quantity.parse(row["text"])
        assert caught.value.server_message == row["error"]
        return
    q = Quantity.parse(row["text"])
    assert (q.canonical(), q.format) == (row["canonical"], row["format"])
    if row["value"] is not None:
        assert q.units() == row["value"]
    if row["milli"] is not None:
        assert q.milli() == row["milli"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("12000m", "12"), ("1.5Gi", "1536Mi"), ("1024Mi", "1Gi"), ("1000", "1k"), ("100000", "100k"),
        ("1000M", "1G"), ("2000G", "2T"), ("1500m", "1500m"), ("0", "0"), ("1e3", "1e3"), ("0.5", "500m"),
        ("0.0000000001", "1n"), ("128Gi", "128Gi"), ("8000m", "8"), ("1.500", "1.500"), ("3072Mi", "3Gi"),
    ],
)  # fmt: skip
def test_canonical_text(text, canonical):
    assert Quantity.parse(text).canonical() == canonical
    assert Quantity.parse(canonical).canonical() == canonical


def test_plain_ignores_a_spelling_that_the_server_keeps():
    q = Quantity.parse("1.500")
    assert (q.canonical(), q.plain()) == ("1.500", "1500m")
    assert (Quantity.parse("+5").canonical(), Quantity.parse("+5").plain()) == ("+5", "5")


@pytest.mark.parametrize(
    ("number", "text"),
    [(24, "24"), (24.0, "24"), (0.5, "500m"), (1000, "1k"), (1e21, "1e+21"), (1.5e21, "1500e18"), (-3, "-3"),
     (0.1, "100m"), (1e-6, "1u"), (1e-7, "100e-9"), (2.5e-7, "250e-9"), (0.0, "0"), (-0.0, "0"), (1e20, "100E"),
     (2**63, "9223372036854775808"), (10**30, "1e+30"), (123456789.0, "123456789")],
)  # fmt: skip
def test_numbers_are_read_as_go_prints_them(number, text):
    assert Quantity.parse(number).canonical() == text


@pytest.mark.parametrize("bad", [True, None, [1], {}, math.nan, math.inf, 10**400])
def test_other_values_are_refused(bad):
    with pytest.raises(
        QuantityError, match=r"a quantity (is a text or a number, not|must be a finite number)"
    ):
        Quantity.parse(bad)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a quantity must not be empty"),
        ("10GB", '"10GB" is not a quantity: the unit "GB" is not known; did you mean G?'),
        ("5K", '"5K" is not a quantity: the unit "K" is not known; did you mean Ki or k?'),
        ("10 Gi", '"10 Gi" is not a quantity: no space is allowed between number and unit (position 3)'),
        ("1,000", "\"1,000\" is not a quantity: ',' at position 2 is not allowed"),
        ("1.2.3", "\"1.2.3\" is not a quantity: '.' at position 4 is not allowed"),
        ("many", '"many" is not a quantity: it must start with a number'),
        ("1\x1b[31m", "\"1\\x1b[31m\" is not a quantity: '\\x1b' at position 2 is not allowed"),
        (
            "3x",
            '"3x" is not a quantity: the unit "x" is not known (units: n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or an exponent such as e3)',
        ),
    ],
)
def test_the_reason_names_what_is_wrong(text, reason):
    with pytest.raises(QuantityError) as caught:
        Quantity.parse(text)
    assert caught.value.reason == reason
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    "text", ["9" * 512, "9" * 500 + "Ei", "1e512", "1e-512", "1" * 300, "0." + "0" * 400 + "1"]
)
def test_enormous_texts_take_no_time(text):
    start = time.perf_counter()
    q = Quantity.parse(text)
    assert q.canonical()
    assert q.units() > 0
    assert time.perf_counter() - start < 0.1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9" * 513, "a quantity may have at most 512 characters, this one has 513"),
        ("1e513", "the exponent 513 is out of range; at most 512 is supported"),
        ("1e-2147483648", "the exponent -2147483648 is out of range; at most 512 is supported"),
    ],
)
def test_what_only_kohort_refuses_has_no_server_message(text, reason):
    with pytest.raises(QuantityError) as caught:
        Quantity.parse(text)
    assert (caught.value.reason, caught.value.server_message) == (reason, "")


def test_binary_amounts_are_capped_and_decimal_ones_are_not():
    assert Quantity.parse("9Ei").units() == 2**63 - 1
    assert Quantity.parse("-9Ei").units() == -(2**63 - 1)
    assert Quantity.parse("10E").units() == 10**19


def test_a_decimal_amount_without_suffix_of_its_own_is_lost_in_storage():
    q = Quantity.parse("1000E")
    assert q.canonical() == "1"
    assert not q.survives_storage()
    assert Quantity.parse("999E").survives_storage()
    assert Quantity.parse("1e21").survives_storage()


def test_rounding_is_away_from_zero():
    q = Quantity.parse("1500500u")
    assert (q.milli(), q.units()) == (1501, 2)
    assert ((-q).milli(), (-q).units()) == (-1501, -2)
    assert Quantity.parse("500m").units() == 1
    assert Quantity.parse("1.1n").nano == 2


def test_order_and_equality_are_by_value():
    assert Quantity.parse("1Gi") == Quantity.parse("1024Mi") == Quantity.parse(2**30)
    assert hash(Quantity.parse("1000m")) == hash(Quantity.parse("1"))
    assert Quantity.parse("1G") < Quantity.parse("1Gi") <= Quantity.parse("1Gi")
    assert Quantity.parse("2") > Quantity.parse("1999m") >= Quantity.parse("1.999")
    assert sorted(map(Quantity.parse, ["1Gi", "1G", "0", "-1"])) == list(
        map(Quantity.parse, ["-1", "0", "1G", "1Gi"])
    )
    assert Quantity.parse("1") != 1
    assert not Quantity.parse("0Gi")
    assert Quantity.parse("1n")


def test_arithmetic_keeps_the_family_of_the_left_side_unless_it_is_zero():
    gib = Quantity.parse("1Gi")
    assert (gib + Quantity.parse("512M")).canonical() == "1548576Ki"
    assert (gib + gib).canonical() == "2Gi"
    assert (Quantity.parse("0") + gib).canonical() == "1Gi"
    assert (gib * 1024).canonical() == "1Ti"
    assert (3 * Quantity.parse("500m")).canonical() == "1500m"
    assert (gib - gib).canonical() == "0"
    assert (Quantity.parse("1") - Quantity.parse("1500m")).canonical() == "-500m"
    assert [Quantity.parse(t).sign for t in ("-1n", "0m", "5")] == [-1, 0, 1]


@pytest.mark.parametrize(
    ("n", "resource", "text"),
    [
        (95210, "cpu", "95210m"), (16000, "cpu", "16"), (1900000 * 2**20, "memory", "1900000Mi"),
        (2**40, "ephemeral-storage", "1Ti"), (2**30, "hugepages-1Gi", "1Gi"), (10**9, "memory", "1G"),
        (1024, "memory", "1Ki"), (1000, "memory", "1k"), (512, "memory", "512"), (0, "memory", "0"),
        (1000, "example.com/gpu", "1k"), (8, "example.com/gpu", "8"), (1024, "pods", "1024"), (-500, "cpu", "-500m"),
        (-(2**30), "memory", "-1Gi"), (2**80, "memory", "1048576Ei"),
    ],
)  # fmt: skip
def test_format_units(n, resource, text):
    assert format_units(n, resource) == text


@pytest.mark.parametrize(
    ("n", "resource", "text"),
    [
        (16000, "cpu", "16"), (95210, "cpu", "95.21"), (500, "cpu", "0.5"), (-1500, "cpu", "-1.5"),
        (1024000, "cpu", "1,024"), (2**40, "memory", "1 TiB"), (3 * 2**39, "memory", "1.5 TiB"),
        (1900000 * 2**20, "memory", "1,900,000 MiB"), (1000, "memory", "1,000 B"), (0, "memory", "0 B"),
        (-(2**30), "memory", "-1 GiB"), (12345, "example.com/gpu", "12,345"),
    ],
)  # fmt: skip
def test_human(n, resource, text):
    assert human(n, resource) == text


def test_of_units_reads_back():
    assert Quantity.of_units(95210, "cpu") == Quantity.parse("95.21")
    assert Quantity.of_units(2**30, "memory").canonical() == "1Gi"


def test_nothing_is_lost_between_decimal_and_nano():
    assert Decimal(Quantity.parse("0.123456789").nano).scaleb(-9) == Decimal("0.123456789")
