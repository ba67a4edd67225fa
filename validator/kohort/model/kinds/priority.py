"""Kind Priority: what goes first among the work of a queue."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.repo import Priority
from kohort.spans import Origin


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
