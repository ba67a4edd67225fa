"""From one type to another, and the types themselves. Source: the CEL language definition, section List of Standard Definitions."""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from kohort.policy.cel.library.times import duration, moment, shown_duration, shown_moment
from kohort.policy.cel.operators import whole
from kohort.policy.cel.values import Duration, Kind, Moment, is_number, kind_of, word_for
from kohort.policy.cel.wrong import Wrong

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,25}")
_FLOAT: Final = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)",
    re.IGNORECASE,
)
_TRUTHS: Final = {
    **dict.fromkeys(("1", "t", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "false", "FALSE", "False"), False),
}


def size(value: Any) -> int:
    """Characters of a text, bytes, elements of a list, keys of a map."""
    if isinstance(value, (str, bytes, list, Mapping)):
        return len(value)
    raise Wrong(f"`size` takes a string, a list or a map, not {word_for(value)}")


def integer(value: Any) -> int:
    """A whole number; fractions are cut off."""
    if isinstance(value, Moment):
        return value.nanos // 10**9
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return whole(int(value))
    if is_number(value) and math.isfinite(value):
        return whole(int(value))
    raise _unlike(value, "int")


def unsigned(value: Any) -> int:
    """An unsigned whole number."""
    if isinstance(value, str) and _WHOLE.fullmatch(value) and value[0] not in "+-":
        return whole(int(value), unsigned=True)
    if is_number(value) and math.isfinite(value):
        return whole(int(value), unsigned=True)
    raise _unlike(value, "uint")


def double(value: Any) -> float:
    """A number with a fraction."""
    if is_number(value) or (isinstance(value, str) and _FLOAT.fullmatch(value)):
        return float(value)
    raise _unlike(value, "double")


def truth(value: Any) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in _TRUTHS:
        return _TRUTHS[value]
    raise _unlike(value, "bool")


def shown(value: Any) -> str:
    """The value as a text. Raises Wrong for lists, maps and null, which have none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return shown_float(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise Wrong("these bytes are no text in UTF-8") from None
    if isinstance(value, (Duration, Moment)):
        return shown_duration(value) if isinstance(value, Duration) else shown_moment(value)
    if isinstance(
        value,
        (ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Interface, ipaddress.IPv6Interface),
    ):
        return str(value)
    if isinstance(value, Kind):
        return value.name
    raise _unlike(value, "string")


def shown_float(value: float) -> str:
    """As Go prints it: as short as it is exact, with an exponent from a million up and below a ten-thousandth."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    number = Decimal(repr(value)).normalize()
    if not value or -4 <= number.adjusted() < 6:
        return format(number, "f")
    mantissa, _, exponent = format(number, "e").partition("e")
    return f"{mantissa}e{exponent[0]}{exponent[1:].rjust(2, '0')}"


def _bytes(value: Any) -> bytes:
    if isinstance(value, (str, bytes)):
        return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    raise _unlike(value, "bytes")


def _unlike(value: Any, name: str) -> Wrong:
    what = f"the {word_for(value)} {value!r:.40}" if isinstance(value, (str, int, float)) else word_for(value)
    return Wrong(f"`{name}` cannot be made of {what}")


def kind(value: Any) -> Kind:
    """The type of a value."""
    return Kind(kind_of(value))


KINDS: Final[Mapping[str, Kind]] = {
    name: Kind(name)
    for name in ("bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type")
} | {"optional_type": Kind("optional_type")}
CONVERSIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "size": size,
    "int": integer,
    "uint": unsigned,
    "double": double,
    "bool": truth,
    "string": shown,
    "bytes": _bytes,
    "type": kind,
    "dyn": lambda value: value,
    "duration": duration,
    "timestamp": moment,
}
