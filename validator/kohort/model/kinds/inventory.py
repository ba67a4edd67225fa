"""Kind Inventory: the nodes of a cluster as they were seen."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Count, DateField, Name, Positive, Quantities, StatusField, StringMap
from kohort.model.kinds.nodes import TaintField

_MANY = 10_000


class NodeEntry(Strict):
    """One node, several named ones, or a numbered row of nodes that are alike."""

    name: Name | None = Field(default=None, description="One node.", examples=["a100-0"])
    names: list[Name] = Field(
        default_factory=list, description="Several nodes.", examples=[["a100-0", "a100-1"]]
    )
    prefix: str | None = Field(
        default=None, description="A numbered row: what stands before the number.", examples=["a100-"]
    )
    count: Positive | None = Field(default=None, description="Length of the row.", examples=[5], le=_MANY)
    first: Count = Field(default=0, description="First number of the row.", examples=[1])
    pool: Name | None = Field(
        default=None,
        description="Node pool that the node belongs to. What is not observed here is taken from it.",
        examples=["a100"],
    )
    rack: str = Field(
        default="", description="Rack: the value of the cluster's rack label.", examples=["rack-1"]
    )
    labels: StringMap = Field(
        default_factory=dict,
        description="Labels, added to those of the pool.",
        examples=[{"autopilot.ibm.com/gpuhealth": "PASS"}],
    )
    taints: list[TaintField] = Field(
        default_factory=list,
        description="Taints, added to those of the pool.",
        examples=[[{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]],
    )
    cordoned: bool = Field(default=False, description="Whether it is cordoned.", examples=[True])
    ready: StatusField = Field(
        default="True", description="Its Ready condition.", examples=[True, False, "Unknown"]
    )
    conditions: dict[str, StatusField] = Field(
        default_factory=dict, description="Other conditions by type.", examples=[{"GpuXid": True}]
    )
    capacity: Quantities = Field(
        default_factory=dict,
        description="Capacity where it was observed to differ from the pool.",
        examples=[{"nvidia.com/gpu": 8}],
    )
    allocatable: Quantities = Field(
        default_factory=dict,
        description="Allocatable amounts where they were observed to differ from the pool less its reserve.",
        examples=[{"nvidia.com/gpu": 7}],
    )

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        given = [field for field in ("name", "names", "prefix") if field in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of `name`, `names` or `prefix`")
        if len(given) > 1:
            raise problem("SRC105", f"an entry has `{given[0]}` or `{given[1]}`, not both", given[1])
        if self.prefix is not None and self.count is None:
            raise problem("SRC103", "`count`")
        return self


class InventorySpec(Strict):
    """The nodes that were seen."""

    observed: DateField = Field(description="Day of the observation.", examples=["2026-03-31"])
    nodes: list[NodeEntry] = Field(
        description="The nodes; those alike may share an entry.",
        examples=[[{"prefix": "a100-", "count": 5, "pool": "a100"}]],
    )


class InventoryDocument(Envelope[InventorySpec]):
    """The nodes of a cluster as they were seen; named after the cluster."""

    kind: Literal["Inventory"] = Field(description="What is declared.", examples=["Inventory"])
