r"""JSON as the project writes it: nothing in it acts on a terminal, a log or a CI runner, and every reader takes it.

Letters of any script stand as they are. What is drawn as nothing, controls (C1 too) or reorders a line (bidirectional
marks, U+2028) is a JSON escape, so that parsing gives the same value. Half characters, which come from file names that
are no UTF-8, are written as visible texts `\xNN`: readers refuse them in any form.
"""

from __future__ import annotations

import json
import re
from typing import Any

from kohort.diagnostics.visible import json_safe

_HALF = re.compile("[\ud800-\udfff]")


def as_json(value: Any) -> str:
    """One indented value of plain data, its last line ended."""
    return _safe(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def json_line(value: Any) -> str:
    """One value as a single line with its end, without blanks: a line of JSON lines."""
    return _safe(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) + "\n"


def json_entry(value: Any) -> str:
    """One value as a single line without its end, with a blank after commas and colons."""
    return _safe(json.dumps(value, ensure_ascii=False))


def _safe(text: str) -> str:
    """Outside of its texts JSON is plain ASCII, so that whatever is replaced here stands inside of one."""
    return json_safe(_HALF.sub(lambda half: f"\\\\x{ord(half[0]) & 0xFF:02x}", text))
