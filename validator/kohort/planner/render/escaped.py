"""Text of strangers inside a page or picture: what acts or hides is made visible, and nothing of it is markup."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from kohort.diagnostics.visible import visible, width

_TYPED: Final = re.compile("`([^`]+)`")


def escaped(text: str) -> str:
    """For an element or an attribute in double quotes."""
    return escape(visible(text))


def coded(text: str) -> str:
    """Escaped, with what stands between backticks as what one types."""
    return _TYPED.sub(r"<code>\1</code>", escaped(text))


def shortened(text: str, most: int) -> str:
    """Made visible, and cut where it takes more than so many columns (wide characters take two); not yet escaped."""
    seen = visible(text)
    if width(seen) <= most:
        return seen
    room = most - 1
    for place, char in enumerate(seen):
        room -= width(char)
        if room < 0:
            return f"{seen[:place]}…"
    return seen
