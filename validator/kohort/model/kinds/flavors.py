"""Kinds of the folder `queues/` that describe capacity: Flavor, Topology, Cohort."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Count, LimitField, Name, QuantityField, StringMap
from kohort.model.kinds.nodes import TaintField
from kohort.model.kinds.quota import QuotaLineField
from kohort.model.repo import CohortDecl, CohortShare, FlavorDecl, TopologyDecl
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
        )


class TopologySpec(Strict):
    """Levels of node labels."""

    levels: list[str] = Field(
        description="Node labels from the widest level to the narrowest.",
        examples=[["topology.example.com/rack", "kubernetes.io/hostname"]],
        min_length=1,
    )


class TopologyDocument(Envelope[TopologySpec]):
    """How nodes stand together: blocks, racks, hosts."""

    kind: Literal["Topology"] = Field(description="What is declared.", examples=["Topology"])

    def declare(self, origin: Origin) -> TopologyDecl:
        """The topology."""
        return TopologyDecl(
            name=self.metadata.name, origin=origin, title=self.metadata.title, levels=tuple(self.spec.levels)
        )


class CohortShareField(Strict):
    """What a cohort holds and may move on one cluster."""

    pool: list[QuotaLineField] = Field(
        default_factory=list,
        description="Quota that belongs to the cohort itself: its members may borrow it.",
        examples=[[{"flavor": "a100", "gpus": 16}]],
    )
    borrow: dict[str, LimitField] = Field(
        default_factory=dict,
        description="How much its members may take from outside together, by flavor.",
        examples=[{"a100": 32}],
    )
    lend: dict[str, LimitField] = Field(
        default_factory=dict,
        description="How much of its idle quota others may use, by flavor.",
        examples=[{"a100": 24}],
    )


class CohortSpec(Strict):
    """A node of the tree in which queues lend and borrow."""

    parent: Name | None = Field(
        default=None, description="The cohort above; a root has none.", examples=["org"]
    )
    weight: QuantityField | None = Field(
        default=None,
        description="Share against the siblings, where the cluster shares fairly.",
        examples=["2"],
    )
    clusters: dict[str, CohortShareField] = Field(
        default_factory=dict,
        description="Own quota and limits, by cluster.",
        examples=[{"vela": {"pool": [{"flavor": "a100", "gpus": 16}]}}],
    )

    @model_validator(mode="after")
    def _root_has_no_limits(self) -> Self:
        if self.parent is None:
            for cluster, share in self.clusters.items():
                for field in ("borrow", "lend"):
                    if getattr(share, field):
                        text = "a root cohort has nobody to lend to or borrow from; give it a parent or drop the field"
                        raise problem("SRC105", text, "clusters", cluster, field)
        return self


class CohortDocument(Envelope[CohortSpec]):
    """A node of the tree in which queues lend and borrow."""

    kind: Literal["Cohort"] = Field(description="What is declared.", examples=["Cohort"])

    def declare(self, origin: Origin) -> CohortDecl:
        """The cohort."""
        return CohortDecl(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            parent=self.spec.parent or "",
            weight=self.spec.weight,
            clusters={
                name: CohortShare(
                    pool=tuple(
                        line.declare(origin, ("spec", "clusters", name, "pool", i))
                        for i, line in enumerate(share.pool)
                    ),
                    borrow=dict(share.borrow),
                    lend=dict(share.lend),
                    path=("spec", "clusters", name),
                )
                for name, share in self.spec.clusters.items()
            },
        )
