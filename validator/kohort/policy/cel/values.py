"""The values of CEL, as Python's own where there are such.

int, float, str, bytes, bool, None, list and dict are themselves; what Python does not tell apart or lacks has a class here.
Durations and moments are nanoseconds. Source: the CEL language definition, section Values.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import SplitResult

from kohort.dataclass import dataclass
from kohort.objects.quantity import Quantity
from kohort.policy.cel.wrong import Wrong

MAX_INT: Final = 2**63 - 1
MIN_INT: Final = -(2**63)
MAX_UINT: Final = 2**64 - 1

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Block: TypeAlias = ipaddress.IPv4Interface | ipaddress.IPv6Interface


class Uint(int):
    """An unsigned whole number of 64 bits."""


@dataclass(frozen=True, slots=True)
class Duration:
    """A time that passes."""

    nanos: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, since 1970 in UTC."""

    nanos: int


@dataclass(frozen=True, slots=True)
class Kind:
    """A type as a value: `type(1)`, or `int`."""

    name: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """An optional value."""

    there: bool
    value: Any = None


@dataclass(frozen=True, slots=True)
class Url:
    """A URL with its parts."""

    text: str
    parts: SplitResult


@dataclass(frozen=True, slots=True)
class Semver:
    """A semantic version; `before` are the parts of its pre-release."""

    numbers: tuple[int, int, int]
    before: tuple[int | str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class NamedFormat:
    """One of Kubernetes' formats of names and texts."""

    name: str


_NAMES: Final[Mapping[type, str]] = {
    bool: "bool",
    Uint: "uint",
    int: "int",
    float: "double",
    str: "string",
    bytes: "bytes",
    type(None): "null_type",
    list: "list",
    dict: "map",
    Duration: "google.protobuf.Duration",
    Moment: "google.protobuf.Timestamp",
    Kind: "type",
    Maybe: "optional_type",
    Quantity: "kubernetes.Quantity",
    Url: "kubernetes.URL",
    Semver: "kubernetes.Semver",
    NamedFormat: "kubernetes.NamedFormat",
    ipaddress.IPv4Address: "net.IP",
    ipaddress.IPv6Address: "net.IP",
    ipaddress.IPv4Interface: "net.CIDR",
    ipaddress.IPv6Interface: "net.CIDR",
}
_WORDS: Final = {
    "google.protobuf.Duration": "duration",
    "google.protobuf.Timestamp": "timestamp",
    "null_type": "null",
}


def kind_of(value: Any) -> str:
    """The name of the type of a value, as CEL calls it."""
    return _NAMES.get(type(value)) or _NAMES[next(each for each in type(value).__mro__ if each in _NAMES)]


def word_for(value: Any) -> str:
    """The type of a value in a sentence: `string`, `duration`, `Quantity`."""
    name = kind_of(value)
    return _WORDS.get(name, name.rpartition(".")[2])


def is_number(value: Any) -> bool:
    """Whether it is a number of any kind."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def equal(one: Any, other: Any) -> bool:
    """Whether two values are the same; numbers by what they amount to, other types never equal each other."""
    if is_number(one) and is_number(other):
        return bool(one == other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return len(one) == len(other) and all(key in other and equal(one[key], other[key]) for key in one)
    if isinstance(one, Maybe) and isinstance(other, Maybe):
        return one.there == other.there and equal(one.value, other.value)
    if isinstance(one, Semver) and isinstance(other, Semver):
        return (one.numbers, one.before) == (other.numbers, other.before)
    return kind_of(one) == kind_of(other) and bool(one == other)


_ORDERED: Final = (str, bytes, bool)


def below(one: Any, other: Any) -> bool:
    """Whether one value stands before another. Raises Wrong for what has no order."""
    if is_number(one) and is_number(other):
        return bool(one < other)
    if type(one) is type(other):
        if isinstance(one, str):
            return (
                one.encode("utf-8", "surrogatepass") < other.encode("utf-8", "surrogatepass")
                if one != other
                else False
            )
        if isinstance(one, _ORDERED):
            return bool(one < other)
        if isinstance(one, (Duration, Moment)):
            return one.nanos < int(other.nanos)
    hint = ": use isLessThan(), isGreaterThan() or compareTo()" if isinstance(one, (Quantity, Semver)) else ""
    raise Wrong(f"{word_for(one)} and {word_for(other)} have no order{hint}")


def contains(items: Any, value: Any) -> bool:
    """`value in items`, of a list or the keys of a map. Raises Wrong for anything else."""
    if isinstance(items, list):
        return any(equal(each, value) for each in items)
    if isinstance(items, Mapping):
        return isinstance(value, (str, int, float)) and not isinstance(value, bool) and value in items
    raise Wrong(f"`in` takes a list or a map on its right, not {word_for(items)}")
