"""Kind Maintenance: nodes or a rack that are out of service."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import DateField, Name, Sentence
from kohort.model.repo import Maintenance
from kohort.spans import Origin


class MaintenanceSpec(Strict):
    """Nodes or a rack that are out of service."""

    cluster: Name = Field(description="The cluster.", examples=["vela"])
    node: Name | None = Field(default=None, description="One node.", examples=["a100-3"])
    nodes: list[Name] = Field(
        default_factory=list, description="Several nodes.", examples=[["a100-3", "a100-4"]]
    )
    rack: str = Field(
        default="", description="A whole rack, by the value of the rack label.", examples=["rack-2"]
    )
    reason: Sentence = Field(description="What is done.", examples=["firmware"])
    state: Literal["planned", "active", "done"] = Field(
        description="Only `active` lowers healthy capacity.", examples=["planned"]
    )
    starts: DateField = Field(default="", description="First day.", examples=["2026-04-06"])
    until: DateField = Field(default="", description="Last day.", examples=["2026-04-08"])

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        given = [field for field in ("node", "nodes", "rack") if field in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of `node`, `nodes` or `rack`")
        if len(given) > 1:
            raise problem("SRC105", f"a maintenance has `{given[0]}` or `{given[1]}`, not both", given[1])
        if self.starts and self.until and self.until < self.starts:
            raise problem("SRC105", f"is before it starts ({self.starts})", "until")
        return self


class MaintenanceDocument(Envelope[MaintenanceSpec]):
    """One maintenance of a node or rack (`clusters/<name>/maintenance/`)."""

    kind: Literal["Maintenance"] = Field(description="What is declared.", examples=["Maintenance"])

    def declare(self, origin: Origin) -> Maintenance:
        """The maintenance."""
        spec = self.spec
        return Maintenance(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            cluster=spec.cluster,
            nodes=(spec.node,) if spec.node is not None else tuple(spec.nodes),
            single=spec.node is not None,
            rack=spec.rack,
            reason=spec.reason,
            state=spec.state,
            starts=spec.starts,
            until=spec.until,
        )
