"""Quantities against the Kubernetes client's own reader, and laws that must hold for any text."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from kubernetes.utils.quantity import parse_quantity

from kohort.objects.quantity import Quantity, QuantityError, format_units, human

SUFFIXES = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
NUMBERS = st.from_regex(r"[+-]?[0-9]{1,12}(\.[0-9]{0,6})?", fullmatch=True)
TEXTS = st.builds(str.__add__, NUMBERS, st.sampled_from([*SUFFIXES, "e0", "e3", "e-3", "E6", "e+5"]))
NANO = Decimal(10) ** -9
MOST = Decimal(2**63 - 1)
RESOURCES = st.sampled_from(
    ["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "pods", "example.com/gpu"]
)


def oracle(text: str) -> Decimal:
    """The client knows no exponents, so they are split off; the server's rounding and cap are added."""
    mantissa, _, exponent = text.replace("E", "e").partition("e") if text[-1].isdigit() else (text, "", "")
    value = Decimal(parse_quantity(mantissa)).scaleb(int(exponent or 0))
    if text.endswith("i"):
        value = max(-MOST, min(MOST, value))
    steps = value / NANO
    rounded = int(steps)
    if rounded != steps:
        rounded += 1 if steps > 0 else -1
    return rounded * NANO


@given(TEXTS)
def test_value_agrees_with_the_client_library(text):
    assert Quantity.parse(text).nano * NANO == oracle(text)


@given(TEXTS)
def test_stored_text_is_stable_and_means_the_same(text):
    q = Quantity.parse(text)
    stored = q.canonical()
    if q.survives_storage():
        again = Quantity.parse(stored)
        assert again == q
        assert again.canonical() == stored
        assert Quantity.parse(q.plain()) == q
    else:
        assert abs(q.units()) >= 10**21


@given(TEXTS)
def test_rounded_views_bound_the_value(text):
    q = abs(Quantity.parse(text).nano)
    milli, units = abs(Quantity.parse(text).milli()), abs(Quantity.parse(text).units())
    assert (milli - 1) * 10**6 < q <= milli * 10**6 or q == milli == 0
    assert (units - 1) * 10**9 < q <= units * 10**9 or q == units == 0


@given(TEXTS, TEXTS, st.integers(-1000, 1000))
def test_arithmetic_is_that_of_the_values(left, right, factor):
    a, b = Quantity.parse(left), Quantity.parse(right)
    assert (a + b).nano == a.nano + b.nano == (b + a).nano
    assert (a - b) + b == a
    assert (a * factor).nano == a.nano * factor
    assert (a < b) == (oracle(left) < oracle(right))


@given(st.text(max_size=40) | st.floats() | st.integers())
def test_anything_else_is_refused_with_a_printable_reason(value):
    assert readable(value)


def readable(value: object) -> bool:
    """Whether the value is a quantity with a text, or is refused with a reason that is safe to print."""
    try:
        return Quantity.parse(value).canonical() != ""
    except QuantityError as error:
        return error.reason.isprintable() and error.reason != ""


@given(st.integers(-(2**70), 2**70), RESOURCES)
def test_units_round_trip(n, resource):
    text = format_units(n, resource)
    q = Quantity.parse(text)
    exact = q.survives_storage() and abs(n) < 2**63
    if exact:
        assert (q.milli() if resource == "cpu" else q.units()) == n
        assert q.canonical() == text
    assert human(n, resource).replace(",", "").lstrip("-")[0].isdigit()
