"""Texts of exact amounts: the spelling a server writes, and the one people read.

Amounts arrive as plain integers (nano-units, or the integer unit of a resource), so nothing here rounds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

NANO_DIGITS: Final = 9
NANO: Final = 10**NANO_DIGITS

DECIMAL_SUFFIX: Final = {
    -9: "n", -6: "u", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E",
}  # fmt: skip
BINARY_SUFFIX: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_KIBI: Final = 1024

BYTES_RESOURCES: Final = frozenset({"memory", "ephemeral-storage", "storage"})
HUGEPAGES_PREFIX: Final = "hugepages-"


def is_bytes(resource: str) -> bool:
    """Whether amounts of `resource` are bytes: memory, ephemeral storage and huge pages."""
    return resource in BYTES_RESOURCES or resource.startswith(HUGEPAGES_PREFIX)


@lru_cache(maxsize=8192)  # the same few amounts come again and again
def canonical_text(nano: int, fmt: Format) -> str:
    """Return the text that the API server computes for `nano` nano-units remembered in format `fmt`.

    Source: apimachinery 0.36 `Quantity.CanonicalizeBytes`. Two of its habits are kept because the stored
    object shows them: a binary amount below 1024 or with a fraction is written in decimal, and a decimal
    amount with no suffix of its own (1000E and more) loses its exponent, so that 10^21 is stored as "1".
    """
    if nano == 0:
        return "0"
    if fmt == "BinarySI":
        units, rest = divmod(nano, NANO)
        if rest == 0 and not -_KIBI < units < _KIBI:
            return _binary(units)
        fmt = "DecimalSI"
    digits, exponent = _mantissa(nano)
    if fmt == "DecimalSI":
        return f"{digits}{DECIMAL_SUFFIX.get(exponent, '')}"
    return f"{digits}e{exponent}" if exponent else str(digits)


def _mantissa(nano: int) -> tuple[int, int]:
    """Split nano-units into (digits, exponent), the exponent being the largest multiple of three."""
    digits, exponent = nano, -NANO_DIGITS
    while digits % 1000 == 0:
        digits //= 1000
        exponent += 3
    return digits, exponent


def _binary(units: int) -> str:
    power = 0
    while units % _KIBI == 0 and abs(units) >= _KIBI:
        units //= _KIBI
        power += 1
    # The parser caps binary amounts at 2^63 - 1, so an unknown power only comes from arithmetic.
    if power >= len(BINARY_SUFFIX):
        units *= _KIBI ** (power - len(BINARY_SUFFIX) + 1)
        power = len(BINARY_SUFFIX) - 1
    return f"{units}{BINARY_SUFFIX[power]}"


def format_units(n: int, resource: str) -> str:
    """Return the canonical text of `n` integer units of `resource`.

    Units are those of Kueue's arithmetic: CPU in milli-cores, everything else in whole base units (bytes
    for memory). Bytes are written with a binary suffix when a Ki divides them, otherwise in decimal.
    """
    if resource == "cpu":
        return canonical_text(n * 10 ** (NANO_DIGITS - 3), "DecimalSI")
    if is_bytes(resource) and n % _KIBI == 0:
        return canonical_text(n * NANO, "BinarySI")
    return canonical_text(n * NANO, "DecimalSI")


def human(n: int, resource: str) -> str:
    """Return `n` integer units of `resource` as people say it, always exact.

    CPU as cores ("95.21"), bytes in the largest binary unit that needs at most one decimal ("1.5 TiB",
    "1,900,000 MiB") or else in bytes, everything else with separators of thousands.
    """
    if resource == "cpu":
        whole, milli = divmod(abs(n), 1000)
        fraction = f".{milli:03}".rstrip("0") if milli else ""
        return f"{'-' if n < 0 else ''}{whole:,}{fraction}"
    if is_bytes(resource):
        return _human_bytes(n)
    return f"{n:,}"


def _human_bytes(n: int) -> str:
    for power in range(len(BINARY_SUFFIX) - 1, 0, -1):
        unit = _KIBI**power
        tenths, rest = divmod(abs(n) * 10, unit)
        if rest == 0 and abs(n) >= unit:
            whole, tenth = divmod(tenths, 10)
            number = f"{whole:,}.{tenth}" if tenth else f"{whole:,}"
            return f"{'-' if n < 0 else ''}{number} {BINARY_SUFFIX[power]}B"
    return f"{n:,} B"
