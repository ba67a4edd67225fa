"""Plain scalars whose reading surprises people, explained in half a sentence."""

from __future__ import annotations

import math
import re

from kohort.source.dialect import resolve_plain

_CANONICAL = re.compile(r"-?(?:0|[1-9][0-9]*)")


def surprising(text: str) -> str | None:
    """What a scalar without quotes reads as, when that is not the text it shows; None when it is.

    `on` → "`on` reads as the boolean true". The whole numbers of everyday use are named as numbers, since they
    surprise where text is needed.
    """
    value = resolve_plain(text)
    if isinstance(value, str):
        return None
    if value is None:
        return "an empty value reads as null" if not text else f"`{text}` reads as null"
    if isinstance(value, bool):
        word = "true" if value else "false"
        return f"`{text}` is a boolean" if text == word else f"`{text}` reads as the boolean {word}"
    if isinstance(value, float) and not math.isfinite(value):
        return (
            f"`{text}` reads as {'not a number' if math.isnan(value) else 'infinity'}, which JSON cannot say"
        )
    if isinstance(value, int) and _CANONICAL.fullmatch(text):
        return f"`{text}` is a number"
    shown = repr(value)
    return f"`{text}` is a number" if shown == text else f"`{text}` reads as {shown}"
