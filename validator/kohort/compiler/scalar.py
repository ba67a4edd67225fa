"""Text of one YAML scalar, quoted exactly when a YAML 1.1 or 1.2 reader could take it for something else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# Begins like a word or a path; no `: `, ` #`, double or trailing blank inside. Digits in front are judged apart.
_PLAIN: Final = re.compile(
    r"[A-Za-z_/](?:[!$-&(-9;-_a-~]|:(?![\s]|\Z)|(?<! )#| (?![ #]|\Z))*"  # ASCII that is seen, but none of :#"'`
)
# Amounts with a unit are words to every reader; `E` is left out, since a lax reader might see an exponent.
_AMOUNT: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[numkMGTP]|[KMGTPE]i)")
_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@lru_cache(maxsize=65536)
def text_scalar(text: str) -> str:
    """A string in one line: plain where it is safe, else in double quotes."""
    if _PLAIN.fullmatch(text):
        return f'"{text}"' if text.lower() in _WORDS else text
    return text if _AMOUNT.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A string in double quotes; what is not printable is escaped."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_ESCAPES.get(char) or _shown(char) for char in text) + '"'


def _shown(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def other_scalar(value: object) -> str:
    """null, booleans and numbers; anything unknown as quoted text."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return _float(value) if isinstance(value, float) else quoted(str(value))


def _float(value: float) -> str:
    text = repr(value)
    if text in {"inf", "-inf", "nan"}:
        return text.replace("inf", ".inf").replace("nan", ".nan")
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return text
    # YAML 1.1 knows an exponent only after a decimal point and with a sign.
    sign = "" if exponent[0] in "+-" else "+"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{sign}{exponent}"


def literal_lines(text: str) -> tuple[str, list[str]] | None:
    """The indicator and lines of a literal block, or None where only quotes keep the text.

    Kept simple on purpose: printable text whose first line is neither empty nor indented, without trailing
    blanks, that ends in at most one line break.
    """
    body = text.removesuffix("\n")
    lines = body.split("\n")
    if "\n" not in text or lines[0][:1] in {"", " "} or not lines[-1]:
        return None
    if any(not line.isprintable() or line.endswith(" ") or "\ufeff" in line for line in lines):
        return None
    return ("|" if body != text else "|-"), lines
