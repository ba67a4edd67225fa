"""What queues say they have reserved, and what the trees hold, against what the workloads of the snapshot use."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.live.remark import Kind, Remarks
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.names import visible
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.quantity_format import format_units
from kohort.semantics.amount import kueue_request
from kohort.semantics.state import State
from kohort.semantics.tree import FlavorResource


def compare(state: State, remarks: Remarks) -> None:
    """Note where a queue's status and its workloads differ, trees that use more than they hold, and cohort cycles."""
    for name, queue in state.queues.items():
        for pair, stated in _stated(queue.spec.obj):
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


def _stated(obj: KubeObject) -> Iterator[tuple[FlavorResource, int]]:
    for _, flavor in mappings(obj.get("status", "flavorsReservation")):
        for _, resource in mappings(flavor.get("resources")):
            name, of = resource.get("name"), flavor.get("name")
            if not isinstance(name, str) or not isinstance(of, str):
                continue
            try:
                yield (of, name), kueue_request(Quantity.parse(resource.get("total", 0)), name)
            except QuantityError:
                continue
