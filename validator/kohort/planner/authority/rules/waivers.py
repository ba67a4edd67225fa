"""An accepted finding that is new in the change needs an admin of the base: nobody waives for themselves."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def waivers(change: Change) -> Iterator[Need]:
    """One need per Exception that is new, or differs from the base's."""
    known = {(e.name, e.codes, e.files, e.subjects, e.expires) for e in change.base.exceptions}
    for each in change.head.exceptions:
        if (each.name, each.codes, each.files, each.subjects, each.expires) not in known:
            codes = ", ".join(each.codes)
            yield Need(
                f"it accepts {codes} until {each.expires}: {each.reason}", "waiver", origin=each.origin
            )
