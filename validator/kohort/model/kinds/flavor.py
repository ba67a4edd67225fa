"""Kind Flavor: a kind of node as quota sees it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.fields import Count, Name, StringMap
from kohort.model.kinds.nodes import TaintField
from kohort.model.repo import FlavorDecl
from kohort.spans import Origin


class TolerationField(Strict):
    """A toleration that pods get together with the flavor."""

    key: str = Field(
        default="", description="Key of the taint; empty means all.", examples=["nvidia.com/gpu"]
    )
    operator: Literal["Exists", "Equal"] = Field(
        default="Equal", description="Whether the value counts.", examples=["Exists"]
    )
    value: str = Field(default="", description="Value of the taint.", examples=["present"])
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = Field(
        default=None, description="Effect that is tolerated; all when left out.", examples=["NoSchedule"]
    )
    toleration_seconds: Count | None = Field(
        default=None, description="How long NoExecute is tolerated.", examples=[300]
    )

    def declare(self) -> dict[str, str | int]:
        """As a pod carries it; what was not written is left out."""
        return {
            alias: value
            for alias, value in self.model_dump(by_alias=True, exclude_unset=True).items()
            if value is not None
        }


class FlavorSpec(Strict):
    """A kind of node as quota sees it."""

    node_labels: StringMap = Field(
        default_factory=dict,
        description="Labels of its nodes, added to those of the node pools.",
        examples=[{"cloud.example.com/spot": "true"}],
    )
    taints: list[TaintField] = Field(
        default_factory=list,
        description="Taints that a workload must tolerate itself to be given this flavor.",
        examples=[[{"key": "spot", "value": "true", "effect": "NoSchedule"}]],
    )
    tolerations: list[TolerationField] = Field(
        default_factory=list,
        description="Tolerations that pods get with the flavor.",
        examples=[[{"key": "nvidia.com/gpu", "operator": "Exists"}]],
    )
    topology: Name | None = Field(
        default=None, description="Topology for placing pods close together.", examples=["racks"]
    )
    resources: list[str] = Field(
        default_factory=list,
        description="Resources that quota covers, in order; when left out, all that the node pools have.",
        examples=[["cpu", "memory", "nvidia.com/gpu", "pods"]],
    )
    checks: list[Name] = Field(
        default_factory=list, description="Admission checks that guard it.", examples=[["spot-nodes"]]
    )
    elastic: bool = Field(
        default=False,
        description="Nodes come on demand, so no proof against hardware is made.",
        examples=[True],
    )
    previously: Name | None = Field(
        default=None,
        description="The name before a rename: its objects on the clusters keep it, so that nothing is recreated.",
        examples=["a100-40g"],
    )


class FlavorDocument(Envelope[FlavorSpec]):
    """A kind of node as quota sees it. Labels and taints of nodes come from the node pools of each cluster."""

    kind: Literal["Flavor"] = Field(description="What is declared.", examples=["Flavor"])

    def declare(self, origin: Origin) -> FlavorDecl:
        """The flavor."""
        spec = self.spec
        return FlavorDecl(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            node_labels=dict(spec.node_labels),
            taints=tuple(taint.declare() for taint in spec.taints),
            tolerations=tuple(toleration.declare() for toleration in spec.tolerations),
            topology=spec.topology or "",
            resources=tuple(spec.resources),
            checks=tuple(spec.checks),
            elastic=spec.elastic,
            previously=spec.previously or "",
        )
