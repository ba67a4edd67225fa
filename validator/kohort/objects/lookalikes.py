"""Characters that deceive the eye: look-alikes of ASCII, and those that steer a terminal or hide."""

from __future__ import annotations

import unicodedata
from typing import Final

from kohort.dataclass import dataclass

# Letters of other scripts whose usual glyph equals an ASCII one, written as code points so that the table
# itself can be read. Forms of ASCII (full width, bold, circled) are found by compatibility normalisation.
_TWINS: Final = {
    chr(int(code, 16)): pair[-1]
    for pair in (  # noqa: SIM905 - ninety quoted pairs would hide the table
        # Cyrillic
        "430a 435e 43Eo 440p 441c 443y 445x 456i 458j 455s 4BBh 501d 51Bq 51Dw 4CFl 475v "
        "410A 412B 415E 41AK 41CM 41DH 41EO 420P 421C 422T 425X 406I 408J 405S 4AEY "
        # Greek
        "3BFo 3B1a 3BDv 3B9i 3C1p 3BAk 3C5u 3C7x 3B3y "
        "391A 392B 395E 396Z 397H 399I 39AK 39CM 39DN 39FO 3A1P 3A4T 3A5Y 3A7X "
        # Latin extensions and Armenian
        "131i 251a 261g 1C0l 237j 1D0Fo 578n 57Du 585o 570h "
        # Dashes, dots, slashes and digits
        "2010- 2011- 2012- 2013- 2014- 2212- 2D7- 2024. 2044/ 2215/ 3002. 6600 6F00 9669"
    ).split()
    for code in (pair[:-1],)
}


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A character that looks like the ASCII character `twin`; `position` counts characters from 1."""

    position: int
    char: str
    twin: str

    def __str__(self) -> str:
        """Like: 'a' (U+0430 CYRILLIC SMALL LETTER A, looks like 'a'), the first one being the stranger."""
        name = unicodedata.name(self.char, "unnamed")
        return f"'{self.char}' (U+{ord(self.char):04X} {name}, looks like '{self.twin}')"


def lookalike(text: str) -> LookAlike | None:
    """Return the first character of `text` that only looks like an ASCII one, or None."""
    if text.isascii():
        return None
    for position, char in enumerate(text, 1):
        twin = _twin(char)
        if twin:
            return LookAlike(position, char, twin)
    return None


def skeleton(text: str) -> str:
    """Return `text` with every look-alike replaced by its ASCII twin: two names that look alike are equal here."""
    if text.isascii():
        return text
    return "".join(_twin(char) or char for char in text)


def _twin(char: str) -> str:
    if char.isascii() or not char.isprintable():
        return ""
    twin = _TWINS.get(char)
    if twin:
        return twin
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 and plain.isascii() and plain.isprintable() else ""


def visible(text: str) -> str:
    r"""Return `text` safe to print: control, escape, direction and invisible characters become escapes.

    Ordinary letters of any script stay. A backslash stays single: the result is for eyes, not for reading back.
    Example: "a\x1b[31m" (with a real ESC) gives the six visible characters `\x1b[31m` after `a`.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if short:
        return short
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
