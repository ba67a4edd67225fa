"""Node pools of a cluster: the shape that its nodes should have."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Strict, problem
from kohort.model.kinds.fields import Count, FractionField, Name, Quantities, StringMap
from kohort.model.repo import NodePool
from kohort.spans import Path


class TaintField(Strict):
    """A taint of a node."""

    key: str = Field(description="Key of the taint.", examples=["nvidia.com/gpu"], min_length=1)
    value: str = Field(default="", description="Value of the taint.", examples=["present"])
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] = Field(
        description="What it does to pods that do not tolerate it.", examples=["NoSchedule"]
    )

    def declare(self) -> dict[str, str]:
        """As a Node carries it."""
        value = {"value": self.value} if self.value else {}
        return {"key": self.key, **value, "effect": self.effect}


class NodePoolField(Strict):
    """Nodes of one shape that should exist. What does exist is the inventory's to say."""

    name: Name = Field(description="Name of the pool, unique in the cluster.", examples=["h100"])
    flavor: Name = Field(description="The flavor that its nodes serve.", examples=["h100"])
    nodes: Count = Field(description="How many nodes.", examples=[3])
    accelerator: str = Field(
        default="",
        description="The resource that counts whole GPUs (any vendor's); left out for cpu pools and for pools of "
        "partitioned GPUs.",
        examples=["nvidia.com/gpu", "amd.com/gpu"],
    )
    labels: StringMap = Field(
        default_factory=dict, description="Labels that its nodes carry.", examples=[{"pool": "h100"}]
    )
    taints: list[TaintField] = Field(
        default_factory=list,
        description="Taints that its nodes carry.",
        examples=[[{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]],
    )
    per_node: Quantities = Field(
        description="What one node offers.",
        examples=[{"cpu": 224, "memory": "2Ti", "nvidia.com/gpu": 8, "pods": 250}],
        min_length=1,
    )
    reserve: Quantities = Field(
        default_factory=dict,
        description="What stays on each node for the system (kubelet, daemons, monitoring) and is never promised.",
        examples=[{"cpu": 8, "memory": "64Gi", "pods": 20}],
    )
    share: dict[str, FractionField] = Field(
        default_factory=dict,
        description="For partitioned GPUs: the part of one physical GPU that one device takes. It decides how much "
        "cpu and memory comes with it.",
        examples=[{"nvidia.com/mig-3g.40gb": "3/7", "nvidia.com/mig-1g.10gb": "1/7"}],
    )
    gpu: str = Field(
        default="",
        description="Product of the physical GPUs of a partitioned pool, as the gpu.product label says.",
        examples=["NVIDIA-A100-SXM4-80GB"],
    )
    gpus_per_node: Count = Field(
        default=0, description="Physical GPUs per node of a partitioned pool.", examples=[8]
    )
    racks: dict[str, list[Name]] = Field(
        default_factory=dict,
        description="Where the nodes should stand: rack name to node names.",
        examples=[{"rack-1": ["a100-0", "a100-1"]}],
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name, amount in self.reserve.items():
            if name not in self.per_node:
                raise problem("SRC104", "|".join(self.per_node), "reserve", name)
            if amount > self.per_node[name]:
                have = self.per_node[name]
                raise problem("SRC105", f"is more than the node has ({have})", "reserve", name)
        for name in self.share:
            if name not in self.per_node:
                raise problem("SRC104", "|".join(self.per_node), "share", name)
        if self.accelerator and self.accelerator not in self.per_node:
            raise problem("SRC104", "|".join(self.per_node), "accelerator")
        if self.accelerator and self.share:
            raise problem(
                "SRC105",
                "stands beside `accelerator`: a pool has whole GPUs or partitioned ones; declare two pools",
                "share",
            )
        return self

    def declare(self, path: Path) -> NodePool:
        """As the core sees it."""
        return NodePool(
            name=self.name,
            flavor=self.flavor,
            nodes=self.nodes,
            accelerator=self.accelerator,
            labels=dict(self.labels),
            taints=tuple(taint.declare() for taint in self.taints),
            per_node=dict(self.per_node),
            reserve=dict(self.reserve),
            share=dict(self.share),
            gpu=self.gpu,
            gpus_per_node=self.gpus_per_node,
            racks={rack: tuple(nodes) for rack, nodes in self.racks.items()},
            path=path,
        )
