"""Regular expressions of the definitions: written for Go, applied with Python."""

from __future__ import annotations

import re
from functools import cache


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    r"""Compile a pattern of a Go module so that it accepts what Go's `MatchString` accepts; use `.search`.

    Differences that matter here: `$` is the very end of the text in Go (Python also allows a line feed
    after it), `\\d` and `\\w` are ASCII in Go, and `(?i)` may stand in the middle of a pattern there.
    """
    flags = re.ASCII
    if "(?i)" in pattern:
        # All patterns of these definitions put the flag at the start, so it governs the whole pattern.
        pattern = pattern.replace("(?i)", "")
        flags |= re.IGNORECASE
    out: list[str] = []
    in_class = False
    position = 0
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            out.append(pattern[position : position + 2])
            position += 2
            continue
        if char == "[":
            in_class = True
        elif char == "]":
            in_class = False
        out.append(r"\Z" if char == "$" and not in_class else char)
        position += 1
    return re.compile("".join(out), flags)
