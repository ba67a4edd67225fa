"""Kind Topology: how nodes stand together."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.repo import TopologyDecl
from kohort.spans import Origin


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
