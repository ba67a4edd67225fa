"""Admission fair sharing: among the LocalQueues of one ClusterQueue, who used less in the recent past goes first.

Source: Kueue 0.19.1 `pkg/util/admissionfairsharing`, `pkg/cache/queue/afs` and the controllers of LocalQueue and Workload. What a
LocalQueue consumed fades with a half-life while what it uses now flows in; a reservation counts at once as a penalty
until the work is admitted. Amounts are integers of 10⁻⁹ base units (cores, bytes), cut off there as Kueue cuts them off;
factors and scores are 64-bit floating point, as there. Times are milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from kohort.objects.kueue import LocalQueue
from kohort.objects.kueue.queue import read_weight
from kohort.semantics.settings import AdmissionSharing
from kohort.semantics.work import Work

Amounts = Mapping[str, int]
"""Resource → amount in 10⁻⁹ base units."""

USAGE_BASED: Final = "UsageBasedAdmissionFairSharing"
_NANO: Final = 10**9
_NANO_PER_MILLI: Final = 10**6


@dataclass(slots=True)
class Consumption:
    """What one LocalQueue consumed in the recent past, and the penalties of work that is reserved but not admitted."""

    consumed: dict[str, int] = field(default_factory=dict)
    penalty: dict[str, int] = field(default_factory=dict)
    updated: int | None = None  # when `consumed` was last brought up to date; None before the first time


def charge(of: Consumption, work: Work, sharing: AdmissionSharing) -> None:
    """Count the entry penalty of work that reserves quota."""
    of.penalty = _sum(of.penalty, entry_penalty(work, sharing))


def cancel(of: Consumption, work: Work, sharing: AdmissionSharing) -> None:
    """Take an entry penalty back; never below nothing, as it is computed anew when it is settled."""
    left = {
        name: max(0, units) for name, units in _sum(of.penalty, entry_penalty(work, sharing), sign=-1).items()
    }
    of.penalty = left if any(left.values()) else {}


def settle(of: Consumption, work: Work, live: Amounts, now: int, sharing: AdmissionSharing) -> None:
    """Move the penalty of work that is admitted now into what was consumed. `live` is what is admitted, it included."""
    before = now if of.updated is None else of.updated
    faded = decayed(of.consumed, live, max(0, now - before), sharing.half_life)
    of.consumed = _sum(faded, entry_penalty(work, sharing))
    of.updated = max(now, before)
    cancel(of, work, sharing)


def due(of: Consumption, now: int, sharing: AdmissionSharing) -> bool:
    """Whether a look at the LocalQueue samples it: once per interval, or at any look while a penalty is open."""
    return of.updated is None or bool(of.penalty) or now - of.updated >= sharing.sampling


def sample(of: Consumption, live: Amounts, now: int, sharing: AdmissionSharing) -> None:
    """Bring what was consumed up to date. The first time nothing flows in; without a half-life nothing is remembered."""
    before = now if of.updated is None else of.updated
    if sharing.half_life == 0:
        of.consumed = {}
        of.updated = now
        return
    of.consumed = decayed(of.consumed, live, max(0, now - before), sharing.half_life)
    of.updated = max(now, before)


def score(of: Consumption, weight: float, resource_weights: Mapping[str, Fraction]) -> float:
    """How much a LocalQueue has had, in raw units over its weight; less goes first, no weight comes last."""
    if weight <= 0:
        return math.inf
    total = _sum(of.consumed, of.penalty)
    usage = 0.0
    for name in sorted(total):
        usage += float(resource_weights.get(name, 1)) * (float(total[name]) * 1e-9)
    return usage / weight


def local_weight(queue: LocalQueue | None) -> float:
    """`spec.fairSharing.weight` of a LocalQueue; 1 without one, and for a LocalQueue that is gone."""
    weight = None if queue is None else read_weight(queue.obj)
    return 1.0 if weight is None else weight.nano / _NANO


def entry_penalty(work: Work, sharing: AdmissionSharing) -> dict[str, int]:
    """What a reservation counts at once: the part of its usage that one sampling interval would let flow in."""
    return scaled(usage_of((work,)), inflow(sharing.sampling, sharing.half_life))


def usage_of(works: Iterable[Work]) -> dict[str, int]:
    """What works use over all flavors."""
    total: dict[str, int] = {}
    for work in works:
        for (_, resource), units in work.usage.items():
            amount = units * (_NANO_PER_MILLI if resource == "cpu" else _NANO)
            total[resource] = total.get(resource, 0) + amount
    return total


def inflow(elapsed: int, half_life: int) -> float:
    """The part of present usage that replaces the past after `elapsed`: 1 − 0.5^(elapsed / half-life); 0 without one."""
    return 0.0 if half_life == 0 else 1.0 - math.pow(0.5, (elapsed / 1000) / (half_life / 1000))


def decayed(consumed: Amounts, live: Amounts, elapsed: int, half_life: int) -> dict[str, int]:
    """What counts as consumed after `elapsed`: the past fades by what of the present flows in."""
    part = inflow(elapsed, half_life)
    return _sum(scaled(consumed, 1 - part), scaled(live, part))


def scaled(amounts: Amounts, factor: float) -> dict[str, int]:
    """Amounts times the shortest decimal that names `factor`, cut off toward zero."""
    exact = Fraction(repr(factor))
    return {name: int(units * exact) for name, units in amounts.items()}


def _sum(a: Amounts, b: Amounts, sign: int = 1) -> dict[str, int]:
    total = dict(a)
    for name, units in b.items():
        total[name] = total.get(name, 0) + sign * units
    return total
