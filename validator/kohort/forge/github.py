"""GitHub: comments of a pull request, and who approved it. Source: GitHub REST API, version 2022-11-28."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kohort.forge.http import Api, ForgeError
from kohort.forge.sticky import Comment, number_of

URL: Final = "https://api.github.com"
AUTHOR: Final = "github-actions[bot]"
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_ABSENT, _FORBIDDEN = 404, 403
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def api(token: str, url: str = URL) -> Api:
    """The API with a token."""
    return Api(
        url,
        {
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )


@dataclass(frozen=True, slots=True)
class PullRequest:
    """One pull request of `owner/name`."""

    api: Api
    repository: str
    number: int

    def __post_init__(self) -> None:
        if not _REPOSITORY.fullmatch(self.repository):
            raise ForgeError(f"{self.repository!r} is no repository such as owner/name")

    def comments(self) -> Iterable[Comment]:
        """Comments of the conversation."""
        for each in self.api.pages(f"repos/{self.repository}/issues/{self.number}/comments?per_page=100"):
            if isinstance(each, dict):
                yield Comment(number_of(each), _login(each), str(each.get("body") or ""))

    def make(self, body: str) -> None:
        """A new comment."""
        self.api.send("POST", f"repos/{self.repository}/issues/{self.number}/comments", {"body": body})

    def change(self, number: int, body: str) -> None:
        """Another text."""
        self.api.send("PATCH", f"repos/{self.repository}/issues/comments/{number}", {"body": body})

    def head(self) -> str:
        """The commit that the pull request stands at."""
        found = self.api.send("GET", f"repos/{self.repository}/pulls/{self.number}")
        head = found.get("head") if isinstance(found, dict) else None
        commit = head.get("sha") if isinstance(head, dict) else None
        if not isinstance(commit, str) or not commit:
            raise ForgeError(
                f"{self.repository} did not say at which commit pull request {self.number} stands"
            )
        return commit

    def approvers(self, commit: str) -> Iterator[str]:
        """Users whose latest review approves this very commit; an approval of an earlier one has not seen it."""
        latest: dict[str, tuple[str, str]] = {}
        for each in self.api.pages(f"repos/{self.repository}/pulls/{self.number}/reviews?per_page=100"):
            if isinstance(each, dict) and each.get("state") in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED"):
                latest[_login(each)] = (str(each["state"]), str(each.get("commit_id") or ""))
        for login, (state, seen) in latest.items():
            if state == "APPROVED" and seen == commit:
                yield login

    def in_team(self, team: str, user: str) -> bool:
        """Whether a user is an active member of the organisation's team."""
        if not (_NAME.fullmatch(team) and _NAME.fullmatch(user)):
            return False
        owner = self.repository.partition("/")[0]
        try:
            found = self.api.send("GET", f"orgs/{owner}/teams/{team}/memberships/{user}")
        except ForgeError as error:
            if error.status == _ABSENT:
                return False
            if error.status == _FORBIDDEN:
                raise ForgeError(
                    f"the token may not ask who is in the team {team}: it needs to read the organisation's members"
                ) from None
            raise
        return isinstance(found, dict) and found.get("state") == "active"


def _login(each: dict[str, Any]) -> str:
    user = each.get("user")
    return str(user.get("login") or "") if isinstance(user, dict) else ""
