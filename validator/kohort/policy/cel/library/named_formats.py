"""Kubernetes' formats of names and texts: `format.dns1123Label().validate(name)` gives what is wrong, or nothing.

Source: Kubernetes' library format. Faults are said in our own words.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from kohort.policy.cel.library.network import url
from kohort.policy.cel.library.texts import text
from kohort.policy.cel.library.times import moment
from kohort.policy.cel.values import Maybe, NamedFormat, word_for
from kohort.policy.cel.wrong import Wrong

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_QUALIFIED: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"


def _like(pattern: str, most: int, prefix: bool = False) -> Callable[[str], bool]:
    """Whether a text is of a pattern and no longer than so many bytes; a prefix may end in a hyphen."""
    whole = re.compile(pattern)

    def ask(value: str) -> bool:
        shown = value[:-1] + "a" if prefix and value.endswith("-") else value
        return len(value.encode()) <= most and whole.fullmatch(shown) is not None

    return ask


def _qualified(value: str) -> bool:
    domain, slash, name = value.rpartition("/")
    sound = not slash or _FORMATS["dns1123Subdomain"](domain)
    return sound and len(name.encode()) <= 63 and re.fullmatch(_QUALIFIED, name) is not None


def _reads(read: Callable[[str], Any]) -> Callable[[str], bool]:
    def ask(value: str) -> bool:
        try:
            read(value)
        except (Wrong, ValueError, binascii.Error):
            return False
        return True

    return ask


_FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "dns1123Label": _like(_LABEL, 63),
    "dns1123LabelPrefix": _like(_LABEL, 63, prefix=True),
    "dns1123Subdomain": _like(rf"{_LABEL}(\.{_LABEL})*", 253),
    "dns1123SubdomainPrefix": _like(rf"{_LABEL}(\.{_LABEL})*", 253, prefix=True),
    "dns1035Label": _like("[a-z]([-a-z0-9]*[a-z0-9])?", 63),
    "dns1035LabelPrefix": _like("[a-z]([-a-z0-9]*[a-z0-9])?", 63, prefix=True),
    "qualifiedName": _qualified,
    "labelValue": _like(f"({_QUALIFIED})?", 63),
    "uri": _reads(url),
    "uuid": _like("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", 36),
    "byte": _reads(lambda value: base64.b64decode(value, validate=True)),
    "date": _reads(date.fromisoformat),
    "datetime": _reads(moment),
}


def validate(value: Any, wanted: Any) -> Maybe:
    """Nothing where a text is of the format, else a list with what is wrong."""
    if not isinstance(value, NamedFormat):
        raise Wrong(f"`validate` is asked of a format, not {word_for(value)}")
    if _FORMATS[value.name](text(wanted, "validate")):
        return Maybe(there=False)
    return Maybe(there=True, value=[f"{wanted!r:.60} is no {value.name}"])


def _named(name: Any) -> Maybe:
    known = text(name, "format.named") in _FORMATS
    return Maybe(known, NamedFormat(name) if known else None)


def _constant(name: str) -> Callable[[], NamedFormat]:
    return lambda: NamedFormat(name)


FORMATS: Final[Mapping[str, Callable[..., Any]]] = {
    "format.named": _named,
    "validate": validate,
    **{f"format.{name}": _constant(name) for name in _FORMATS},
}
