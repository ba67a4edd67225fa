"""Text of strangers inside a page or picture: what acts or hides is made visible, and nothing of it is markup."""

from __future__ import annotations

from html import escape

from kohort.diagnostics.visible import visible


def escaped(text: str) -> str:
    """For an element or an attribute in double quotes."""
    return escape(visible(text))


def shortened(text: str, most: int) -> str:
    """Made visible, and cut where it is longer than so many characters; not yet escaped."""
    seen = visible(text)
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"
