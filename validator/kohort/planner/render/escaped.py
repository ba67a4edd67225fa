"""Text of strangers inside a page or picture: what acts or hides is made visible, and nothing of it is markup."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from kohort.diagnostics.visible import visible, width

_NARROW: Final = frozenset("ijlfrt.,:;'|!()-/[] ")
_WIDE: Final = frozenset("mwMW@%…")
_TYPED: Final = re.compile("`([^`]+)`")


def escaped(text: str) -> str:
    """For an element or an attribute in double quotes."""
    return escape(visible(text))


def coded(text: str) -> str:
    """Escaped, with what stands between backticks as what one types."""
    return _TYPED.sub(r"<code>\1</code>", escaped(text))


def shortened(text: str, room: float) -> str:
    """Made visible, and cut where it is wider than so many times the size of its font; not yet escaped.

    What a letter takes is estimated, for a wide font rather than a narrow one: a picture cannot ask.
    """
    seen = visible(text)
    if sum(map(_advance, seen)) <= room:
        return seen
    room -= _advance("…")
    for place, char in enumerate(seen):
        room -= _advance(char)
        if room < 0:
            return f"{seen[:place]}…"
    return seen


def _advance(char: str) -> float:
    """How wide a character is drawn, in sizes of the font."""
    if char in _NARROW:
        return 0.4
    if char in _WIDE:
        return 1.0
    if not char.isascii():
        return {0: 0.0, 1: 0.8, 2: 1.05}[width(char)]
    return 0.76 if char.isupper() else 0.65
