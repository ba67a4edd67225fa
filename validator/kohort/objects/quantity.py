"""Exact Kubernetes quantities: read, compare, add and write them as the API server does.

Source of every rule: apimachinery 0.36 `resource.ParseQuantity` and `Quantity.String`; the table in
`tests/data/quantities.json` was recorded from that library. Known and wanted differences, all far outside
real amounts: texts of more than MAX_TEXT characters and exponents beyond ±MAX_EXPONENT are refused (Go
would compute with them without bound or wrap them to 32 bits), and `milli`/`units` are exact where Go's
MilliValue/Value overflow 64 bits or, for some negative amounts, round toward zero.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from kohort.dataclass import dataclass
from kohort.objects.quantity_format import NANO, NANO_DIGITS, Format, canonical_text, format_units, human
from kohort.objects.quantity_hint import reason_for

__all__ = [
    "MAX_EXPONENT",
    "MAX_INT64",
    "MAX_TEXT",
    "Format",
    "Quantity",
    "QuantityError",
    "format_units",
    "human",
]

MAX_INT64: Final = 2**63 - 1
MIN_INT64: Final = -(2**63)
MAX_TEXT: Final = 512
MAX_EXPONENT: Final = 512
_MAX_UINT64: Final = 2**64

# Digits that the library accepts without leaving 64-bit arithmetic; it decides whether a spelling is kept.
_FAST_DECIMAL_DIGITS: Final = 18
_FAST_BINARY_DIGITS: Final = 15
_MILLI: Final = NANO // 1000

_PARTS: Final = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)")
_DECIMAL: Final = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
# What the JSON decoder of Quantity trims; control characters cannot occur inside a JSON string.
_SPACES: Final = (
    " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)

_FORMAT_WRONG: Final = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
_NUMERIC_WRONG: Final = "unable to parse numeric part of quantity"
_SUFFIX_WRONG: Final = "unable to parse quantity's suffix"


class QuantityError(ValueError):
    """A text that is no quantity.

    Attributes:
        reason: what is wrong, in words, naming the character or unit.
        server_message: what the API server prints for it; empty when only Kohort refuses it.
    """

    def __init__(self, reason: str, server_message: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.server_message = server_message


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """An exact amount, ordered and equal by value.

    Attributes:
        nano: the value in units of 10^-9; reading rounds smaller parts away from zero, so this is exact.
        format: the family of suffixes in which it was written.
        spelling: the text that the server keeps as it was typed; None when it computes one.
    """

    nano: int
    format: Format = "DecimalSI"
    spelling: str | None = None

    @staticmethod
    def parse(text: str | float) -> Quantity:
        """Read a quantity from a YAML scalar: a text, or a number as Go's JSON encoder would print it.

        Raises:
            QuantityError: when the server would refuse it, or when it is beyond Kohort's bounds.
        """
        if isinstance(text, str):
            return _parse(text)
        return _parse(_number_text(text))

    @staticmethod
    def of_units(n: int, resource: str) -> Quantity:
        """Return `n` integer units of `resource` (CPU in milli-cores) as `format_units` would write it."""
        return _parse(format_units(n, resource))

    def canonical(self) -> str:
        """Return what the API server stores for this quantity (`Quantity.String()` after reading it).

        The server keeps some unusual spellings as typed, such as "1.500" and "+5".
        """
        return self.spelling if self.spelling is not None else canonical_text(self.nano, self.format)

    def plain(self) -> str:
        """Return the canonical text computed from the value alone: "1.500" gives "1500m"."""
        return canonical_text(self.nano, self.format)

    def survives_storage(self) -> bool:
        """Whether the stored text reads back as the same value; false from 1000E up in decimal form."""
        return _parse(self.canonical()).nano == self.nano

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.nano > 0) - (self.nano < 0)

    def milli(self) -> int:
        """Return thousandths, rounded away from zero, as MilliValue."""
        return _divide_away(self.nano, _MILLI)

    def units(self) -> int:
        """Return whole units, rounded away from zero, as Value."""
        return _divide_away(self.nano, NANO)

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.nano + other.nano, self.format if self.nano else other.format)

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.nano - other.nano, self.format if self.nano else other.format)

    def __mul__(self, factor: int) -> Quantity:
        return Quantity(self.nano * factor, self.format)

    __rmul__ = __mul__

    def __neg__(self) -> Quantity:
        return Quantity(-self.nano, self.format)

    def __bool__(self) -> bool:
        return self.nano != 0

    def __eq__(self, other: object) -> bool:
        return self.nano == other.nano if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.nano)

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano

    def __le__(self, other: Quantity) -> bool:
        return self.nano <= other.nano

    def __gt__(self, other: Quantity) -> bool:
        return self.nano > other.nano

    def __ge__(self, other: Quantity) -> bool:
        return self.nano >= other.nano

    def __str__(self) -> str:
        return self.canonical()


ZERO: Final = Quantity(0, "DecimalSI", "0")


def _divide_away(nano: int, by: int) -> int:
    return -(-nano // by) if nano >= 0 else nano // by


def _number_text(number: float) -> str:
    """Return a JSON number as Go's encoder prints it; integers beyond 64 bits become floats on the way."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise QuantityError(f"a quantity is a text or a number, not {type(number).__name__}", _FORMAT_WRONG)
    if isinstance(number, int):
        if MIN_INT64 <= number < _MAX_UINT64:
            return str(number)
        try:
            number = float(number)
        except OverflowError:
            number = math.inf
    if not math.isfinite(number):
        raise QuantityError("a quantity must be a finite number", _FORMAT_WRONG)
    if number == 0:
        return "0"
    if 1e-6 <= abs(number) < 1e21:
        return format(Decimal(repr(number)), "f").removesuffix(".0")
    return repr(number).replace(".0e", "e").replace("e-0", "e-")


@lru_cache(maxsize=16384)
def _parse(raw: str) -> Quantity:
    text = raw.strip(_SPACES)
    if len(text) > MAX_TEXT:
        raise QuantityError(f"a quantity may have at most {MAX_TEXT} characters, this one has {len(text)}")
    parts = _PARTS.fullmatch(text) if text else None
    if parts is None:
        raise QuantityError(reason_for(text), _FORMAT_WRONG)
    sign, whole, fraction, suffix = parts.groups(default="")
    exponent, fmt = _interpret(text, suffix)
    whole = whole.lstrip("0")
    digits = int(whole + fraction or "0")
    digits_used = max(len(whole), 1) + len(fraction)
    if fmt == "BinarySI":
        magnitude = _binary_nano(digits, exponent, len(fraction))
        fast = not fraction and digits_used < _FAST_BINARY_DIGITS - exponent * 3 // 10
        kept = fast and digits & 7 != 0
        if digits and magnitude < NANO:
            fmt = "DecimalSI"
    else:
        scale = exponent - len(fraction)
        magnitude = _decimal_nano(digits, scale)
        fast = digits_used <= _FAST_DECIMAL_DIGITS and scale >= -NANO_DIGITS
        # A zero in front counts as the leading digit: "0.5" is rewritten, "1.500" is kept.
        kept = fast and scale % 3 == 0 and whole != "" and not f"{whole}{fraction}".endswith("000")
    if not fast and not parts[2] and not fraction:
        # Without any digit the library reads zero ("k"), but only on its 64-bit path.
        raise QuantityError(reason_for(text), _NUMERIC_WRONG)
    nano = -magnitude if sign == "-" else magnitude
    return Quantity(nano, fmt, text if kept else None)


def _interpret(text: str, suffix: str) -> tuple[int, Format]:
    """Return the power (of two for BinarySI, else of ten) and the family of a suffix."""
    if suffix in _DECIMAL:
        return _DECIMAL[suffix], "DecimalSI"
    if suffix in _BINARY:
        return _BINARY[suffix], "BinarySI"
    match = _EXPONENT.fullmatch(suffix)
    exponent = int(match[1]) if match else None
    if exponent is None or not MIN_INT64 <= exponent <= MAX_INT64:
        raise QuantityError(reason_for(text), _SUFFIX_WRONG)
    if abs(exponent) > MAX_EXPONENT:
        raise QuantityError(f"the exponent {exponent} is out of range; at most {MAX_EXPONENT} is supported")
    return exponent, "DecimalExponent"


def _decimal_nano(digits: int, scale: int) -> int:
    shift = scale + NANO_DIGITS
    power: int = 10 ** abs(shift)
    return digits * power if shift >= 0 else -(-digits // power)


def _binary_nano(digits: int, power: int, decimals: int) -> int:
    divisor: int = 10**decimals
    nano = -(-(digits << power) * NANO // divisor)
    # Only the binary family is capped by the library; the cap is the largest 64-bit integer of units.
    return min(nano, MAX_INT64 * NANO)
