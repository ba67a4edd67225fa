"""One comment that is kept up to date: found by a mark in its first line and by who wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from kohort.forge.http import ForgeError

LARGEST: Final = 65_400  # characters; GitHub takes 65,536, and a plan has at most 65,000 before its mark

_CUT: Final = "\n\n*The rest is too long for a comment: see the plan among the artifacts of this run.*\n"
_LONGEST_LINE: Final = 2_000

_ABSENT: Final = 404

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

    def make(self, body: str) -> str:
        """A new one; the name of who it is by, empty where the forge does not say."""

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


@dataclass(frozen=True, slots=True)
class Stuck:
    """What became of the comment; `by` is who a new one is by, where that is not who was looked for."""

    done: Done
    by: str = ""


def stick(thread: Thread, body: str, *, name: str, author: str) -> Stuck:
    """Make or change the comment called `name`. Only one that `author` wrote counts: anybody can write the mark.

    An empty body makes no comment, and tells readers of an old one that nothing changes any more. Raises ForgeError.
    """
    first = mark(name)
    old = next(
        (each for each in thread.comments() if each.author == author and each.body.startswith(first)), None
    )
    if not body.strip():
        if old is None:
            return Stuck("nothing to say")
        body = "Nothing changes any more."
    text = _bounded(f"{first}\n{body.strip()}\n")
    if old is not None:
        if old.body.replace("\r\n", "\n").strip() == text.strip():
            return Stuck("unchanged")
        try:
            thread.change(old.number, text)
        except ForgeError as error:
            if error.status != _ABSENT:  # somebody deleted it in between
                raise
        else:
            return Stuck("changed")
    by = thread.make(text)
    return Stuck("made", by if by != author else "")
