"""How an amount is said and written in messages of this family."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from kohort.objects.quantity import Quantity

NANO: Final = 10**9
MEBIBYTE: Final = 1024**2
DECIMAL: Final = frozenset({"M", "G", "T", "P", "E"})
_PARTS: Final = re.compile(r"([+-]?[0-9.]+)([A-Za-z]*)")
_FACTORS: Final = {
    "": Fraction(1),
    **{suffix: Fraction(1000) ** power for power, suffix in enumerate("kMGTPE", 1)},
    **{f"{suffix}i": Fraction(1024) ** power for power, suffix in enumerate("KMGTPE", 1)},
    **{suffix: Fraction(1, 1000**power) for power, suffix in enumerate("mun", 1)},
}
_BINARY: Final = (("TiB", 1024**4), ("GiB", 1024**3), ("MiB", 1024**2), ("KiB", 1024))


def exactly(quantity: Quantity) -> str:
    """The value in base units without an exponent: `51.2`."""
    return format(Decimal(quantity.nano).scaleb(-9).normalize(), "f")


def number_and_suffix(text: str) -> tuple[str, str]:
    """`51200m` → (`51200`, `m`); (text, "") when it is written otherwise."""
    match = _PARTS.fullmatch(text.strip())
    return (match.group(1), match.group(2)) if match else (text, "")


def same_amount(text: str, quantity: Quantity) -> bool:
    """Whether the quantity is exactly what was typed; the server saturates and rounds what it cannot hold."""
    number, suffix = number_and_suffix(text)
    factor = _FACTORS.get(suffix)
    try:
        typed = Fraction(number if factor is not None else text.strip())
    except (ValueError, ZeroDivisionError):
        return False
    return typed * (factor or 1) == Fraction(quantity.nano, NANO)


def in_binary(units: int) -> str:
    """Bytes in the largest binary unit, one decimal, marked where rounded: `1862.6 GiB`."""
    for name, unit in _BINARY:
        if units >= unit * (1000 if name == "TiB" else 1):
            tenths = (units * 10 + unit // 2) // unit
            whole, tenth = divmod(tenths, 10)
            return f"{whole}.{tenth} {name}" if tenth else f"{whole} {name}"
    return f"{units} B"


def yaml_text(canonical: str) -> str:
    """A canonical quantity as YAML text: quoted where YAML would read a number."""
    plain = number_and_suffix(canonical)[1] in {
        "k",
        "M",
        "G",
        "T",
        "P",
        "E",
        "Ki",
        "Mi",
        "Gi",
        "Ti",
        "Pi",
        "Ei",
        "m",
        "u",
        "n",
    }
    return canonical if plain else f'"{canonical}"'
