"""Where the symbolic links of a commit lead: part by part, as a checkout of it would follow them."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Final

from kohort.diagnostics import CodeDoc
from kohort.source import codes

_MOST: Final = 40  # links that Linux follows in one path


class NoTarget(Exception):  # noqa: N818 - an answer, which the caller makes a finding
    """A link leads to no file or folder of the commit; `text` goes after the link's name."""

    def __init__(self, rule: CodeDoc, text: str) -> None:
        super().__init__(text)
        self.rule, self.text = rule, text


def target(path: str, links: Mapping[str, str], files: Collection[str], folders: Collection[str]) -> str:
    """The file or folder that `path` is after all links in it, as a path in the tree ("" is the tree itself).

    `links` has the text of every link by its path, `files` and `folders` all other paths. Each part is looked at before
    the next, since `a/..` is not where `a` stands when `a` is a link. Raises NoTarget.
    """
    waiting, at, followed = deque(path.split("/")), list[str](), 0
    while waiting:
        part = waiting.popleft()
        if part == "..":
            if not at:
                raise NoTarget(codes.UNREADABLE, "links out of the repository and is not read")
            at.pop()
            continue
        if part in ("", "."):
            continue
        here = "/".join((*at, part))
        text = links.get(here)
        if text is not None:
            followed += 1
            if followed > _MOST:
                raise NoTarget(codes.LINK_LOOP, "links to itself")
            if text.startswith("/") or "\0" in text:
                raise NoTarget(codes.UNREADABLE, "links out of the repository and is not read")
            if not text:
                raise NoTarget(codes.MISSING, "links to nothing")
            waiting.extendleft(reversed(text.split("/")))
        elif here in folders or (here in files and not waiting):
            at.append(part)
        else:  # not there, or a file where a folder has to be
            raise NoTarget(codes.MISSING, "links to nothing")
    return "/".join(at)
