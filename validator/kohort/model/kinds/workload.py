"""Kind Workload: a run of a template that is declared in Git."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.fields import LabelName, Name, Positive
from kohort.model.repo import Workload
from kohort.spans import Origin


class WorkloadSpec(Strict):
    """A run of a template that is declared in Git."""

    template: Name = Field(description="The template.", examples=["batch-job"])
    cluster: Name = Field(description="Where it runs.", examples=["vela"])
    queue: Name = Field(description="The queue of the team.", examples=["train"])
    namespace: LabelName | None = Field(
        default=None, description="Namespace; the team's first when left out.", examples=["blue"]
    )
    priority: Name | None = Field(
        default=None, description="Priority of the workload.", examples=["high-priority"]
    )
    run: Positive = Field(
        default=1,
        description="Number of the run. What is on the cluster is never changed: a changed workload needs another run.",
        examples=[2],
    )
    values: dict[str, Any] = Field(
        default_factory=dict, description="Values of the template's parameters.", examples=[{"pods": 2}]
    )
    team: Name | None = Field(
        default=None, description="The team; that of the folder when left out.", examples=["blue"]
    )


class WorkloadDocument(Envelope[WorkloadSpec]):
    """A declared run of a template (`teams/<team>/`)."""

    kind: Literal["Workload"] = Field(description="What is declared.", examples=["Workload"])

    def declare(self, origin: Origin) -> Workload:
        """The workload; without `team` it is the folder's."""
        spec, steps = self.spec, origin.file.split("/")
        folder = steps[steps.index("teams") + 1] if "teams" in steps[:-2] else ""
        return Workload(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            team=spec.team or folder,
            template=spec.template,
            cluster=spec.cluster,
            queue=spec.queue,
            namespace=spec.namespace or "",
            priority=spec.priority or "",
            run=spec.run,
            values=dict(spec.values),
        )
