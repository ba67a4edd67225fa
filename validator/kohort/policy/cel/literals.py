"""Texts and numbers as they are written in CEL.

Source: the CEL language definition, sections Syntax and String and Bytes Values.
"""

from __future__ import annotations

import re
from typing import Final

from kohort.policy.cel.values import MAX_INT, MAX_UINT, MIN_INT, Uint
from kohort.policy.cel.wrong import Wrong

_ESCAPE: Final = re.compile(
    r"\\(?:([abfnrtv\\?\"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.?))",
    re.DOTALL,
)
_LONGEST: Final = 100  # characters of a number
_PLAIN: Final = dict(zip("abfnrtv\\?\"'`", "\a\b\f\n\r\t\v\\?\"'`", strict=True))


def text_of(written: str, offset: int) -> str | bytes:
    """The value of a text or of bytes. Raises Wrong for an escape that CEL does not know."""
    prefix = written[: len(written) - len(written.lstrip("rRbB"))].lower()
    body = written[len(prefix) :]
    quotes = 3 if body[:3] in ("'''", '"""') else 1
    body = body[quotes:-quotes]
    if "b" in prefix:
        return _bytes(body, offset, raw="r" in prefix)
    return body if "r" in prefix else _ESCAPE.sub(lambda found: _character(found, offset), body)


def _character(found: re.Match[str], offset: int) -> str:
    plain, hexadecimal, short, long, octal, _ = found.groups()
    if plain:
        return _PLAIN[plain]
    code = int(octal, 8) if octal else int(hexadecimal or short or long or "-1", 16)
    if not 0 <= code < 0x110000 or 0xD800 <= code < 0xE000:
        raise Wrong(
            f"`{found.group()}` is no escape of CEL (in a raw text, r'…', a backslash needs none)", offset
        )
    return chr(code)


def _bytes(body: str, offset: int, *, raw: bool) -> bytes:
    if raw:
        return body.encode()
    parts, at = [], 0
    for found in _ESCAPE.finditer(body):
        parts.append(body[at : found.start()].encode())
        _, hexadecimal, _, _, octal, _ = found.groups()
        code = int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else -1
        parts.append(bytes([code]) if code >= 0 else _character(found, offset).encode())
        at = found.end()
    return b"".join((*parts, body[at:].encode()))


def number_of(written: str, offset: int) -> int | float:
    """The value of a number with its sign, an unsigned one as `Uint`. Raises Wrong beyond 64 bits."""
    text = written.lower()
    if len(written) > _LONGEST:
        raise Wrong(f"a number has at most {_LONGEST} characters", offset)
    if text.endswith("u"):
        value = int(text[:-1], 0 if "0x" in text else 10)
        if value > MAX_UINT:
            raise Wrong(f"{written} is more than an unsigned number of 64 bits holds", offset)
        return Uint(value)
    if "0x" in text or not ("." in text or "e" in text):
        value = int(text, 16 if "0x" in text else 10)
        if not MIN_INT <= value <= MAX_INT:
            raise Wrong(f"{written} is more than a whole number of 64 bits holds", offset)
        return value
    return float(text)
