"""How much slack may be lent while nodes are lost.

A slack queue's nominal quota stands for nodes that may fail. What it lends must shrink with them: it may lend what is
healthy beyond all firm promises, at most its own quota (`reference`: MLBatch quota maintenance, made per flavor and
resource). Several slack queues on one flavor are served in order of declaration.
"""

from __future__ import annotations

from kohort.capacity.flow import room
from kohort.capacity.promises import Promises
from kohort.capacity.proof import Nodes
from kohort.dataclass import dataclass
from kohort.semantics import FlavorResource, TreeNode


@dataclass(frozen=True, slots=True)
class Lending:
    """What one slack queue may lend of one flavor and resource, in Kueue's units.

    `lends` is what its quota lends now (nominal, or a lower lendingLimit).
    """

    queue: TreeNode
    pair: FlavorResource
    nominal: int
    lends: int
    may_lend: int


def lending(promises: Promises, nodes: Nodes) -> tuple[Lending, ...]:
    """The lending of every slack queue in order of declaration."""
    taken: dict[str, dict[str, int]] = {}
    found = []
    for name, queue in promises.tree.queues.items():
        if name not in promises.slack_queues:
            continue
        for (flavor, resource), limits in queue.limits.items():
            if flavor not in promises.slack.get(resource, {}) or limits.nominal <= 0:
                continue
            demand = taken.setdefault(resource, promises.scaled(promises.firm.get(resource, {}), resource))
            percent = promises.percent(flavor, resource)
            may_lend = min(limits.nominal, room(flavor, demand, nodes.groups(resource)) * percent // 100)
            demand[flavor] = demand.get(flavor, 0) + -(-may_lend * 100 // percent)
            lends = limits.nominal if limits.lending is None else min(limits.nominal, limits.lending)
            found.append(Lending(queue, (flavor, resource), limits.nominal, lends, may_lend))
    return tuple(found)
