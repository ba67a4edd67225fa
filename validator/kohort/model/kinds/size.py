"""Kind Size: a name for a number of GPUs, devices or nodes."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Count
from kohort.model.repo import Size
from kohort.spans import Origin

_UNITS: tuple[Literal["gpus", "devices", "nodes"], ...] = ("gpus", "devices", "nodes")


class SizeSpec(Strict):
    """A size that a line of quota may name instead of a number: GPUs, devices or nodes."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [unit]} for unit in _UNITS]})

    gpus: Count | None = Field(default=None, description="Whole GPUs.", examples=[8])
    devices: dict[str, Count] = Field(
        default_factory=dict,
        description="Devices by resource name.",
        examples=[{"nvidia.com/mig-1g.10gb": 8}],
    )
    nodes: Count | None = Field(default=None, description="Whole nodes.", examples=[2])

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        given = [unit for unit in _UNITS if unit in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of `gpus`, `devices` or `nodes`")
        if len(given) > 1:
            names = " and ".join(f"`{unit}`" for unit in given)
            raise problem("SRC105", f"a size states one number, not {names}", given[1])
        if not self.devices and getattr(self, given[0]) in (None, {}):
            raise problem("SRC105", "is empty", given[0])
        return self


class SizeDocument(Envelope[SizeSpec]):
    """A T-shirt size that teams may ask for."""

    kind: Literal["Size"] = Field(description="What is declared.", examples=["Size"])

    def declare(self, origin: Origin) -> Size:
        """The size."""
        unit = next(unit for unit in _UNITS if unit in self.spec.model_fields_set)
        count = self.spec.gpus if unit == "gpus" else self.spec.nodes if unit == "nodes" else 0
        return Size(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            unit=unit,
            count=count or 0,
            devices=dict(self.spec.devices),
        )
