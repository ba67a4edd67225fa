"""GitHub: comments of a pull request, and who approved it. Source: GitHub REST API, version 2022-11-28."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kohort.forge.http import Api, ForgeError, UntoldError
from kohort.forge.sticky import Comment, number_of

URL: Final = "https://api.github.com"
AUTHOR: Final = "github-actions[bot]"
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_ABSENT, _FORBIDDEN, _NOT_SO = 404, 403, 422
_INSTALLATION: Final = "ghs_"  # begins tokens of Actions and of Apps, which stand for no user
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


def writer(api: Api, token: str) -> str:
    """Who comments made with this token are by: its user, or the bot of Actions."""
    if token.startswith(_INSTALLATION):
        return AUTHOR
    try:
        found = api.send("GET", "user")
    except ForgeError as error:
        if error.status == _FORBIDDEN:
            return AUTHOR
        raise
    return str(found.get("login") or "") if isinstance(found, dict) else ""


def same_user(one: str, other: str) -> bool:
    """Whether two logins are one user's: GitHub does not tell the case of letters apart."""
    return one.casefold() == other.casefold()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a pull request stands: its commit and author, and the branch it comes from; what is deleted is empty."""

    commit: str
    author: str
    repository: str
    branch: str


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

    def make(self, body: str) -> str:
        """A new comment; who it is by."""
        made = self.api.send("POST", f"repos/{self.repository}/issues/{self.number}/comments", {"body": body})
        return _login(made) if isinstance(made, dict) else ""

    def change(self, number: int, body: str) -> None:
        """Another text."""
        self.api.send("PATCH", f"repos/{self.repository}/issues/comments/{number}", {"body": body})

    def standing(self) -> Standing:
        """Where it stands now. Raises ForgeError."""
        found = self.api.send("GET", f"repos/{self.repository}/pulls/{self.number}")
        head = found.get("head") if isinstance(found, dict) else None
        commit = head.get("sha") if isinstance(head, dict) else None
        if (
            not isinstance(found, dict)
            or not isinstance(head, dict)
            or not isinstance(commit, str)
            or not commit
        ):
            raise ForgeError(
                f"{self.repository} did not say at which commit pull request {self.number} stands"
            )
        repository = head.get("repo")  # null where the fork was deleted
        name = repository.get("full_name") if isinstance(repository, dict) else None
        return Standing(commit, _login(found), str(name or ""), str(head.get("ref") or ""))

    def doubt(self, standing: Standing, commit: str) -> str:
        """Why what stands at the commit may not be the author's own; empty where it is. Raises ForgeError.

        Whoever may write to the branch can put a commit into somebody else's pull request.
        """
        pusher = self._pusher(standing, commit)
        if pusher and standing.author and same_user(pusher, standing.author):
            return ""
        author = standing.author or "a user who is gone"
        by = f"the commit was pushed by {pusher}" if pusher else "GitHub does not say who pushed the commit"
        return f"{author} proposes it, but {by}"

    def _pusher(self, standing: Standing, commit: str) -> str:
        """Who last put the commit on its branch; empty where GitHub does not say."""
        if not (_REPOSITORY.fullmatch(standing.repository) and standing.branch):
            return ""
        query = urllib.parse.urlencode({"ref": f"refs/heads/{standing.branch}", "per_page": 100})
        try:
            for each in self.api.pages(f"repos/{standing.repository}/activity?{query}"):
                if isinstance(each, dict) and each.get("after") == commit:
                    return _login(each, "actor")
        except ForgeError as error:
            if error.status not in (_FORBIDDEN, _ABSENT, _NOT_SO):
                raise
        return ""

    def approvers(self, commit: str) -> Iterator[str]:
        """Users whose latest review approves this very commit; an approval of an earlier one has not seen it."""
        latest: dict[str, tuple[str, str, str]] = {}
        for each in self.api.pages(f"repos/{self.repository}/pulls/{self.number}/reviews?per_page=100"):
            if not isinstance(each, dict) or not _login(each):
                continue  # of a user who is gone
            if each.get("state") in ("APPROVED", "CHANGES_REQUESTED", "DISMISSED"):
                login = _login(each)
                latest[login.casefold()] = (login, str(each["state"]), str(each.get("commit_id") or ""))
        for login, state, seen in latest.values():
            if state == "APPROVED" and seen == commit:
                yield login

    def in_team(self, team: str, user: str) -> bool:
        """Whether a user is an active member of the organisation's team. Raises UntoldError where the token may not know."""
        if not (_NAME.fullmatch(team) and _NAME.fullmatch(user)):
            return False
        owner = self.repository.partition("/")[0]
        try:
            found = self.api.send("GET", f"orgs/{owner}/teams/{team}/memberships/{user}")
        except ForgeError as error:
            if error.status == _ABSENT:
                self._demand_team(owner, team)
                return False
            if error.status == _FORBIDDEN:
                raise UntoldError(
                    f"the token may not ask who is in the team {team}: it needs to read the organisation's members"
                ) from None
            raise
        return isinstance(found, dict) and found.get("state") == "active"

    def _demand_team(self, owner: str, team: str) -> None:
        """Nobody is in a team that is not there, or that the token may not see: the two are told alike."""
        try:
            self.api.send("GET", f"orgs/{owner}/teams/{team}")
        except ForgeError as error:
            if error.status in (_ABSENT, _FORBIDDEN):
                raise UntoldError(
                    f"{owner} has no team {team}, or the token may not see it: it needs to read the organisation's members"
                ) from None
            raise


def _login(each: dict[str, Any], who: str = "user") -> str:
    user = each.get(who)
    return str(user.get("login") or "") if isinstance(user, dict) else ""
