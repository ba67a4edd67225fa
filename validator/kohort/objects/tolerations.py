"""Taints that keep pods away, and tolerations that do not mind them.

Source: api 0.36 `Toleration.ToleratesTaint`; Kueue and the scheduler both look at NoSchedule and NoExecute
only, as PreferNoSchedule keeps nobody away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol, TypeVar

REPELLING: Final = frozenset({"NoSchedule", "NoExecute"})


class Taint(Protocol):
    """What is read of a taint; `kohort.objects.kueue.flavor.Taint` is one."""

    @property
    def key(self) -> str:
        """The taint's key."""

    @property
    def value(self) -> str:
        """The taint's value, empty when it has none."""

    @property
    def effect(self) -> str:
        """NoSchedule, PreferNoSchedule or NoExecute."""


AnyTaint = TypeVar("AnyTaint", bound=Taint)


def tolerates(tolerations: Iterable[Any], taint: Taint) -> bool:
    """Whether one of the tolerations (plain values) covers the taint.

    An empty effect covers every effect, an empty key every key; Exists ignores the value and Equal, which is
    the default, compares it. Unknown operators cover nothing, nor do Lt and Gt (an alpha feature of the server).
    """
    return any(_covers(toleration, taint) for toleration in tolerations)


def untolerated(taints: Iterable[AnyTaint], tolerations: Iterable[Any]) -> list[AnyTaint]:
    """Return the taints that keep a pod with these tolerations away, in their order."""
    given = list(tolerations)
    return [taint for taint in taints if taint.effect in REPELLING and not tolerates(given, taint)]


def _covers(toleration: Any, taint: Taint) -> bool:
    if not isinstance(toleration, Mapping):
        return False
    effect, key = toleration.get("effect") or "", toleration.get("key") or ""
    if (effect and effect != taint.effect) or (key and key != taint.key):
        return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Equal":
        return (toleration.get("value") or "") == taint.value
    return bool(operator == "Exists")
