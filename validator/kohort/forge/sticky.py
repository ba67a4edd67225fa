"""One comment that is kept up to date: found by a mark in its first line and by who wrote it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

LARGEST: Final = 65_000  # characters; GitHub takes 65,536

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


def mark(name: str) -> str:
    """The first line of a sticky comment; forges do not show it."""
    kept = "".join(letter for letter in name if letter.isalnum() or letter in "-_")
    return f"<!-- kohort:{kept} -->"


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
    text = f"{first}\n{body.strip()}\n"[:LARGEST]
    if old is None:
        thread.make(text)
        return "made"
    if old.body.replace("\r\n", "\n").strip() == text.strip():
        return "unchanged"
    thread.change(old.number, text)
    return "changed"
