"""Which of two flavors is better, and when the search for a better one ends.

Source: Kueue 0.19.1 `pkg/scheduler/flavorassigner` (isPreferred, shouldTryNextFlavor) and `spec.flavorFungibility`.
"""

from __future__ import annotations

from typing import Final

from kohort.objects.kueue import ClusterQueue
from kohort.semantics.assignment import Mode
from kohort.semantics.flavors.trace import Numbers
from kohort.semantics.settings import Settings

_NO_FIT: Final = int(Mode.NO_FIT)
_NO_CANDIDATES: Final = int(Mode.NO_CANDIDATES)
_FIT: Final = int(Mode.FIT)
_TREE: Final = 1 << 20  # higher than any tree
_TRY_NEXT: Final = "TryNextFlavor"
_OVER: Final = "PreemptionOverBorrowing"


class Fungibility:
    """A queue's choice among flavors, as plain flags for the hot path.

    `words_count` is false where `flavorFungibility` is not looked at (a gate): the best mode wins and nothing resumes.
    `while_borrowing` says whether the queue may preempt others though it would borrow.
    """

    __slots__ = ("_borrow_next", "_over", "_preempt_next", "_viable_first", "while_borrowing", "words_count")

    def __init__(self, spec: ClusterQueue, settings: Settings) -> None:
        self.words_count = settings.on("FlavorFungibility")
        self._preempt_next = spec.when_can_preempt == _TRY_NEXT
        self._borrow_next = spec.when_can_borrow == _TRY_NEXT
        self._over = _prefers_preemption(spec, settings)
        self._viable_first = settings.on("no-candidate flavors rank below viable ones")
        self.while_borrowing = spec.preemption.borrow_within_cohort != "Never" or (
            settings.fair_sharing and spec.preemption.reclaim_within_cohort != "Never"
        )

    def rank(self, mode: int, borrow: int) -> int:
        """A number that is larger for what is preferred; equal for equals, 0 for what does not fit."""
        if mode == _NO_FIT:
            return 0
        viable = 1 if mode == _NO_CANDIDATES and self._viable_first else 2
        near = _TREE - borrow
        return viable << 40 | (near << 8 | mode if self._over else mode << 24 | near)

    def worth(self, mode: int, borrow: int) -> int:
        """How flavors compare with each other: by rank, or by mode alone where the words do not count."""
        return self.rank(mode, borrow) if self.words_count else mode

    def worst(self, numbers: tuple[Numbers, ...]) -> tuple[int, int]:
        """The mode and borrowing of a flavor: those of its worst resource."""
        if len(numbers) == 1:
            return numbers[0][0], numbers[0][1]
        found, least = (_FIT, 0), self.rank(_FIT, 0)
        for mode, borrow, _ in numbers:
            rank = self.rank(mode, borrow)
            if rank < least:
                found, least = (mode, borrow), rank
        return found

    def searches_on(self, mode: int, borrow: int) -> bool:
        """Whether the next flavor is looked at too after one that came out so."""
        if not self.words_count:
            return mode != _FIT
        if mode <= _NO_CANDIDATES:
            return True
        return (mode < _FIT and self._preempt_next) or (borrow > 0 and self._borrow_next)


def _prefers_preemption(spec: ClusterQueue, settings: Settings) -> bool:
    """Whether staying within nominal counts more than not preempting. Kueue 0.15.0 to 0.16.1 swapped the two words."""
    if not spec.preference:
        return settings.on("FlavorFungibilityImplicitPreferenceDefault") and spec.when_can_borrow == _TRY_NEXT
    return (spec.preference == _OVER) is settings.on("preference words mean what they say")
