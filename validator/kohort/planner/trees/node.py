"""A node of a tree while it grows."""

from __future__ import annotations

from dataclasses import dataclass, field

from kohort.planner.trees.tree import Mark, NodeKind, Stand

_NONE = Stand(0, 0, 0)


@dataclass(eq=False, slots=True)
class Node:
    """A queue or cohort of either side.

    `there` says on which sides it is in a tree, `touched` whether its object changes, `looped` whether a side has it
    below cohorts that run in a circle.
    """

    kind: NodeKind
    name: str
    team: str
    before: Stand | None
    after: Stand | None
    there: tuple[bool, bool]
    above: str
    came_from: str
    touched: bool
    looped: bool = False
    depth: int = 0
    children: list[Node] = field(default_factory=list, repr=False)

    @property
    def differs(self) -> bool:
        """Whether an amount differs, or it is on one side only."""
        return self.there != (True, True) or (self.before or _NONE) != (self.after or _NONE)

    @property
    def mark(self) -> Mark:
        """What happens to it."""
        if self.looped:
            return "loop"
        if self.there != (True, True):
            return "added" if self.there[1] else "removed"
        if self.above != self.came_from:
            return "moved"
        was, now = self.before or _NONE, self.after or _NONE
        if self.touched:
            return "changed"
        if (was.guarantee, was.lend) != (now.guarantee, now.lend):
            return "sum" if self.kind == "cohort" else "changed"
        return "reach" if was != now else ""
