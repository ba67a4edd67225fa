"""Kind AdmissionCheck: a gate between quota and start."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Count, Name, Positive, StringMap
from kohort.model.repo import AdmissionCheckDecl
from kohort.spans import Origin


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
