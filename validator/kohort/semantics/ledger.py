"""The quota tree under load: one cell per node and flavor-resource, with what is used, kept ready for the hot path.

Source: Kueue 0.19.1 `pkg/cache/scheduler/resource_node.go` (`addUsage`, `removeUsage`, `available`) and
`classical.FindHeightOfLowestSubtreeThatFits`. The same arithmetic as `usage.py`, which answers for one tree at rest;
here every decision of a simulation reads and writes. `remove` undoes `add` exactly when done in reverse order, which
is how a what-if is tried without a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.semantics.amount import UNLIMITED, add, add_usage, sub, sub_usage
from kohort.semantics.tree import FlavorResource, QuotaTree, TreeNode


class Cell:
    """One flavor-resource at one node. `used` is what counts at the node (U); everything else is fixed.

    `local` is what a lendingLimit keeps here; `lent` is subtree − local; `borrowing` the limit or None;
    `height` the edges to the node's furthest leaf. `ceiling` is the most that may count above (lent + borrowing). `tight`
    is the nearest cell from here upwards that has a limit or is the root: what lies below it neither keeps nor caps
    anything. `flat` says that the root is the parent and `tight`.
    """

    __slots__ = (
        "_potential",
        "borrowing",
        "ceiling",
        "children",
        "flat",
        "height",
        "lent",
        "local",
        "node",
        "nominal",
        "pair",
        "parent",
        "subtree",
        "tight",
        "used",
    )

    def __init__(self, node: TreeNode, pair: FlavorResource, parent: Cell | None, height: int) -> None:
        self.node = node
        self.pair = pair
        self.parent = parent
        self.children: list[Cell] = []  # of the nodes below that have the pair, in the tree's order
        if parent is not None:
            parent.children.append(self)
        self.height = height
        self.used = 0
        self.reread()

    def reread(self) -> None:
        """Take quota and limits from the node, which a what-if changes; the parent's cell has to be right already."""
        node, pair, parent = self.node, self.pair, self.parent
        self.nominal = node.nominal(pair)
        self.subtree = node.subtree(pair)
        self.local = node.local(pair)
        self.lent = sub(self.subtree, self.local)
        limits = node.limits.get(pair)
        self.borrowing = limits.borrowing if limits is not None else None
        self._potential: int | None = None
        self.ceiling = UNLIMITED if self.borrowing is None else add(self.lent, self.borrowing)
        loose = parent is not None and self.ceiling == UNLIMITED and not self.local
        self.tight: Cell = parent.tight if parent is not None and loose else self
        self.flat = loose and parent is not None and parent.parent is None

    @property
    def potential(self) -> int:
        """The most that the node could ever use: worked out when it is first asked for."""
        found = self._potential
        if found is None:
            found = self._potential = self.node.potential(self.pair)
        return found

    def reach_again(self) -> None:
        """Forget the potential: quota has changed somewhere in the tree."""
        self._potential = None
        self.node.reachable.pop(self.pair, None)

    def add(self, units: int) -> None:
        """Reserve `units` (not negative) here; what the local part does not cover counts above. Nothing is refused."""
        cell: Cell | None = self
        while cell is not None and units > 0:
            free = cell.local - cell.used if cell.local != UNLIMITED else UNLIMITED
            cell.used = add_usage(cell.used, units)
            if free > 0:
                units -= min(units, free)
            cell = cell.parent

    def remove(self, units: int) -> None:
        """Give back `units` that `add` reserved."""
        cell: Cell | None = self
        while cell is not None and units > 0:
            above = sub_usage(cell.used, cell.local) if cell.local else cell.used
            cell.used = sub_usage(cell.used, units)
            units = min(units, above)
            cell = cell.parent

    def local_available(self) -> int:
        """What is left of the part that is kept here."""
        return max(0, sub_usage(self.local, self.used)) if self.local else 0

    def available(self) -> int:
        """What is left for this node (Avail); negative where something above is overcommitted.

        The scheduler reads a queue's negative value as 0: see `room`. Each cap on the way up counts with all that
        is kept below it, so the least of them is the answer.
        """
        cell = self.tight
        kept = 0
        least = UNLIMITED
        while (parent := cell.parent) is not None:
            above = cell.used
            if cell.local:
                if cell.local == UNLIMITED:
                    return least
                above -= cell.local
                if above < 0:
                    kept -= above
                    above = 0
            if cell.ceiling != UNLIMITED:
                capped = kept + cell.ceiling - above
                if capped < least:  # noqa: PLR1730 - one of the hottest lines
                    least = capped
            cell = parent.tight
        if cell.subtree == UNLIMITED:
            return least
        left = kept + cell.subtree - cell.used
        return left if left < least else least  # noqa: FURB136 - one of the hottest lines

    def room(self) -> int:
        """What a workload of this queue may still take: `available`, never below 0."""
        left = self.available()
        return left if left > 0 else 0  # noqa: FURB136 - one of the hottest lines

    def borrowing_with(self, units: int) -> bool:
        """Whether the node would use more than its own with `units` more."""
        return self.subtree < add_usage(self.used, units)

    def borrow_height(self, units: int) -> tuple[int, bool]:
        """The height of the lowest subtree that holds `units` more, and whether it lies strictly below the root.

        (0, whether there is a parent) while the queue's own quota suffices. Where no subtree holds it, the root's
        height and False. Source: kueue.md 4.4; Kueue `FindHeightOfLowestSubtreeThatFits`.
        """
        if self.parent is None or not self.borrowing_with(units):
            return 0, self.parent is not None
        left = units - self.local_available()
        cell: Cell = self
        while cell.parent is not None:
            cell = cell.parent
            if not cell.borrowing_with(left):
                return cell.height, cell.parent is not None
            left -= cell.local_available()
        return cell.height, False

    def lacking(self, units: int) -> tuple[int, int, bool] | None:
        """None where `units` more fit; else `room` and `borrow_height` together."""
        if self.flat and (root := self.parent) is not None and root.subtree != UNLIMITED:
            room = root.subtree - root.used
            room = room if room > 0 else 0  # noqa: FURB136 - one of the hottest lines
            if units <= room:
                return None
            return (room, 0, True) if units <= self.subtree - self.used else (room, root.height, False)
        room = self.room()
        return None if units <= room else (room, *self.borrow_height(units))


Cells = Mapping[FlavorResource, Cell]


class Ledger:
    """Cells of every node of a tree."""

    def __init__(self, tree: QuotaTree) -> None:
        self.tree = tree
        self.lendable: dict[TreeNode, dict[str, int]] = {}  # kept by `sharing/drs.py`: the tree never changes
        self.shares: dict[TreeNode, Any] = {}  # likewise
        self._cells: dict[TreeNode, dict[FlavorResource, Cell]] = {}
        self._strays: dict[tuple[TreeNode, FlavorResource], Cell] = {}
        self._heights: dict[TreeNode, int] = {}
        order = list(tree.nodes())  # parents first
        for node in reversed(order):
            self._heights[node] = 1 + max((self._heights[c] for c in node.children), default=-1)
        for node in order:
            above = self._cells[node.parent] if node.parent is not None else {}
            self._cells[node] = {
                pair: Cell(node, pair, above.get(pair), self._heights[node]) for pair in node.totals
            }

    def cells(self, node: TreeNode) -> Cells:
        """The cells of a queue or cohort, by flavor-resource; pairs without quota at or below it are absent."""
        return self._cells[node]

    def queue(self, name: str) -> Cells:
        """The cells of a ClusterQueue; empty for one that a cohort cycle excludes."""
        node = self.tree.queues.get(name)
        return {} if node is None else self._cells[node]

    def stray(self, node: TreeNode, pair: FlavorResource) -> Cell:
        """The cell of a pair that has no quota at or below the node, made when it is first asked for.

        Work keeps using what an edit took out of its queue: that counts in full above, as Kueue does it, while the
        pair stays unknown to whoever reads `cells`.
        """
        known = self._strays.get((node, pair))
        if known is not None:
            return known
        path = []
        above: Cell | None = None
        at: TreeNode | None = node
        while at is not None and above is None:
            path.append(at)
            at = at.parent
            if at is not None:
                above = self._cells[at].get(pair) or self._strays.get((at, pair))
        for each in reversed(path):
            above = self._strays[each, pair] = Cell(each, pair, above, self._heights[each])
        assert above is not None
        return above
