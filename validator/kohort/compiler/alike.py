"""Derived lines by what they ask for: teams ask for the same few amounts, and the arithmetic is exact and slow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.model.amounts import Amount
from kohort.model.derive import DerivedLine, derive
from kohort.model.repo import ClusterDecl, QuotaLine, Repo
from kohort.spans import Origin

_Key = tuple[object, ...]


@dataclass(eq=False, slots=True)
class AlikeLines:
    """`derive` for one cluster that computes lines with equal words once; only their places differ."""

    repo: Repo
    cluster: ClusterDecl
    _known: dict[_Key, DerivedLine] = field(default_factory=dict)

    def derive(self, line: QuotaLine) -> DerivedLine | tuple[Finding, ...]:
        """All amounts of the line, each placed at the line's own fields, or why there are none."""
        key = _key(line)
        known = self._known.get(key)
        if known is None:
            derived = derive(self.repo, self.cluster, line)
            if isinstance(derived, DerivedLine):
                self._known[key] = derived
            return derived
        return DerivedLine(
            line=line,
            flavor=known.flavor,
            main=known.main,
            covered=known.covered,
            guarantee=_placed(known.guarantee, known.line.origin, line.origin),
            borrow=known.borrow and _placed(known.borrow, known.line.origin, line.origin),
            lend=known.lend and _placed(known.lend, known.line.origin, line.origin),
        )


def _key(line: QuotaLine) -> _Key:
    return (
        line.flavor,
        line.unit,
        line.count,
        tuple(line.devices.items()),
        line.size,
        # By spelling too: the arithmetic quotes it.
        tuple((name, str(amount), amount.nano) for name, amount in line.resources.items()),
        line.borrow,
        line.lend,
    )


def _placed(amounts: Mapping[str, Amount], old: Origin, new: Origin) -> dict[str, Amount]:
    """The same amounts at another line: what follows the line's own path stays."""
    depth = len(old.path)
    moved: dict[tuple[str | int, ...], Origin] = {}
    found = {}
    for resource, amount in amounts.items():
        rest = amount.origin.path[depth:]
        origin = moved.get(rest)
        if origin is None:
            origin = moved[rest] = new.child(*rest)
        found[resource] = Amount(amount.value, origin, amount.arithmetic)
    return found
