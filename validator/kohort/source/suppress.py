"""Comments that accept a finding: `# kohort: allow CODE[, CODE]: reason`, at the end of the line or on the line above.

Only reading them is done here; the diagnostics layer matches them with findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kohort.dataclass import dataclass

_COMMENT = re.compile(r"(?:^|(?<=\s))#\s*kohort:\s*allow\b(?P<rest>.*)$", re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: its line from 1, the codes it names, the reason (empty when missing), and whether it stands alone."""

    line: int
    codes: tuple[str, ...]
    reason: str
    own_line: bool


def suppressions(lines: Iterable[str]) -> list[Suppression]:
    """All such comments of a file's lines, in order. A comment that names no code has no codes."""
    found = []
    for number, line in enumerate(lines, 1):
        if "kohort" not in line:
            continue
        match = _COMMENT.search(line)
        if match is None:
            continue
        names, _, reason = match["rest"].partition(":")
        codes = tuple(dict.fromkeys(name for name in _SEPARATOR.split(names.strip()) if name))
        found.append(Suppression(number, codes, reason.strip(), not line[: match.start()].strip()))
    return found
