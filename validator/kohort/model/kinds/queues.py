"""Kinds of the folder `queues/` that queues refer to: QueueClass, Size, Priority, AdmissionCheck."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Count, Name, Positive, StringMap
from kohort.model.repo import AdmissionCheckDecl, Priority, QueueClass, Size
from kohort.spans import Origin

Fungibility = Literal["MayStopSearch", "TryNextFlavor"]
_UNITS: tuple[Literal["gpus", "devices", "nodes"], ...] = ("gpus", "devices", "nodes")


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


class SizeSpec(Strict):
    """A size that a line of quota may name instead of a number: GPUs, devices or nodes."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [unit]} for unit in _UNITS]})

    gpus: Count | None = Field(default=None, description="Whole GPUs.", examples=[8])
    devices: dict[str, Count] = Field(
        default_factory=dict,
        description="Devices by resource name.",
        examples=[{"nvidia.com/mig-1g.10gb": 8}],
    )
    nodes: Count | None = Field(default=None, description="Whole nodes.", examples=[2])

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        given = [unit for unit in _UNITS if unit in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of `gpus`, `devices` or `nodes`")
        if len(given) > 1:
            names = " and ".join(f"`{unit}`" for unit in given)
            raise problem("SRC105", f"a size states one number, not {names}", given[1])
        if not self.devices and getattr(self, given[0]) in (None, {}):
            raise problem("SRC105", "is empty", given[0])
        return self


class SizeDocument(Envelope[SizeSpec]):
    """A T-shirt size that teams may ask for."""

    kind: Literal["Size"] = Field(description="What is declared.", examples=["Size"])

    def declare(self, origin: Origin) -> Size:
        """The size."""
        unit = next(unit for unit in _UNITS if unit in self.spec.model_fields_set)
        count = self.spec.gpus if unit == "gpus" else self.spec.nodes if unit == "nodes" else 0
        return Size(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            unit=unit,
            count=count or 0,
            devices=dict(self.spec.devices),
        )


class PrioritySpec(Strict):
    """A priority of workloads."""

    value: Annotated[int, Field(ge=-2_147_483_648, le=1_000_000_000)] = Field(
        description="The higher, the sooner.", examples=[100]
    )
    description: str = Field(default="", description="When to use it.", examples=["Work with a deadline."])
    pods: bool = Field(
        default=False, description="Also make a PriorityClass of this name for pods.", examples=[True]
    )
    pod_preemption: Literal["Never", "PreemptLowerPriority"] = Field(
        default="Never",
        description="Whether pods of that PriorityClass push out others at the scheduler.",
        examples=["PreemptLowerPriority"],
    )
    default: bool = Field(default=False, description="What workloads get that name none.", examples=[True])


class PriorityDocument(Envelope[PrioritySpec]):
    """A priority of workloads."""

    kind: Literal["Priority"] = Field(description="What is declared.", examples=["Priority"])

    def declare(self, origin: Origin) -> Priority:
        """The priority."""
        spec = self.spec
        return Priority(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            value=spec.value,
            description=spec.description,
            pods=spec.pods,
            pod_preemption=spec.pod_preemption,
            default=spec.default,
        )


class RetryField(Strict):
    """How a failed request for nodes is repeated."""

    limit: Count = Field(default=3, description="How often.", examples=[3])
    base_seconds: Positive = Field(default=60, description="First pause.", examples=[60])
    max_seconds: Positive = Field(default=1800, description="Longest pause.", examples=[1800])


class ProvisioningField(Strict):
    """Ask the autoscaler for nodes before the workload starts."""

    class_name: Name = Field(
        alias="class",
        description="Class of the ProvisioningRequest.",
        examples=["check-capacity.autoscaling.x-k8s.io"],
    )
    parameters: StringMap = Field(
        default_factory=dict,
        description="Parameters of that class.",
        examples=[{"maxRunDurationSeconds": "86400"}],
    )
    managed_resources: list[str] = Field(
        default_factory=list,
        description="Only pods that request one of these resources need nodes; empty means all.",
        examples=[["nvidia.com/gpu"]],
    )
    retry: RetryField = Field(
        default_factory=RetryField, description="How a failed request is repeated.", examples=[{"limit": 3}]
    )
    pod_set_merge_policy: (
        Literal["IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"] | None
    ) = Field(
        default=None, description="Which pod sets are asked for together.", examples=["IdenticalPodTemplates"]
    )


class MultiKueueField(Strict):
    """Send the workload to one of several worker clusters."""

    clusters: list[Name] = Field(description="Worker clusters.", examples=[["vela"]], min_length=1)


class AdmissionCheckSpec(Strict):
    """A gate after quota. Exactly one of the three forms."""

    provisioning: ProvisioningField | None = Field(
        default=None,
        description="Ask the autoscaler for nodes.",
        examples=[{"class": "check-capacity.autoscaling.x-k8s.io"}],
    )
    multi_kueue: MultiKueueField | None = Field(
        default=None,
        alias="multiKueue",
        description="Send the workload to a worker cluster.",
        examples=[{"clusters": ["vela"]}],
    )
    controller: str = Field(
        default="",
        description="Name of a controller of one's own.",
        examples=["example.com/budget"],
    )
    clusters: list[Name] = Field(
        default_factory=list,
        description="Clusters that have the check; empty means all.",
        examples=[["vela"]],
    )

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        names = (
            ("provisioning", "provisioning"),
            ("multi_kueue", "multiKueue"),
            ("controller", "controller"),
        )
        given = [alias for field, alias in names if field in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of `provisioning`, `multiKueue` or `controller`")
        if len(given) > 1:
            raise problem("SRC105", f"a check has one form, not `{given[0]}` and `{given[1]}`", given[1])
        return self


class AdmissionCheckDocument(Envelope[AdmissionCheckSpec]):
    """A gate that a workload passes after quota and before it starts."""

    kind: Literal["AdmissionCheck"] = Field(description="What is declared.", examples=["AdmissionCheck"])

    def declare(self, origin: Origin) -> AdmissionCheckDecl:
        """The check; `provisioning` and `multikueue` hold all their fields under the names of the language."""
        spec = self.spec
        provisioning: dict[str, Any] = {}
        if spec.provisioning is not None:
            provisioning = spec.provisioning.model_dump(by_alias=True, exclude_none=True)
        return AdmissionCheckDecl(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            controller="provisioning"
            if spec.provisioning
            else "multikueue"
            if spec.multi_kueue
            else spec.controller,
            provisioning=provisioning,
            multikueue={"clusters": list(spec.multi_kueue.clusters)} if spec.multi_kueue else {},
            clusters=tuple(spec.clusters),
        )
