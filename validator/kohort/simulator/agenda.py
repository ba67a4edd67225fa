"""What a run has to do, and when: calls in order of time, and of their making where they come together."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

Action = Callable[..., None]


class Agenda:
    """Timed calls. Each is made with the time first, then its arguments."""

    __slots__ = ("_heap", "_number")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Action, tuple[Any, ...]]] = []
        self._number = 0

    def at(self, time: int, action: Action, *arguments: Any) -> None:
        """Call `action(time, *arguments)` then."""
        self._number += 1
        heappush(self._heap, (time, self._number, action, arguments))

    @property
    def next(self) -> int | None:
        """The earliest time, None where nothing is left to do."""
        return self._heap[0][0] if self._heap else None

    def run(self, now: int) -> bool:
        """Make every call that is due; whether there was any. Calls that they add for now are made too."""
        any_made = False
        while self._heap and self._heap[0][0] <= now:
            time, _, action, arguments = heappop(self._heap)
            action(time, *arguments)
            any_made = True
        return any_made
