"""Kind Cohort: a node of the tree in which queues lend and borrow."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import LimitField, Name, QuantityField
from kohort.model.kinds.quota import QuotaLineField
from kohort.model.repo import CohortDecl, CohortShare
from kohort.spans import Origin


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
