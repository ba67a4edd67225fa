"""One comment that is kept up to date: found by a mark in its first line and by who wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from kohort.forge.http import ForgeError

LARGEST: Final = 65_000  # characters; GitHub takes 65,536

_CUT: Final = "\n\n*The rest is too long for a comment: see the plan among the artifacts of this run.*\n"
_LONGEST_LINE: Final = 2_000

Done = Literal["made", "changed", "unchanged", "nothing to say"]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of a pull request."""

    number: int
    author: str
    body: str


class Thread(Protocol):
    """The comments of one pull request."""

    def comments(self) -> Iterable[Comment]:
        """All of them, oldest first."""

    def make(self, body: str) -> None:
        """A new one."""

    def change(self, number: int, body: str) -> None:
        """Another text of one."""


def number_of(comment: Mapping[str, Any]) -> int:
    """The comment's own number. Raises ForgeError where the forge gave none."""
    number = comment.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or number <= 0:
        raise ForgeError("the forge gave a comment without a number")
    return number


def mark(name: str) -> str:
    """The first line of a sticky comment; forges do not show it."""
    kept = "".join(letter for letter in name if letter.isalnum() or letter in "-_")
    return f"<!-- kohort:{kept} -->"


def _bounded(text: str) -> str:
    """The text as a forge takes it; where it is too long, it ends after a whole line and says so."""
    if len(text) <= LARGEST:
        return text
    kept = text[: LARGEST - len(_CUT)]
    lines, _, rest = kept.rpartition("\n")
    return (lines if len(rest) < _LONGEST_LINE else kept) + _CUT


def stick(thread: Thread, body: str, *, name: str, author: str) -> Done:
    """Make or change the comment called `name`. Only one that `author` wrote counts: anybody can write the mark.

    An empty body makes no comment, and tells readers of an old one that nothing changes any more.
    """
    first = mark(name)
    old = next(
        (each for each in thread.comments() if each.author == author and each.body.startswith(first)), None
    )
    if not body.strip():
        if old is None:
            return "nothing to say"
        body = "Nothing changes any more."
    text = _bounded(f"{first}\n{body.strip()}\n")
    if old is None:
        thread.make(text)
        return "made"
    if old.body.replace("\r\n", "\n").strip() == text.strip():
        return "unchanged"
    thread.change(old.number, text)
    return "changed"
