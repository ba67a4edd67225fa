"""Files that are not YAML yet: Helm charts and other templates, told from YAML with an error."""

from __future__ import annotations

import re

from yaml.error import YAMLError

from kohort.dataclass import dataclass
from kohort.source.events import events
from kohort.source.problem import Spot

# A double quote that nothing closes is taken to the end of its line too, so that the search stays linear.
_QUOTED = re.compile(r"(?P<open>\")(?:[^\"\\\n]|\\.)*(?P<close>\")?|'[^'\n]*'|(?:^|(?<=\s))#.*", re.MULTILINE)
# No action holds the beginning of another one; so the search stays linear.
_ACTION = re.compile(r"\{\{[^{]*?\}\}|\{%[^%]*%\}|\$\{[^{}\n]*\}")
_OPENINGS = ("{{", "{%", "${")
_NAMES = {"{{": 'Helm/Go "{{"', "{%": 'Jinja "{%"', "${": '"${"'}


@dataclass(frozen=True, slots=True)
class Template:
    """Which template language it looks like, and its first action."""

    name: str
    spot: Spot


def find_template(text: str, broken: list[int]) -> Template | None:
    """The template that a text is, which is not YAML at the lines `broken` (from 1); None for plain mistakes.

    Actions in quotes and comments are ordinary YAML. Others are the cause when the text is YAML without them, or when
    one stands on a broken line or begins a line above the first.
    """
    bare = _QUOTED.sub(_blank, text)
    actions = list(_ACTION.finditer(bare))
    if not actions:
        return None
    first = actions[0]
    bare_lines = bare.split("\n")
    caused = any(_has_action(bare_lines, line) for line in broken)
    above = any(line.lstrip().startswith(_OPENINGS[:2]) for line in bare_lines[: min(broken, default=0)])
    if not (caused or above or _is_yaml(_without(text, actions))):
        return None
    line = bare.count("\n", 0, first.start()) + 1
    column = first.start() - bare.rfind("\n", 0, first.start())
    end = column + len(first[0].partition("\n")[0])
    return Template(_NAMES[first[0][:2]], Spot(line, column, end))


def _blank(match: re.Match[str]) -> str:
    return match[0] if match["open"] and not match["close"] else " " * len(match[0])


def _has_action(lines: list[str], line: int) -> bool:
    return 0 < line <= len(lines) and any(opening in lines[line - 1] for opening in _OPENINGS)


def _without(text: str, actions: list[re.Match[str]]) -> str:
    """The text with actions gone where they have the line for themselves, and a word in place of the others."""
    parts, end = [], 0
    for action in actions:
        parts += [text[end : action.start()], "\0"]
        end = action.end()
    lines = "".join([*parts, text[end:]]).split("\n")
    return "\n".join(
        "" if "\0" in line and not line.strip(" \t\0") else line.replace("\0", "x") for line in lines
    )


def _is_yaml(text: str) -> bool:
    next_event = events(text)
    try:
        while next_event() is not None:
            pass
    except YAMLError:
        return False
    return True
