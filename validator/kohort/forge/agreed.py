"""Which agreements of a saved plan are still missing, given who approved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from kohort.forge.http import ForgeError

_NO_PLAN: Final = "the file is no plan in JSON (kohort plan --format json=FILE)"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One agreement that the plan asks for, and who gave it (empty: nobody yet)."""

    who: str
    why: str
    people: tuple[str, ...]
    by: str = ""


def agreements(plan: Any, approvers: Iterable[str], in_group: Callable[[str, str], bool]) -> list[Wanted]:
    """The plan's approvals with who gave each. `in_group(group, user)` asks the forge. Raises ForgeError.

    People are those that the plan read from the base; the actor's own agreement counts as given.
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
    users = list(dict.fromkeys(approvers))
    return [each if each.by else replace(each, by=_first(each.people, users, in_group)) for each in wanted]


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


def _first(people: tuple[str, ...], users: list[str], in_group: Callable[[str, str], bool]) -> str:
    for user in users:
        if f"User {user}" in people:
            return user
    for person in people:
        kind, _, name = person.partition(" ")
        if kind == "Group":
            for user in users:
                if in_group(name, user):
                    return user
    return ""
