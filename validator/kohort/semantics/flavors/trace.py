"""What a search for flavors saw, as plain numbers: enough, with its plan, to write the answer.

Numbers: (mode, borrow, room) of one resource in one flavor; room is 0 where it fits, since nobody asks, and below 0
where the queue could never have so much: it is −1 − the most that it could have. Seen: (index of a flavor, its numbers by resource). Step: one
search: (first index, chosen index or −1, last index, what was seen); flavors closed to the pods are not in it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from kohort.semantics.assignment import Mode

Numbers: TypeAlias = tuple[int, int, int]
Seen: TypeAlias = tuple[int, tuple[Numbers, ...]]
Step: TypeAlias = tuple[int, int, int, tuple[Seen, ...]]
Trace: TypeAlias = tuple[Step, ...]

FITS: Final[Numbers] = (int(Mode.FIT), 0, 0)
