"""Admins agree to promising more than there is."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.planner.authority.change import Change
from kohort.planner.authority.need import Need


def overcommit(change: Change) -> Iterator[Need]:
    """One need per overcommitment that is new, or higher than before."""
    for name, cluster in change.head.clusters.items():
        before = change.base.clusters.get(name)
        known = {(o.flavor, o.resource): o.percent for o in before.overcommit} if before is not None else {}
        for one in cluster.overcommit:
            key = (one.flavor, one.resource)
            if key in known and _at_most(one.percent, known[key]):
                continue
            bound = (
                f"up to {one.percent} % of healthy capacity" if one.percent is not None else "without bound"
            )
            what = f"{one.flavor} {one.resource}".strip()
            yield Need(
                f"{what} on {name} may be promised {bound}: {one.reason}",
                "overcommit",
                cluster=name,
                flavor=one.flavor,
                origin=cluster.at(*one.path),
            )


def _at_most(percent: int | None, bound: int | None) -> bool:
    return bound is None or (percent is not None and percent <= bound)
