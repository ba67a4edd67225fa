"""Going on behind a broken document: the others of the file are read all the same."""

from __future__ import annotations

import re
from itertools import pairwise

_DOCUMENT = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_VISIBLE = re.compile("[^\n\r\x85\u2028\u2029]")
MOST_BROKEN = 10


def next_document(text: str, index: int, beyond: int) -> int | None:
    """Index of the first `---` on or below the line of `index` and behind `beyond`."""
    line = text.rfind("\n", 0, index) + 1
    match = _DOCUMENT.search(text, max(line, beyond + 1))
    return match.start() if match else None


def blanked(text: str, index: int) -> str:
    """`text` with all before `index` made blank, so that lines, columns and indices stay what they are."""
    return _VISIBLE.sub(" ", text[:index]) + text[index:]


def longest_document(text: str) -> int:
    """Characters of the longest document, without parsing."""
    starts = [0, *(match.start() for match in _DOCUMENT.finditer(text)), len(text)]
    return max(end - start for start, end in pairwise(starts))
