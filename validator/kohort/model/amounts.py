"""One derived amount and how it is rounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.quantity_format import HUGEPAGES_PREFIX, NANO, is_bytes
from kohort.spans import Origin

_MEBI: Final = 1 << 20


class Amount(NamedTuple):
    """A quantity, the place of the number that decides it, and the arithmetic in words."""

    value: Quantity
    origin: Origin
    arithmetic: str


def round_down(amount: Fraction, resource: str) -> Quantity:
    """The largest amount that people would write below `amount` (in units of the resource: cores, bytes, devices).

    Whole cores of cpu, whole Mi of memory and storage, whole pages of huge pages, whole devices and pods.
    """
    if not is_bytes(resource):
        return Quantity(amount.numerator // amount.denominator * NANO)
    step = _page(resource)
    return Quantity(amount.numerator // (amount.denominator * step) * step * NANO, "BinarySI")


def _page(resource: str) -> int:
    if resource.startswith(HUGEPAGES_PREFIX):
        try:
            return max(Quantity.parse(resource.removeprefix(HUGEPAGES_PREFIX)).units(), 1)
        except QuantityError:
            return 1
    return _MEBI


def equals(amount: Fraction, resource: str) -> str:
    """How a sum ends: `= 216`, with a remark where rounding changed it."""
    return result(amount, round_down(amount, resource))


def result(amount: Fraction, value: Quantity) -> str:
    """As `equals`, for an amount whose rounded value is known."""
    exact = amount.numerator * NANO == value.nano * amount.denominator
    return f"= {value}" if exact else f"= {value} (rounded down)"
