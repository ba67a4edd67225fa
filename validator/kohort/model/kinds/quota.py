"""One line of quota, as teams and cohorts write it."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from kohort.model.kinds.base import Strict, problem
from kohort.model.kinds.fields import Count, DateField, LimitField, Name, Quantities
from kohort.model.repo import QuotaLine
from kohort.spans import Origin, Path

UNITS: tuple[Literal["gpus", "devices", "nodes", "size"], ...] = ("gpus", "devices", "nodes", "size")


class QuotaLineField(Strict):
    """How much of one flavor, as one number: `gpus`, `devices`, `nodes` or a `size`."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [unit]} for unit in UNITS]})

    flavor: Name = Field(description="The flavor of nodes, declared under `queues/`.", examples=["h100"])
    gpus: Count | None = Field(
        default=None,
        description="Whole GPUs. cpu, memory and the rest follow from the shape of the flavor's node pools.",
        examples=[8],
    )
    devices: dict[str, Count] = Field(
        default_factory=dict,
        description="Devices by resource name, for partitioned GPUs and other accelerators.",
        examples=[{"nvidia.com/mig-3g.40gb": 4}],
    )
    nodes: Count | None = Field(
        default=None, description="Whole nodes, with everything on them.", examples=[2]
    )
    size: Name | None = Field(
        default=None, description="A size that admins declared (kind Size).", examples=["m"]
    )
    resources: Quantities = Field(
        default_factory=dict,
        description="Amounts that replace derived ones, for the whole line.",
        examples=[{"cpu": "100", "memory": "1Ti"}],
    )
    borrow: LimitField = Field(
        default="any",
        description="How much the queue may take from its cohort beyond the guarantee: `any`, `none`, or a number "
        "in the unit of this line. Without a cohort it has no meaning.",
        examples=["any", "none", 8],
    )
    lend: LimitField = Field(
        default="any",
        description="How much of the guarantee others may use while it is idle: `any`, `none`, or a number in the "
        "unit of this line. Without a cohort it has no meaning.",
        examples=["any", "none", 4],
    )

    until: DateField = Field(
        default="",
        description="Last day of the grant. Near it and after it `kohort check --at` says so, and offers to remove the line.",
        examples=["2026-12-31"],
    )

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        given = [unit for unit in UNITS if unit in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of `gpus`, `devices`, `nodes` or `size`")
        if len(given) > 1:
            names = " and ".join(f"`{unit}`" for unit in given)
            raise problem("SRC105", f"a line of quota states one number, not {names}", given[1])
        if given == ["devices"] and not self.devices:
            raise problem("SRC105", "is empty: name at least one device", "devices")
        if getattr(self, given[0]) is None:
            raise problem("SRC102", "a value", given[0])
        return self

    def declare(self, document: Origin, path: Path) -> QuotaLine:
        """As the core sees it; `path` leads to the line from the document's root."""
        unit = next(unit for unit in UNITS if unit in self.model_fields_set)
        return QuotaLine(
            flavor=self.flavor,
            unit=unit,
            count=(self.gpus if unit == "gpus" else self.nodes if unit == "nodes" else 0) or 0,
            devices=dict(self.devices),
            size=self.size or "",
            resources=dict(self.resources),
            borrow=self.borrow,
            lend=self.lend,
            until=self.until,
            path=path,
            origin=document.child(*path),
        )
