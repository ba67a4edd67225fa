"""Values of CEL as JSON and back, between the process that evaluates and whoever asks.

What JSON has no form for is a map of the one key `kohort.dev/cel` with the type and a text; a map that has that key itself,
or keys other than texts, is written as pairs.
"""

from __future__ import annotations

import base64
import ipaddress
from collections.abc import Callable, Mapping
from typing import Any, Final

from kohort.objects.quantity import Quantity
from kohort.policy.cel.library.amounts import semver
from kohort.policy.cel.library.network import url
from kohort.policy.cel.values import Duration, Kind, Maybe, Moment, NamedFormat, Semver, Uint, Url

TAG: Final = "kohort.dev/cel"
_TO: Final[Mapping[type, tuple[str, Callable[[Any], Any]]]] = {
    Uint: ("uint", str),
    bytes: ("bytes", lambda value: base64.b64encode(value).decode()),
    Duration: ("duration", lambda value: str(value.nanos)),
    Moment: ("timestamp", lambda value: str(value.nanos)),
    Kind: ("type", lambda value: value.name),
    Quantity: ("quantity", lambda value: value.canonical()),
    Url: ("url", lambda value: value.text),
    Semver: ("semver", lambda value: value.text),
    NamedFormat: ("format", lambda value: value.name),
    ipaddress.IPv4Address: ("ip", str),
    ipaddress.IPv6Address: ("ip", str),
    ipaddress.IPv4Interface: ("cidr", str),
    ipaddress.IPv6Interface: ("cidr", str),
}
_FROM: Final[Mapping[str, Callable[[Any], Any]]] = {
    "uint": Uint,
    "bytes": base64.b64decode,
    "duration": lambda text: Duration(int(text)),
    "timestamp": lambda text: Moment(int(text)),
    "type": Kind,
    "quantity": Quantity.parse,
    "url": url,
    "semver": lambda text: semver(text, True),
    "format": NamedFormat,
    "ip": ipaddress.ip_address,
    "cidr": ipaddress.ip_interface,
    "none": lambda _: Maybe(there=False),
    "some": lambda value: Maybe(there=True, value=decoded(value)),
    "map": lambda pairs: {decoded(key): decoded(value) for key, value in pairs},
}


def encoded(value: Any) -> Any:
    """The value as plain lists, maps with texts as keys, texts, numbers, truths and null."""
    if isinstance(value, list):
        return [encoded(each) for each in value]
    if isinstance(value, Mapping):
        if TAG in value or not all(isinstance(key, str) for key in value):
            return {TAG: ["map", [[encoded(key), encoded(value[key])] for key in value]]}
        return {key: encoded(each) for key, each in value.items()}
    if isinstance(value, Maybe):
        return {TAG: ["some", encoded(value.value)] if value.there else ["none", ""]}
    known = _TO.get(type(value))
    return value if known is None else {TAG: [known[0], known[1](value)]}


def decoded(value: Any) -> Any:
    """What `encoded` was given."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if isinstance(value, dict):
        if value.keys() == {TAG}:
            kind, given = value[TAG]
            return _FROM[kind](given)
        return {key: decoded(each) for key, each in value.items()}
    return value
