"""Kinds WorkloadTemplate, Workload and Exception."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.fields import DateField, LabelName, Name, NumberField, Positive
from kohort.model.repo import ExceptionDecl, Parameter, Workload, WorkloadTemplate
from kohort.spans import Origin


class ParameterField(Strict):
    """One typed parameter of a template."""

    name: str = Field(
        description="Name of the parameter.", examples=["gpusPerPod"], pattern=r"^[A-Za-z][A-Za-z0-9_]{0,62}$"
    )
    type: Literal["integer", "number", "string", "boolean", "quantity", "duration"] = Field(
        description="Type of its values.", examples=["integer"]
    )
    description: str = Field(description="What it decides.", examples=["GPUs of each pod."], min_length=1)
    default: Any = Field(default=None, description="Value when none is given.", examples=[1])
    required: bool = Field(default=False, description="Whether a value must be given.", examples=[True])
    minimum: NumberField | None = Field(default=None, description="Least value.", examples=[1])
    maximum: NumberField | None = Field(default=None, description="Largest value.", examples=[8])
    enum: list[Any] = Field(
        default_factory=list, description="The only values allowed.", examples=[["fp8", "bf16"]]
    )
    pattern: str = Field(
        default="", description="Regular expression that the whole text must match.", examples=["[a-z]+"]
    )


class WorkloadTemplateSpec(Strict):
    """A parameterised AppWrapper or job."""

    description: str = Field(description="What it runs and when to use it.", examples=["A batch job."])
    parameters: list[ParameterField] = Field(
        default_factory=list,
        description="Parameters.",
        examples=[[{"name": "pods", "type": "integer", "description": "Number of pods.", "default": 1}]],
    )
    body: Any = Field(
        description="The object; `{param: name}` stands for the value of a parameter.",
        examples=[{"apiVersion": "batch/v1", "kind": "Job"}],
    )


class WorkloadTemplateDocument(Envelope[WorkloadTemplateSpec]):
    """A parameterised AppWrapper or job (`workloads/templates/`)."""

    kind: Literal["WorkloadTemplate"] = Field(description="What is declared.", examples=["WorkloadTemplate"])

    def declare(self, origin: Origin) -> WorkloadTemplate:
        """The template."""
        return WorkloadTemplate(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            description=self.spec.description,
            parameters=tuple(
                Parameter(
                    name=p.name,
                    type=p.type,
                    description=p.description,
                    default=p.default,
                    required=p.required,
                    minimum=p.minimum,
                    maximum=p.maximum,
                    enum=tuple(p.enum),
                    pattern=p.pattern,
                    path=("spec", "parameters", i),
                )
                for i, p in enumerate(self.spec.parameters)
            ),
            body=self.spec.body,
        )


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


class ExceptionSpec(Strict):
    """A finding that is accepted for a time."""

    codes: list[str] = Field(description="Codes or names of rules.", examples=[["CAP941"]], min_length=1)
    files: list[str] = Field(
        default_factory=list,
        description="Patterns of files; empty means anywhere.",
        examples=[["clusters/vela/*"]],
    )
    subjects: list[str] = Field(
        default_factory=list,
        description="Patterns of objects as `Kind name`; empty means any.",
        examples=[["ClusterQueue blue-*"]],
    )
    owner: str = Field(description="Who answers for it.", examples=["platform-team"], min_length=1)
    reason: str = Field(description="Why it is accepted.", examples=["replaced in May"], min_length=1)
    expires: DateField = Field(description="Last day.", examples=["2026-06-30"])


class ExceptionDocument(Envelope[ExceptionSpec]):
    """An accepted finding: code, where, who answers for it, why and until when (`ci/exceptions/`)."""

    kind: Literal["Exception"] = Field(description="What is declared.", examples=["Exception"])

    def declare(self, origin: Origin) -> ExceptionDecl:
        """The exception."""
        spec = self.spec
        return ExceptionDecl(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            codes=tuple(spec.codes),
            files=tuple(spec.files),
            subjects=tuple(spec.subjects),
            owner=spec.owner,
            reason=spec.reason,
            expires=spec.expires,
        )
