"""Kind QueueClass: how queues of one class behave."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.repo import QueueClass
from kohort.spans import Origin

Fungibility = Literal["MayStopSearch", "TryNextFlavor"]


class BorrowPreemptionField(Strict):
    """Preemption in the cohort by a workload that borrows."""

    policy: Literal["Never", "LowerPriority"] = Field(
        default="Never",
        description="Whether a borrowing workload may preempt others.",
        examples=["LowerPriority"],
    )
    max_priority_threshold: int | None = Field(
        default=None, description="Only workloads up to this priority may be preempted.", examples=[100]
    )


class PreemptionField(Strict):
    """Who gives way to whom; Kueue's words."""

    reclaim_within_cohort: Literal["Never", "LowerPriority", "Any"] = Field(
        default="Never",
        description="Which workloads of other queues give way when this queue takes back what it lent.",
        examples=["Any"],
    )
    within_cluster_queue: Literal["Never", "LowerPriority", "LowerOrNewerEqualPriority"] = Field(
        default="Never", description="Which workloads of the same queue give way.", examples=["LowerPriority"]
    )
    borrow_within_cohort: BorrowPreemptionField = Field(
        default_factory=BorrowPreemptionField,
        description="Whether a workload that borrows may preempt.",
        examples=[{"policy": "LowerPriority", "maxPriorityThreshold": 100}],
    )


class FungibilityField(Strict):
    """When the next flavor of the line-up is tried; Kueue's words."""

    when_can_borrow: Fungibility = Field(
        default="MayStopSearch",
        description="Take a flavor where the workload fits by borrowing, or try the next first.",
        examples=["TryNextFlavor"],
    )
    when_can_preempt: Fungibility = Field(
        default="TryNextFlavor",
        description="Take a flavor where the workload fits by preempting, or try the next first.",
        examples=["MayStopSearch"],
    )
    preference: Literal["BorrowingOverPreemption", "PreemptionOverBorrowing"] | None = Field(
        default=None,
        description="What is better when both are possible; only where both policies are TryNextFlavor.",
        examples=["PreemptionOverBorrowing"],
    )


class QueueClassSpec(Strict):
    """How queues of this class behave."""

    strategy: Literal["BestEffortFIFO", "StrictFIFO"] = Field(
        default="BestEffortFIFO",
        description="Whether a workload that does not fit holds up those behind it (StrictFIFO).",
        examples=["StrictFIFO"],
    )
    preemption: PreemptionField = Field(
        default_factory=PreemptionField,
        description="Who gives way to whom.",
        examples=[{"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"}],
    )
    fungibility: FungibilityField = Field(
        default_factory=FungibilityField,
        description="When the next flavor is tried.",
        examples=[{"whenCanBorrow": "TryNextFlavor"}],
    )
    isolated: bool = Field(
        default=False,
        description="Queues of this class may not stand in a cohort: they neither lend nor borrow.",
        examples=[True],
    )


class QueueClassDocument(Envelope[QueueClassSpec]):
    """How queues of one class behave: order, preemption, choice of flavors."""

    kind: Literal["QueueClass"] = Field(description="What is declared.", examples=["QueueClass"])

    def declare(self, origin: Origin) -> QueueClass:
        """The class."""
        preemption, fungibility = self.spec.preemption, self.spec.fungibility
        return QueueClass(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            strategy=self.spec.strategy,
            reclaim_within_cohort=preemption.reclaim_within_cohort,
            within_cluster_queue=preemption.within_cluster_queue,
            borrow_within_cohort=preemption.borrow_within_cohort.policy,
            max_priority_threshold=preemption.borrow_within_cohort.max_priority_threshold,
            when_can_borrow=fungibility.when_can_borrow,
            when_can_preempt=fungibility.when_can_preempt,
            preference=fungibility.preference or "",
            isolated=self.spec.isolated,
        )
