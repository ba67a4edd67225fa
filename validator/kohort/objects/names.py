"""The grammars of names in Kubernetes, each answering None or, in words, what is wrong and where.

Source: apimachinery 0.36 `util/validation` and `api/validate/content`, and the core validation of
container resource names. Limits are bytes, which are characters here: no grammar admits other than ASCII.
Positions count characters from 1.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from kohort.objects.lookalikes import lookalike, visible

__all__ = [
    "container_resource_name",
    "dns_label",
    "dns_subdomain",
    "label_key",
    "label_value",
    "lookalike",
    "resource_name",
    "rfc1035_label",
    "visible",
]

LABEL_MAX: Final = 63
SUBDOMAIN_MAX: Final = 253

_LOWER: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_MIXED: Final = _LOWER | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER_WORDS: Final = "lower-case letters, digits and '-'"
_KEY_WORDS: Final = "letters, digits, '-', '_' and '.'"

_DNS_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_DNS_SUBDOMAIN: Final = re.compile(rf"{_DNS_LABEL.pattern}(\.{_DNS_LABEL.pattern})*")
_KEY_NAME: Final = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")

_STANDARD_RESOURCES: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_NATIVE_DOMAIN: Final = "kubernetes.io/"
_QUOTA_PREFIX: Final = "requests."


@lru_cache(maxsize=8192)
def dns_label(text: str) -> str | None:
    """RFC 1123 label: names of namespaces and pod sets; at most 63 characters."""
    if len(text) <= LABEL_MAX and _DNS_LABEL.fullmatch(text):
        return None
    return _empty_or_long(text, LABEL_MAX) or _characters(text, _LOWER, "-", _LOWER_WORDS)


@lru_cache(maxsize=8192)
def dns_subdomain(text: str) -> str | None:
    """RFC 1123 subdomain: names of most objects; labels joined by dots, at most 253 characters in all."""
    if len(text) <= SUBDOMAIN_MAX and _DNS_SUBDOMAIN.fullmatch(text):
        return None
    wrong = _empty_or_long(text, SUBDOMAIN_MAX)
    if wrong:
        return wrong
    wrong = _first_forbidden(text, _LOWER | {"-", "."}, "lower-case letters, digits, '-' and '.'")
    if wrong:
        return wrong
    at = 0
    for part in text.split("."):
        if not part:
            return (
                f"there is nothing between dots at position {max(at, 1)}; each part needs a letter or digit"
            )
        for index in (0, len(part) - 1):
            if part[index] not in _LOWER:
                return f"'{part[index]}' at position {at + index + 1} is not allowed there; each part between dots must start and end with a letter or digit"
        at += len(part) + 1
    raise AssertionError(text)


@lru_cache(maxsize=1024)
def rfc1035_label(text: str) -> str | None:
    """RFC 1035 label: names of Services; as dns_label but the first character is a letter."""
    wrong = dns_label(text)
    if wrong is None and text[0] not in _LETTERS:
        return f"it starts with '{text[0]}'; it must start with a letter"
    return wrong


@lru_cache(maxsize=8192)
def label_key(text: str) -> str | None:
    """Label key, also called qualified name: an optional subdomain prefix, '/', and a name of at most 63."""
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return f"'/' at position {text.rindex('/') + 1} is one too many; at most one prefix is allowed"
    if slash:
        wrong = dns_subdomain(prefix)
        if wrong:
            return f"the prefix before '/' is wrong: {wrong}"
    if len(name) <= LABEL_MAX and _KEY_NAME.fullmatch(name):
        return None
    wrong = _empty_or_long(name, LABEL_MAX) or _characters(
        name, _MIXED, "-_.", _KEY_WORDS, offset=len(text) - len(name)
    )
    return f"the name after '/' is wrong: {wrong}" if slash else wrong


@lru_cache(maxsize=8192)
def label_value(text: str) -> str | None:
    """Label value: empty, or at most 63 characters that start and end with a letter or digit."""
    if not text or (len(text) <= LABEL_MAX and _KEY_NAME.fullmatch(text)):
        return None
    return _empty_or_long(text, LABEL_MAX) or _characters(text, _MIXED, "-_.", _KEY_WORDS)


def resource_name(text: str) -> str | None:
    """Name of a resource in a quota (coveredResources, nominal quotas): any label key."""
    return label_key(text)


@lru_cache(maxsize=1024)
def container_resource_name(text: str) -> str | None:
    """Name that a container may request: cpu, memory, ephemeral-storage, hugepages-<size>, or domain/name."""
    wrong = label_key(text)
    if wrong or text in _STANDARD_RESOURCES or re.fullmatch(r"hugepages-[^/]+", text):
        return wrong
    if "/" not in text:
        return "it is not a standard resource (cpu, memory, ephemeral-storage, hugepages-<size>) and has no domain; write domain/name"
    domain = text.partition("/")[0] + "/"
    if _NATIVE_DOMAIN in domain:
        # Names of the project's own domain are accepted as native; they are never extended resources.
        return None
    if text.startswith(_QUOTA_PREFIX):
        return "it starts with 'requests.', which only ResourceQuotas use"
    wrong = label_key(f"{_QUOTA_PREFIX}{text}")
    return f"it is too long to be counted by a ResourceQuota: {wrong}" if wrong else None


def _empty_or_long(text: str, limit: int) -> str | None:
    if not text:
        return "it is empty"
    if len(text) > limit:
        return f"it has {len(text)} characters; at most {limit} are allowed"
    return None


def _first_forbidden(text: str, allowed: frozenset[str], words: str, offset: int = 0) -> str | None:
    for index, char in enumerate(text, 1):
        if char not in allowed:
            alike = lookalike(char)
            shown = str(alike) if alike else f"'{visible(char)}'"
            return f"{shown} at position {offset + index} is not allowed; use {words}"
    return None


def _characters(text: str, ends: frozenset[str], inner: str, words: str, offset: int = 0) -> str:
    wrong = _first_forbidden(text, ends | frozenset(inner), words, offset)
    if wrong:
        return wrong
    if text[0] not in ends:
        return f"it starts with '{text[0]}' at position {offset + 1}; it must start with a letter or digit"
    return f"it ends with '{text[-1]}' at position {offset + len(text)}; it must end with a letter or digit"
