"""Kueue's own integers: what a quantity counts as in quota arithmetic, and sums that saturate.

Source: Kueue 0.19.1 `pkg/resources` (Amount, ResourceValue) and `pkg/util/math`. CPU is counted in
milli-cores, every other resource in whole base units, fractions rounded up. An amount is a plain int of
at most 64 bits; UNLIMITED is the quota that no sum can exhaust. Usage and requests are bounded integers
that merely saturate: for them the largest value has no special meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kohort.objects.quantity import Quantity

UNLIMITED: Final = 2**63 - 1
MOST_NEGATIVE: Final = -(2**63)
_NANO_PER_UNIT: Final = 10**9


def kueue_amount(q: Quantity, resource: str) -> int:
    """Return a quota (nominal, borrowing or lending limit) in Kueue's units; UNLIMITED when it is that large.

    CPU is unlimited from MaxInt64/1000 cores (whole cores) up, every other resource from MaxInt64 up.
    """
    largest = UNLIMITED // 1000 if resource == "cpu" else UNLIMITED
    if q.nano >= largest * _NANO_PER_UNIT:
        return UNLIMITED
    return kueue_request(q, resource)


def kueue_request(q: Quantity, resource: str) -> int:
    """Return what one pod or a usage counts as in Kueue's units, clamped to 64 bits."""
    return _clamp(q.milli() if resource == "cpu" else q.units())


def add(a: int, b: int) -> int:
    """Return the sum of two quotas: UNLIMITED with anything stays UNLIMITED."""
    return UNLIMITED if a == UNLIMITED or b == UNLIMITED else _clamp(a + b)  # noqa: PLR1714 - one of the hottest lines


def sub(a: int, b: int) -> int:
    """Return the difference of two quotas.

    Unlimited minus bounded is UNLIMITED, unlimited minus unlimited is 0, bounded minus unlimited is
    MOST_NEGATIVE.
    """
    if a == UNLIMITED:
        return 0 if b == UNLIMITED else UNLIMITED
    return MOST_NEGATIVE if b == UNLIMITED else _clamp(a - b)


def add_usage(a: int, usage: int) -> int:
    """Return a quota plus a bounded usage."""
    return UNLIMITED if a == UNLIMITED else _clamp(a + usage)


def sub_usage(a: int, usage: int) -> int:
    """Return a quota minus a bounded usage; an unlimited quota stays UNLIMITED whatever is used."""
    return UNLIMITED if a == UNLIMITED else _clamp(a - usage)


def scale(request: int, count: int) -> int:
    """Return `count` times a request, saturating at 64 bits."""
    return _clamp(request * count)


def _clamp(value: int) -> int:
    return value if MOST_NEGATIVE <= value <= UNLIMITED else UNLIMITED if value > 0 else MOST_NEGATIVE
