"""Elements of HTML and SVG as text. Attribute values and texts are escaped here and nowhere else."""

from __future__ import annotations

from html import escape
from typing import NewType

Markup = NewType("Markup", str)


def text(value: object) -> Markup:
    """A text, safe between tags; control characters are shown as a replacement mark."""
    return Markup(escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))))


def element(name: str, *inside: Markup, **attributes: object) -> Markup:
    """`<name a="…">inside</name>`. In names of attributes `_` at the end is dropped and `_` inside is `-`."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not inside and name in _EMPTY:
        return Markup(f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{''.join(inside)}</{name}>")


_EMPTY = frozenset({"rect", "line", "path", "meta", "circle"})


def _number(value: object) -> object:
    """Coordinates with one digit are enough for a screen."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value
