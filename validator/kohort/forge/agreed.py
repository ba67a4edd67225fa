"""Which agreements of a saved plan are still missing, given who approved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kohort.forge.http import ForgeError


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
        raise ForgeError("the file is no plan in JSON (kohort plan --format json=FILE)")
    if plan["approvals"] is None:
        raise ForgeError("the plan could not say who must agree, since its base cannot be read")
    users = list(dict.fromkeys(approvers))
    found = []
    for each in plan["approvals"]:
        people = tuple(str(name) for name in each.get("people", ()))
        by = "the author" if each.get("given") else _first(people, users, in_group)
        found.append(Wanted(str(each["who"]), str(each["why"]), people, by))
    return found


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
