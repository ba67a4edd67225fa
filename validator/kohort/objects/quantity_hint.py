"""Say in words why a text is no quantity, and which spelling was probably meant."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"[+-]?[0-9]*\.?[0-9]*")
_UNITS: Final = "n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or an exponent such as e3"
_MEANT: Final = {
    "K": "Ki or k", "KB": "k", "KIB": "Ki", "KI": "Ki",
    "MB": "M", "MIB": "Mi", "MI": "Mi",
    "G": "G or Gi", "GB": "G", "GIB": "Gi", "GI": "Gi",
    "T": "T or Ti", "TB": "T", "TIB": "Ti", "TI": "Ti",
    "P": "P or Pi", "PB": "P", "PIB": "Pi", "PI": "Pi",
    "EB": "E", "EIB": "Ei", "EI": "Ei",
}  # fmt: skip
_LONGEST_SHOWN: Final = 40


def reason_for(text: str) -> str:
    """Return one sentence on what is wrong with `text`, which the parser has already refused."""
    if not text:
        return "a quantity must not be empty"
    shown = ascii(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}...")[1:-1]
    match = _NUMBER.match(text)
    number = match[0] if match else ""
    unit = text[len(number) :]
    if not any(char.isdigit() for char in number):
        return f'"{shown}" is not a quantity: it must start with a number'
    at = len(number) + 1
    if not unit:
        return f'"{shown}" is not a quantity: the number is incomplete'
    if unit[0].isspace():
        return f'"{shown}" is not a quantity: no space is allowed between number and unit (position {at})'
    if not unit[0].isascii() or not unit[0].isalpha():
        return f'"{shown}" is not a quantity: {unit[0]!a} at position {at} is not allowed'
    meant = _MEANT.get(unit.upper())
    hint = f"; did you mean {meant}?" if meant else f" (units: {_UNITS})"
    return f'"{shown}" is not a quantity: the unit "{ascii(unit[:_LONGEST_SHOWN])[1:-1]}" is not known{hint}'
