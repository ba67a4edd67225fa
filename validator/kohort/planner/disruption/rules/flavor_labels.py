"""Node labels and tolerations of a flavor."""

from __future__ import annotations

from kohort.planner.disruption.rule import AMOUNTS, NOTHING, RECREATE, REQUEUES, Case, FieldRule

RULE = FieldRule(
    name="flavor-labels",
    kinds=("ResourceFlavor",),
    fields=("spec.nodeLabels", "spec.tolerations"),
    shows=AMOUNTS,
    source="Kueue 0.19.1 CRD (immutable with a topology); labels are put on pods when work starts; its ResourceFlavor controller retries parked work",
    cases=(
        Case(
            "topology", RECREATE, "immutable while the flavor has a topology: make a flavor of another name"
        ),
        Case(
            "listed",
            REQUEUES,
            "pods that run keep theirs; work that starts from now on gets the new ones, and pending work of the queues that list the flavor is compared with them at once",
        ),
        Case("", NOTHING, "no queue lists the flavor"),
    ),
)
