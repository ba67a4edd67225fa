"""How an untyped YAML scalar reads in Kubernetes: as sigs.k8s.io/yaml 1.6 (go-yaml 2.4) turns it into JSON.

That is YAML 1.1 with exceptions: `y` and `n` are booleans, sexagesimal numbers and dates are text, `010` and `0o10` are
octal, underscores are dropped. A number beyond 64 bits becomes a float. The facts are recorded in the tests from the Go
library itself.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

# A plain scalar that begins with none of these is text; the empty one is null.
HINTS = frozenset(["", *"+-0123456789.~yYnNtTfFoO"])

_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS |= dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], True)
_WORDS |= dict.fromkeys(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], False)
_WORDS |= dict.fromkeys([".nan", ".NaN", ".NAN"], math.nan)
_WORDS |= dict.fromkeys([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], math.inf)
_WORDS |= dict.fromkeys(["-.inf", "-.Inf", "-.INF"], -math.inf)

_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]+)")
_OCTAL = re.compile(r"([+-]?)0[oO]?([0-7]+)")
_BINARY = re.compile(r"([+-]?)0[bB]([01]+)")
_ODD_BINARY = re.compile(r"0b([+-][01]+)")  # Go takes the sign behind the prefix too
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
# A float that begins with a point keeps single underscores between digits, as Go's ParseFloat allows.
_POINT_FLOAT = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")
_LONGEST_DECIMAL = 20
_SMALLEST_POWER, _EXPONENT_FROM = -4, 6  # outside of these Go's %g writes an exponent
_MIN, _MAX, _UMAX = -(2**63), 2**63 - 1, 2**64 - 1
_STANDARD = "tag:yaml.org,2002:"
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?")


class TagError(ValueError):
    """A tag asks for a type that the text is not; the argument is the tag as one writes it."""


def resolve_plain(text: str) -> Scalar:
    """The value of a scalar without quotes and tag. May be an infinity or NaN, which JSON does not know."""
    first = text[:1]
    if first not in HINTS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if first in "~yYnNtTfFoO":
        return text
    if first == ".":
        return _float(text) if _POINT_FLOAT.fullmatch(text) else text
    plain = text.replace("_", "")
    number = _integer(plain)
    if number is not None:
        return number
    return _float(text) if _FLOAT.fullmatch(plain) else text


def _float(text: str) -> float | str:
    """The number; the text itself where it is beyond a float."""
    value = float(text.replace("_", ""))
    return text if math.isinf(value) else value


def _integer(plain: str) -> int | None:
    """A whole number as Go reads it with base 0, None when it is none or beyond 64 bits."""
    if _DECIMAL.fullmatch(plain):
        return _in_range(int(plain), plain) if len(plain) <= _LONGEST_DECIMAL else None
    for pattern, base in ((_HEX, 16), (_OCTAL, 8), (_BINARY, 2)):
        match = pattern.fullmatch(plain)
        if match:
            return _in_range(int(match[1] + match[2], base), plain)
    odd = _ODD_BINARY.fullmatch(plain)
    return _in_range(int(odd[1], 2), odd[1]) if odd else None


def _in_range(number: int, plain: str) -> int | None:
    limit = _MAX if plain[0] in "+-" else _UMAX
    return number if _MIN <= number <= limit else None


def resolve_tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with a tag (`tag:yaml.org,2002:int`, `!custom`). Raises TagError."""
    kind = tag.removeprefix(_STANDARD)
    if kind == "binary":
        try:
            return base64.b64decode(text, validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError) as error:
            raise TagError("!!binary") from error
    if kind not in {"bool", "int", "float", "null", "timestamp"} or kind == tag:
        return text
    value = resolve_plain(text)
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    fits = {
        "bool": isinstance(value, bool),
        "int": isinstance(value, int) and not isinstance(value, bool),
        "float": isinstance(value, float),
        "null": value is None,
        "timestamp": isinstance(value, str) and bool(_DATE.fullmatch(text)),
    }
    if not fits[kind]:
        raise TagError(f"!!{kind}")
    return value


def known_tag(tag: str, *, scalar: bool) -> bool:
    """Whether kubectl acts on a tag, or it says what the value is anyway."""
    if tag == "!":
        return True
    names = ("str", "bool", "int", "float", "null", "timestamp", "merge") if scalar else ("map", "seq")
    return tag.startswith(_STANDARD) and tag.removeprefix(_STANDARD) in names


def show_tag(tag: str) -> str:
    """A tag as one writes it: `!!set`, `!vault`."""
    return "!!" + tag.removeprefix(_STANDARD) if tag.startswith(_STANDARD) else tag


def key_text(value: Scalar) -> str | None:
    """The text that a key becomes; None for what cannot be a key (null, numbers from 2^63 up)."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value <= _MAX else None
    if isinstance(value, float):
        return _float32(value)
    return None


def _float32(value: float) -> str:
    """Shortest text of the nearest 32-bit float, as Go's %g writes it: sigs.k8s.io/yaml turns keys into text so."""
    try:
        single = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        single = math.copysign(math.inf, value)
    if math.isnan(single):
        return ".nan"
    if math.isinf(single):
        return ".inf" if single > 0 else "-.inf"
    text = next(t for d in range(9) if _same_single(t := f"{single:.{d}e}", single))
    mantissa, _, exponent = text.partition("e")
    power, digits = int(exponent), len(mantissa.lstrip("-").replace(".", ""))
    if power < _SMALLEST_POWER or power >= _EXPONENT_FROM:
        return f"{mantissa}e{power:+03d}"
    return f"{single:.{max(digits - 1 - power, 0)}f}"


def _same_single(text: str, single: float) -> bool:
    return bool(struct.unpack("f", struct.pack("f", float(text)))[0] == single)
