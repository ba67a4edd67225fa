"""Addresses, blocks of them, and URLs. Source: Kubernetes' libraries ip, cidr and urls."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

from kohort.policy.cel.library.texts import text
from kohort.policy.cel.values import Address, Block, Url, word_for
from kohort.policy.cel.wrong import Wrong

_V4: Final = (ipaddress.IPv4Address, ipaddress.IPv4Interface)
_ADDRESSES: Final = (ipaddress.IPv4Address, ipaddress.IPv6Address)
_BLOCKS: Final = (ipaddress.IPv4Interface, ipaddress.IPv6Interface)
_URL: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|/)[^\x00-\x1f\x7f]*")
_HOST: Final = re.compile(r"(?:[^\s@]*@)?(?:\[[^\s\]]*\]|[^\s:\[\]]*)(?::[0-9]*)?")


def ip(value: Any) -> Address:
    """An address, or that of a block. Raises Wrong for what is none, or IPv4 in the clothes of IPv6."""
    if isinstance(value, _BLOCKS):
        return value.ip
    written = text(value, "ip")
    try:
        found = ipaddress.ip_address(written)
    except ValueError:
        raise Wrong(f"{written!r:.60} is no IP address") from None
    if isinstance(found, ipaddress.IPv6Address) and (found.ipv4_mapped is not None or found.scope_id):
        raise Wrong(
            f"{written!r:.60} is no address that Kubernetes takes: IPv4-mapped and zoned ones are refused"
        )
    return found


def cidr(value: Any) -> Block:
    """A block of addresses. Raises Wrong for what is none."""
    written = text(value, "cidr")
    wrong = Wrong(f"{written!r:.60} is no block of addresses, such as 10.0.0.0/8")
    if not re.fullmatch(r"[^/]+/(?:0|[1-9][0-9]{0,2})", written):
        raise wrong
    try:
        found = ipaddress.ip_interface(written)
    except ValueError:
        raise wrong from None
    ip(str(found.ip))
    return found


def _is(read: Callable[[Any], Any]) -> Callable[[Any], bool]:
    def ask(value: Any) -> bool:
        try:
            read(value)
        except Wrong:
            return False
        return True

    return ask


def _address(value: Any) -> Address:
    if isinstance(value, _ADDRESSES):
        return value
    raise Wrong(f"an address is asked for, not {word_for(value)}: write ip(…)")


def _block(value: Any) -> Block:
    if isinstance(value, _BLOCKS):
        return value
    raise Wrong(f"a block of addresses is asked for, not {word_for(value)}: write cidr(…)")


def _contains(block: Any, value: Any) -> bool:
    one = ip(value) if isinstance(value, str) else _address(value)
    return one in _block(block).network


def _contains_block(block: Any, value: Any) -> bool:
    outer, inner = _block(block), cidr(value) if isinstance(value, str) else _block(value)
    return (
        outer.version == inner.version
        and inner.ip in outer.network
        and inner.network.prefixlen >= outer.network.prefixlen
    )


def _global(value: Any) -> bool:
    one = _address(value)
    return not (
        one.is_unspecified
        or one.is_loopback
        or one.is_multicast
        or one.is_link_local
        or str(one) == "255.255.255.255"
    )


def _link_local(value: Any) -> bool:
    one = _address(value)
    block = "224.0.0.0/24" if one.version == 4 else "ff02::/16"
    return one in ipaddress.ip_network(block)


def url(value: Any) -> Url:
    """A whole URL, or a path from the root. Raises Wrong for what is neither."""
    written = text(value, "url")
    wrong = Wrong(f"{written!r:.60} is no URL")
    if not _URL.fullmatch(written) or re.search(r"%(?![0-9A-Fa-f]{2})", written.partition("?")[0]):
        raise wrong
    try:
        parts = urlsplit(written)
    except ValueError:
        raise wrong from None
    if not _HOST.fullmatch(parts.netloc):
        raise wrong
    return Url(written, parts)


def _part(name: str, of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def ask(value: Any) -> Any:
        if isinstance(value, Url):
            return of(value.parts)
        raise Wrong(f"`{name}` takes a URL, not {word_for(value)}: write url(…)")

    return ask


def _host(parts: Any) -> str:
    return str(parts.netloc.rpartition("@")[2])


def _hostname(parts: Any) -> str:
    host = _host(parts)
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _port(parts: Any) -> str:
    return _host(parts).rpartition("]")[2].partition(":")[2]


def _query(parts: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        found.setdefault(key, []).append(value)
    return found


NETWORK: Final[Mapping[str, Callable[..., Any]]] = {
    "ip": ip,
    "isIP": _is(lambda value: ip(text(value, "isIP"))),
    "ip.isCanonical": lambda value: str(ip(text(value, "ip.isCanonical"))) == value,
    "family": lambda value: _address(value).version,
    "isUnspecified": lambda value: _address(value).is_unspecified,
    "isLoopback": lambda value: _address(value).is_loopback,
    "isLinkLocalUnicast": lambda value: _address(value).is_link_local,
    "isLinkLocalMulticast": _link_local,
    "isGlobalUnicast": _global,
    "cidr": cidr,
    "isCIDR": _is(cidr),
    "containsIP": _contains,
    "containsCIDR": _contains_block,
    "prefixLength": lambda value: _block(value).network.prefixlen,
    "masked": lambda value: ipaddress.ip_interface(_block(value).network),
    "url": url,
    "isURL": _is(url),
    "getScheme": _part("getScheme", lambda parts: parts.scheme),
    "getHost": _part("getHost", _host),
    "getHostname": _part("getHostname", _hostname),
    "getPort": _part("getPort", _port),
    "getEscapedPath": _part("getEscapedPath", lambda parts: quote(parts.path, safe="/%!$&'()*+,;=:@-._~")),
    "getQuery": _part("getQuery", _query),
}
