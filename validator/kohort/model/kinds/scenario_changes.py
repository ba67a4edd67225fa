"""What happens in a scenario besides work: to nodes, to quota and to any other object."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from kohort.model.kinds.base import Strict, problem
from kohort.model.kinds.fields import Count, Name, Quantities, Words, read_quantity
from kohort.model.kinds.moments import MomentField, PositiveLength
from kohort.model.scenario import Change, MoveLimit, NodeChange, ObjectChange, QuotaChange
from kohort.spans import Path

_WHOSE = ("team", "clusterQueue", "cohort", "apply", "remove")


def _read_move(value: Any) -> MoveLimit:
    return "any" if value == "any" else read_quantity(value)


MoveField: TypeAlias = Annotated[
    MoveLimit,
    PlainValidator(_read_move),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number", "minimum": 0}]}),
    Words("quantity or any", "quantities or any"),
]


class NodeChangeField(Strict):
    """Something that happens to a node, or to several."""

    at: MomentField = Field(description="When.", examples=["30m"])
    node: Name | None = Field(default=None, description="The node.", examples=["h100-0"])
    nodes: list[Name] = Field(
        default_factory=list, description="Several nodes.", examples=[["h100-0", "h100-1"]]
    )
    cordon: bool | None = Field(
        default=None, description="Whether it is cordoned: no new pods, running ones stay.", examples=[True]
    )
    ready: bool | None = Field(
        default=None,
        description="Whether it is Ready; the pods of a lost node are gone after 5 minutes.",
        examples=[False],
    )
    labels: dict[str, str | None] = Field(
        default_factory=dict,
        description="Labels that are set, or taken away with `null`; health labels do what the cluster's vocabulary says.",
        examples=[{"autopilot.ibm.com/gpuhealth": "EVICT"}],
    )
    lost: dict[str, Count] = Field(
        default_factory=dict,
        description="Devices that are lost from now on, by resource; 0 when all are back.",
        examples=[{"nvidia.com/gpu": 1}],
    )
    back: bool = Field(
        default=False, description="The node is as it was at the start again.", examples=[True]
    )
    lasts: PositiveLength | None = Field(
        default=None, alias="for", description="After this time it is back.", examples=["2h"]
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        named = [key for key in ("node", "nodes") if key in self.model_fields_set]
        if len(named) != 1:
            if not named:
                raise problem("SRC103", "one of `node` or `nodes`")
            raise problem("SRC105", "stands beside `node`", "nodes")
        what = {"cordon", "ready", "labels", "lost", "back"} & self.model_fields_set
        if not what:
            raise problem("SRC103", "one of `cordon`, `ready`, `labels`, `lost` or `back`")
        if self.back and (len(what) > 1 or self.lasts is not None):
            raise problem("SRC105", "stands alone: it undoes everything", "back")
        return self

    def declare(self, path: Path, at: int) -> NodeChange:
        """As the core sees it."""
        return NodeChange(
            at=at,
            nodes=(self.node,) if self.node is not None else tuple(self.nodes),
            single=self.node is not None,
            cordon=self.cordon,
            ready=self.ready,
            labels=dict(self.labels),
            lost=dict(self.lost),
            back=self.back,
            lasts=self.lasts,
            path=path,
        )


class RemoveField(Strict):
    """An object that is deleted."""

    kind: str = Field(description="Its kind.", examples=["Cohort"], min_length=1)
    name: Name = Field(description="Its name.", examples=["nlp"])
    namespace: Name | None = Field(default=None, description="Its namespace.", examples=["blue"])


def _identified(obj: dict[str, Any]) -> None:
    """An object says what it is: without that a server would not take it."""
    metadata = obj.get("metadata")
    for place, value in (
        (("apiVersion",), obj.get("apiVersion")),
        (("kind",), obj.get("kind")),
        (("metadata", "name"), metadata.get("name") if isinstance(metadata, dict) else None),
    ):
        if not isinstance(value, str) or not value:
            raise problem("SRC103", f"`{'.'.join(place)}`", "apply")


class ChangeField(Strict):
    """An edit under load: of a team's quota, of a ClusterQueue's or Cohort's, or of any object."""

    at: MomentField = Field(description="When.", examples=["1h"])
    team: Name | None = Field(
        default=None, description="Team whose declared quota changes; it is compiled anew.", examples=["blue"]
    )
    queue: Name | None = Field(
        default=None, description="Queue of the team (default: its first).", examples=["main"]
    )
    cluster_queue: Name | None = Field(
        default=None, description="ClusterQueue that is edited.", examples=["blue"]
    )
    cohort: Name | None = Field(
        default=None, description="Cohort object that is edited.", examples=["default-cohort"]
    )
    flavor: Name | None = Field(default=None, description="Flavor of the edited quota.", examples=["h100"])
    gpus: Count | None = Field(default=None, description="New number of the team's line.", examples=[16])
    nominal: Quantities = Field(
        default_factory=dict, description="New nominalQuota by resource.", examples=[{"nvidia.com/gpu": 16}]
    )
    borrow: dict[str, MoveField] = Field(
        default_factory=dict,
        description="New borrowingLimit by resource; `any` takes it away.",
        examples=[{"nvidia.com/gpu": 8}],
    )
    lend: dict[str, MoveField] = Field(
        default_factory=dict,
        description="New lendingLimit by resource; `any` takes it away.",
        examples=[{"nvidia.com/gpu": 0}],
    )
    stop: Literal["None", "Hold", "HoldAndDrain"] | None = Field(
        default=None, description="New stop policy.", examples=["HoldAndDrain"]
    )
    apply: dict[str, Any] | None = Field(
        default=None, description="Any object of Kueue that is applied.", examples=[{"kind": "Cohort"}]
    )
    remove: RemoveField | None = Field(
        default=None,
        description="An object that is deleted.",
        examples=[{"kind": "Cohort", "name": "nlp"}],
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        fields = {"clusterQueue": "cluster_queue"}
        given = [key for key in _WHOSE if getattr(self, fields.get(key, key)) is not None]
        if not given:
            raise problem("SRC103", "one of " + ", ".join(f"`{key}`" for key in _WHOSE))
        if len(given) > 1:
            raise problem("SRC105", f"stands beside `{given[0]}`: one thing changes at a time", given[1])
        edits = [key for key in ("gpus", "nominal", "borrow", "lend", "stop") if key in self.model_fields_set]
        if given[0] in ("apply", "remove"):
            if edits:
                raise problem("SRC105", f"stands beside `{given[0]}`", edits[0])
            if self.apply is not None:
                _identified(self.apply)
            return self
        if not edits:
            raise problem("SRC103", "one of `gpus`, `nominal`, `borrow`, `lend` or `stop`")
        if given[0] == "team" and edits != ["gpus"]:
            odd = next((key for key in edits if key != "gpus"), "")
            raise problem(
                "SRC105", "is no edit of a team's line: state `gpus`, or name its ClusterQueue", odd
            )
        if given[0] != "team" and self.gpus is not None:
            raise problem("SRC105", "is a team's number: state `nominal` by resource", "gpus")
        if set(edits) - {"stop"} and self.flavor is None:
            raise problem("SRC103", "`flavor`")
        return self

    def declare(self, path: Path, at: int) -> Change:
        """As the core sees it."""
        if self.apply is not None:
            return ObjectChange(at=at, apply=dict(self.apply), path=path)
        if self.remove is not None:
            gone = self.remove
            return ObjectChange(
                at=at, kind=gone.kind, name=gone.name, namespace=gone.namespace or "", path=path
            )
        return QuotaChange(
            at=at,
            team=self.team or "",
            queue=self.queue or "",
            cluster_queue=self.cluster_queue or "",
            cohort=self.cohort or "",
            flavor=self.flavor or "",
            gpus=self.gpus,
            nominal=dict(self.nominal),
            borrow=dict(self.borrow),
            lend=dict(self.lend),
            stop=self.stop or "",
            path=path,
        )
