"""Text that reaches a terminal or a log shows what it holds: nothing in it acts, hides or reorders.

Names and source lines come from strangers. A terminal escape could repaint a verdict, a bidirectional override could
show another name than the one that is judged, and a CI runner takes commands from the log. Every renderer sends
foreign text through here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

# Letters by category, yet drawn as nothing: Hangul fillers and the blank Braille cell.
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# GitHub's older form, Azure's and TeamCity's: runners act on them anywhere in a line.
_RUNNER_COMMAND = re.compile(r"##(?=\[|vso\[|teamcity\[)")
# GitHub's present form: the first thing of a line apart from blanks.
_LEADING_COMMAND = re.compile(r"^([ \t]*):(?=:[^:\s])", re.MULTILINE)
_BEYOND_ASCII = re.compile("[^\x00-\x7e]")  # compiled many times as fast as the range of what is meant

TAB = 4
_ONE_BYTE = 0x100
_ASTRAL = 0x10000


def shows(char: str) -> bool:
    """Whether a character is drawn as itself and does nothing else."""
    return char.isprintable() and char not in _BLANK_LETTERS


def escaped(char: str) -> str:
    r"""A character by its number, as YAML writes it: `\x1b`, `\u202e`, `\U000e0001`."""
    number = ord(char)
    if number < _ONE_BYTE:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < _ASTRAL else f"\\U{number:08x}"


def visible(text: str) -> str:
    """`text` in one line, with every control, format or invisible character written as an escape."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(char if shows(char) else escaped(char) for char in text)
    return without_runner_commands(text)


def without_runner_commands(text: str, write: Callable[[str], str] = escaped) -> str:
    """`text` in which no CI runner finds a command that may stand anywhere in a line."""
    return _RUNNER_COMMAND.sub("#" + write("#").replace("\\", "\\\\"), text) if "##" in text else text


def runner_commands(text: str) -> list[int]:
    """Indices of the characters whose escaping disarms every command that may stand anywhere in a line."""
    return [match.start() + 1 for match in _RUNNER_COMMAND.finditer(text)]


def without_leading_commands(text: str, write: Callable[[str], str] = escaped) -> str:
    """Text of several lines in which no line begins with a workflow command (`::set-output`)."""
    return _LEADING_COMMAND.sub(lambda m: m[1] + write(":"), text) if "::" in text else text


def json_safe(text: str) -> str:
    """JSON text with the same value in which every invisible character is a JSON escape."""
    text = _BEYOND_ASCII.sub(lambda m: m[0] if shows(m[0]) else _json_escape(m[0]), text)
    return without_runner_commands(text, _json_escape)


def _json_escape(char: str) -> str:
    number = ord(char)
    if number < _ASTRAL:
        return f"\\u{number:04x}"
    high, low = divmod(number - _ASTRAL, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def width(text: str) -> int:
    """Columns that visible text takes in a terminal (East Asian wide characters take two, marks none)."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def wrap(text: str, limit: int) -> list[str]:
    """Visible text in lines of at most `limit` columns, broken at blanks only: a long word stays whole.

    Blanks before the first word are kept on every line.
    """
    indent = " " * (len(text) - len(text.lstrip(" ")))
    lines: list[str] = []
    line = ""
    for word in text[len(indent) :].split(" "):
        longer = f"{line} {word}" if line else word
        if line and width(longer) > limit - len(indent):
            lines.append(indent + line)
            line = word
        else:
            line = longer
    return [*lines, indent + line]
