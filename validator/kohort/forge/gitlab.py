"""GitLab: notes of a merge request. Source: GitLab REST API v4."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from kohort.forge.http import Api
from kohort.forge.sticky import Comment, number_of

URL: Final = "https://gitlab.com/api/v4"


def api(token: str, url: str = URL) -> Api:
    """The API with a token of a project or person."""
    return Api(url, {"PRIVATE-TOKEN": token})


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """One merge request of a project (its number, or its path)."""

    api: Api
    project: str
    number: int

    @property
    def _notes(self) -> str:
        return f"projects/{urllib.parse.quote(self.project, safe='')}/merge_requests/{self.number}/notes"

    def me(self) -> str:
        """The name that the token's notes carry."""
        found = self.api.send("GET", "user")
        return str(found.get("username") or "") if isinstance(found, dict) else ""

    def comments(self) -> Iterable[Comment]:
        """Notes that people or bots wrote, oldest first."""
        for each in self.api.pages(f"{self._notes}?per_page=100&sort=asc"):
            if isinstance(each, dict) and not each.get("system"):
                yield Comment(number_of(each), _author(each), str(each.get("body") or ""))

    def make(self, body: str) -> str:
        """A new note; who it is by."""
        made = self.api.send("POST", self._notes, {"body": body})
        return _author(made) if isinstance(made, dict) else ""

    def change(self, number: int, body: str) -> None:
        """Another text."""
        self.api.send("PUT", f"{self._notes}/{number}", {"body": body})


def _author(each: dict[str, Any]) -> str:
    author = each.get("author")
    return str(author.get("username") or "") if isinstance(author, dict) else ""
