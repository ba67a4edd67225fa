"""What queues say they have reserved, and what the trees hold, against what the workloads of the snapshot use."""

from __future__ import annotations

from kohort.live.remark import Kind, Remarks
from kohort.objects.names import visible
from kohort.objects.quantity_format import format_units
from kohort.semantics.state import State
from kohort.semantics.status.reserved import read_reserved


def compare(state: State, remarks: Remarks) -> None:
    """Note where a queue's status and its workloads differ, trees that use more than they hold, and cohort cycles."""
    for name, queue in state.queues.items():
        for pair, stated in read_reserved(queue.spec.obj).items():
            cell = queue.cells.get(pair)
            counted = cell.used if cell is not None else 0
            if cell is not None and stated != counted:
                flavor, resource = pair
                remarks.add(
                    Kind.COUNTS_DIFFER,
                    f"ClusterQueue {visible(name)}",
                    f"ClusterQueue {visible(name)} says that {format_units(stated, resource)} {visible(resource)} of flavor "
                    f"{visible(flavor)} are reserved, its workloads use {format_units(counted, resource)}: things moved while the "
                    "snapshot was taken, or workloads are missing; what they use counts here",
                )
    for root in state.ledger.tree.roots:
        for (flavor, resource), cell in state.ledger.cells(root).items():
            if cell.used > cell.subtree:
                kind = "ClusterQueue" if root.is_queue else "Cohort"
                subject = f"{kind} {visible(root.name)}"
                remarks.add(
                    Kind.TOO_MUCH,
                    subject,
                    f"{subject} uses {format_units(cell.used, resource)} {visible(resource)} of flavor {visible(flavor)} and holds "
                    f"{format_units(cell.subtree, resource)}: quota was cut, or taken over; nobody gets more of it until work ends",
                )
    for cycle in state.ledger.tree.cycles:
        subject = f"Cohort {visible(cycle[0])}"
        ring = " → ".join(visible(name) for name in cycle)
        remarks.add(Kind.CYCLE, subject, f"cohorts form a cycle ({ring}): no queue below them is scheduled")
