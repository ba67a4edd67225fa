"""Kind WorkloadTemplate: a parameterised AppWrapper or job."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from kohort.model.kinds.base import Envelope, Strict
from kohort.model.kinds.fields import NumberField
from kohort.model.repo import Parameter, WorkloadTemplate
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
    minimum: NumberField | None = Field(
        default=None,
        description="Least value; of durations in seconds, of quantities in whole units.",
        examples=[1],
    )
    maximum: NumberField | None = Field(
        default=None,
        description="Largest value; of durations in seconds, of quantities in whole units.",
        examples=[8],
    )
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
        description="The object. `{param: name}` stands for the value of a parameter or fact, `${name}` for it in a "
        "text or key; `{when: name, then: …, else: …}` chooses, `{sum: […]}` and `{product: […]}` calculate. What has "
        "no value is left out.",
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
