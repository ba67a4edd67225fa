"""Regular expressions as the API server reads them, RE2, in Python's.

What RE2 does not know is refused, so that no policy depends on it; what only RE2 knows is written as Python does. How long a
match may take is bounded by the process that evaluates, which is ended. Source: RE2's syntax and Go's regexp/syntax.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from kohort.policy.cel.wrong import Wrong

_MOST: Final = 1000  # repetitions that RE2 compiles
# What the two languages write differently: references back, groups, repetitions, codes, and what stands between brackets.
_DIFFERENT: Final = re.compile(
    r"""\\(?P<back>[1-9])
    | \(\?(?P<look><?[=!]|P=|\(|>|\#)
    | \(\?<(?P<name>\w+)>
    | \(\?(?P<flags>[A-Za-z-]+)[:)]
    | \{(?P<low>[0-9]{1,9})(?:,(?P<high>[0-9]{0,9}))?\}
    | (?P<brace>\{,)
    | [*+?}](?P<own>\+)
    | \\x\{(?P<point>[0-9A-Fa-f]{1,6})\}
    | \\(?P<code>[pP](?:\{\^?\w+\}|\w)|.)
    | \[\^?\]?(?P<within>(?:\[:\^?[a-z]+:\]|\\.|[^\]])*)\]""",
    re.DOTALL | re.VERBOSE,
)
_POSIX: Final = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7F", "blank": r"\t ", "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t\n\v\f\r ",
    "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


@lru_cache(maxsize=512)
def matcher(pattern: str) -> re.Pattern[str]:
    """The compiled expression. Raises Wrong for what RE2 does not know, and for the little that only RE2 knows."""
    try:
        found = re.compile(_DIFFERENT.sub(_python, pattern), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise Wrong(f"{pattern!r:.60} is no regular expression: {error}") from None
    if found.flags & re.IGNORECASE and not pattern.isascii():
        raise Wrong("the regular expression ignores case beyond ASCII: write both letters, such as [éÉ]")
    return found


def _python(found: re.Match[str]) -> str:
    """A part as Python writes it."""
    part, parts = found.group(), found.groupdict()
    code = parts["code"] or ""
    if parts["back"] or parts["look"] or parts["own"]:
        raise Wrong(f"the regular expression has `{part}`, which RE2 does not know")
    if parts["flags"] and not set(parts["flags"]) <= set("ims-"):
        raise Wrong(f"the regular expression has `{part}`: the flags are i, m and s")
    if parts["low"] and max(int(parts["low"]), int(parts["high"] or 0)) > _MOST:
        raise Wrong(f"the regular expression has `{part}`, and RE2 repeats at most {_MOST} times")
    if code in ("Q", "E", "C", "Z") or code[:1] in ("p", "P") or not code.isascii():
        raise Wrong(f"the regular expression has `{part}`: write the characters it stands for")
    if parts["within"]:
        named = re.sub(r"\[:(\^?)([a-z]+):\]", _posix, part)
        return named.replace("&&", r"&\&").replace("||", r"|\|").replace("~~", r"~\~").replace("--", r"-\-")
    if parts["point"]:
        return re.escape(chr(min(int(parts["point"], 16), 0x10FFFF)))
    return (
        f"(?P<{parts['name']}>"
        if parts["name"]
        else r"\{,"
        if parts["brace"]
        else r"\Z"
        if code == "z"
        else part
    )


def _posix(found: re.Match[str]) -> str:
    negated, name = found.groups()
    if negated or name not in _POSIX:
        raise Wrong(f"the regular expression has `{found.group()}`: write the characters it stands for")
    return _POSIX[name]
