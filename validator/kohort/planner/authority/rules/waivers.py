"""An accepted finding that is new in the change needs an admin of the base: nobody waives for themselves."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.model.repo import ExceptionDecl, Repo
from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def waivers(change: Change) -> Iterator[Need]:
    """One need per Exception that is new, or differs from the base's."""
    for each in new_exceptions(change.base, change.head):
        codes = ", ".join(each.codes)
        yield Need(f"it accepts {codes} until {each.expires}: {each.reason}", "waiver", origin=each.origin)


def new_exceptions(base: Repo, head: Repo) -> tuple[ExceptionDecl, ...]:
    """Exceptions that the base has not, or that cover something else there."""
    known = {_covers(each) for each in base.exceptions}
    return tuple(each for each in head.exceptions if _covers(each) not in known)


def _covers(each: ExceptionDecl) -> tuple[object, ...]:
    return each.name, each.codes, each.files, each.subjects, each.expires
