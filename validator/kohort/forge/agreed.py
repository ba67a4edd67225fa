"""Which agreements of a saved plan are still missing, given who approved."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from kohort.forge.http import ForgeError, UntoldError

_NO_PLAN: Final = "the file is no plan in JSON (kohort plan --format json=FILE)"
_COMMIT: Final = re.compile(r"(?:^|\()([0-9a-f]{10})\)?$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One agreement that the plan asks for, and who gave it (empty: nobody yet); `note` is what could not be asked."""

    who: str
    why: str
    people: tuple[str, ...]
    by: str = ""
    note: str = ""


def agreements(
    plan: Any,
    approvers: Iterable[str],
    in_group: Callable[[str, str], bool],
    *,
    same: Callable[[str, str], bool] = operator.eq,
    doubt: Callable[[], str] = str,
) -> list[Wanted]:
    """The plan's approvals with who gave each. `in_group(group, user)` asks the forge, which may raise `UntoldError`.

    People are those that the plan read from the base; the actor's own agreement counts as given, unless `doubt` says why
    the change may be somebody else's. `same` compares names of users as the forge does. Raises ForgeError.
    """
    if not isinstance(plan, Mapping) or plan.get("kind") != "Plan" or "approvals" not in plan:
        raise ForgeError(_NO_PLAN)
    if plan["approvals"] is None:
        raise ForgeError(
            "the plan could not say who must agree, since one side cannot be read whole, or the base has no kohort.yaml"
        )
    if not isinstance(plan["approvals"], list):
        raise ForgeError(_NO_PLAN)
    wanted = [_wanted(each) for each in plan["approvals"]]
    why_not = doubt() if any(each.by for each in wanted) else ""
    users = list(dict.fromkeys(approvers))
    asked = _Circles(in_group)
    return [
        each
        if each.by and not why_not
        else _agreed(replace(each, by="", note=why_not if each.by else ""), users, same, asked)
        for each in wanted
    ]


def of_commit(plan: Any, commit: str) -> None:
    """Raises ForgeError unless the plan was made of this commit: approvals of another one are none of what it says."""
    head = plan.get("head") if isinstance(plan, Mapping) else None
    if not isinstance(head, str):
        raise ForgeError(_NO_PLAN)
    found = _COMMIT.search(head)
    if found is None:
        raise ForgeError(f"the plan is of {head}, and people approve commits: make it with --head COMMIT")
    if not commit.startswith(found[1]):
        raise ForgeError(
            f"the plan is of {head}, and what is to be approved is {commit[:10]}: make the plan again"
        )


def _wanted(each: Any) -> Wanted:
    """One entry of the plan as it stands there; what is not exactly such an entry must not pass for an agreement."""
    if not isinstance(each, Mapping):
        raise ForgeError(_NO_PLAN)
    who, why, people, given = (each.get(name) for name in ("who", "why", "people", "given"))
    if not (
        isinstance(who, str) and isinstance(why, str) and isinstance(people, list) and isinstance(given, bool)
    ):
        raise ForgeError(_NO_PLAN)
    if not all(isinstance(name, str) for name in people):
        raise ForgeError(_NO_PLAN)
    return Wanted(who, why, tuple(people), "the author" if given else "")


class _Circles:
    """Who is in which group, each asked once; what the forge does not tell is kept as a note."""

    def __init__(self, ask: Callable[[str, str], bool]) -> None:
        self._ask = ask
        self._known: dict[tuple[str, str], bool] = {}
        self._untold: dict[str, str] = {}

    def holds(self, group: str, user: str) -> bool:
        if group in self._untold:
            return False
        if (group, user) not in self._known:
            try:
                self._known[group, user] = self._ask(group, user)
            except UntoldError as error:
                self._untold[group] = str(error)
                return False
        return self._known[group, user]

    def untold(self, group: str) -> str:
        return self._untold.get(group, "")


def _agreed(wanted: Wanted, users: list[str], same: Callable[[str, str], bool], circles: _Circles) -> Wanted:
    named = [person.partition(" ")[::2] for person in wanted.people]
    for user in users:
        if any(kind == "User" and same(name, user) for kind, name in named):
            return replace(wanted, by=user, note="")
    notes = [wanted.note] if wanted.note else []
    for group in (name for kind, name in named if kind == "Group"):
        for user in users:
            if circles.holds(group, user):
                return replace(wanted, by=user, note="")
        if circles.untold(group):
            notes.append(circles.untold(group))
    return replace(wanted, note="; ".join(notes))
