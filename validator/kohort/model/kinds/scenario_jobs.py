"""Who submits what in a scenario: sources of jobs, and recorded traces."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    Field,
    GetJsonSchemaHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from kohort.model.kinds.base import Strict, problem
from kohort.model.kinds.draws import CountDraw, LengthDraw, NumberDraw
from kohort.model.kinds.fields import (
    Count,
    LabelName,
    Name,
    NumberField,
    Positive,
    Quantities,
    QuantityField,
    StringMap,
)
from kohort.model.kinds.moments import LengthField, Moment, MomentField, MomentsField, PositiveLength
from kohort.model.kinds.shorthand import plain_for, plain_or_mapping
from kohort.model.scenario import JobSource, Restarts, Times, Together, Trace
from kohort.spans import Path

_FORMATS = ("kueue", "slurm", "philly", "helios", "alibaba", "kueue-perf")


class EveryField(Strict):
    """A law of arrivals: exactly one."""

    constant: PositiveLength | None = Field(
        default=None, description="Time between two jobs, always the same.", examples=["5m"]
    )
    poisson: PositiveLength | None = Field(
        default=None, description="Mean time between two jobs that come independently.", examples=["5m"]
    )

    @model_validator(mode="after")
    def _one_law(self) -> Self:
        if len(self.model_fields_set) > 1:
            raise problem("SRC105", "stands beside `constant`: jobs arrive by one law", "poisson")
        if self.constant is None and self.poisson is None:
            raise problem("SRC103", "one of `constant` or `poisson`")
        return self

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """A plain length stands for `constant`."""
        return plain_or_mapping("constant", schema, handler)


def _plain(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    return plain_for("constant", value, read)


Law: TypeAlias = Annotated[EveryField, WrapValidator(_plain)]


class RestartsField(Strict):
    """How a job that lost pods is started again: AppWrapper's fault tolerance."""

    limit: Count = Field(default=3, description="Resets before the job has failed.", examples=[3])
    warmup: LengthField = Field(
        default=300_000, description="Time until all pods must run, else the job is reset.", examples=["5m"]
    )
    failure_grace: LengthField = Field(
        default=60_000, description="Time between a failed pod and the reset.", examples=["1m"]
    )
    pause: LengthField = Field(
        default=90_000, description="Time between the failure and the new pods, quota kept.", examples=["90s"]
    )
    forceful_deletion: LengthField = Field(
        default=600_000,
        description="Time after which pods of a lost node are deleted by force.",
        examples=["10m"],
    )

    def declare(self) -> Restarts:
        """As the core sees it."""
        return Restarts(
            limit=self.limit,
            warmup=self.warmup,
            failure_grace=self.failure_grace,
            pause=self.pause,
            forceful_deletion=self.forceful_deletion,
        )


class SliceField(Strict):
    """Pods in groups, each of which stays together at a level of its own."""

    level: str = Field(description="Node label that holds one group.", examples=["kubernetes.io/hostname"])
    size: Positive = Field(description="Pods of one group.", examples=[2])


class TopologyField(Strict):
    """How near to each other the pods have to be: levels of the Topology that the flavor names."""

    required: str | None = Field(
        default=None, description="Node label of which one value holds all pods.", examples=["rack"]
    )
    preferred: str | None = Field(
        default=None, description="Node label of which one value should hold all pods.", examples=["rack"]
    )
    unconstrained: Literal[True] | None = Field(
        default=None, description="Anywhere, as long as every pod finds a node.", examples=[True]
    )
    slices: SliceField | None = Field(
        default=None,
        description="Groups of pods that stay together.",
        examples=[{"level": "kubernetes.io/hostname", "size": 2}],
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ways = [k for k in ("required", "preferred", "unconstrained") if k in self.model_fields_set]
        if len(ways) > 1:
            raise problem("SRC105", f"stands beside `{ways[0]}`: pods are kept together in one way", ways[1])
        if not ways and self.slices is None:
            raise problem("SRC103", "one of `required`, `preferred`, `unconstrained` or `slices`")
        return self

    def declare(self) -> Together:
        """As the core sees it."""
        return Together(
            required=self.required or "",
            preferred=self.preferred or "",
            unconstrained=self.unconstrained is True,
            slice_level=self.slices.level if self.slices is not None else "",
            slice_size=self.slices.size if self.slices is not None else 0,
        )


class JobsField(Strict):
    """A source of jobs of one kind. Its random numbers depend on the seed and its name alone."""

    name: LabelName = Field(description="Name of the source; its jobs are numbered.", examples=["training"])
    team: Name | None = Field(default=None, description="Team that submits.", examples=["blue"])
    queue: Name | None = Field(
        default=None,
        description="Queue of the team (default: its first with quota on the cluster); of plain manifests the "
        "LocalQueue.",
        examples=["main"],
    )
    namespace: LabelName | None = Field(
        default=None, description="Namespace (default: the first that may use the queue).", examples=["blue"]
    )
    priority: Name | None = Field(
        default=None, description="Priority of its jobs; without one it is 0.", examples=["high-priority"]
    )
    at: MomentsField | None = Field(
        default=None, description="Moments of arrival.", examples=["0s", ["0s", "10m"]]
    )
    every: Law | None = Field(
        default=None, description="A job again and again.", examples=[{"poisson": "5m"}, "30s"]
    )
    since: MomentField | None = Field(
        default=None, alias="from", description="With `every`: when it begins (default 0s).", examples=["1h"]
    )
    until: MomentField | None = Field(
        default=None, description="With `every`: when it ends (default: the horizon).", examples=["24h"]
    )
    count: Positive | None = Field(
        default=None,
        description="With `at`: jobs at each moment (default 1). With `every`: jobs in all (default: as many as come).",
        examples=[7],
    )
    duration: LengthDraw = Field(
        description="How long a job runs undisturbed: a length or a distribution.",
        examples=["30s", {"lognormal": {"median": "1h", "sigma": 1.2}}],
    )
    pods: CountDraw | None = Field(
        default=None, description="Pods of a job, all at once (default 1).", examples=[2]
    )
    gpus: NumberDraw | None = Field(
        default=None,
        description="GPUs of each pod.",
        examples=[4, {"choice": [{"value": 1, "weight": 3}, {"value": 8}]}],
    )
    accelerator: str = Field(
        default="",
        description="Resource that `gpus` counts (default: the first device that the queue has quota of).",
        examples=["nvidia.com/gpu"],
    )
    cpu: QuantityField | None = Field(default=None, description="Cores of each pod.", examples=[8])
    memory: QuantityField | None = Field(default=None, description="Memory of each pod.", examples=["64Gi"])
    resources: Quantities = Field(
        default_factory=dict,
        description="Further requests of each pod.",
        examples=[{"nvidia.com/mig-1g.10gb": 2}],
    )
    topology: TopologyField | None = Field(
        default=None,
        description="How near to each other its pods have to be, for flavors with a Topology.",
        examples=[{"required": "rack"}],
    )
    template: Name | None = Field(
        default=None,
        description="Workload template that says what a job is, instead of `pods`, `gpus` and the like.",
        examples=["batch-job"],
    )
    values: dict[str, Any] = Field(
        default_factory=dict, description="Values of the template's parameters.", examples=[{"pods": 2}]
    )
    checkpoint: PositiveLength | None = Field(
        default=None,
        description="Time between checkpoints; without one a job that is interrupted begins anew.",
        examples=["30m"],
    )
    startup: LengthField = Field(
        default=0, description="Time after each start in which nothing useful is done.", examples=["2m"]
    )
    fails: bool = Field(
        default=False, description="Whether every attempt ends with a failure.", examples=[True]
    )
    restarts: RestartsField | None = Field(
        default=None,
        description="Fault tolerance (default: AppWrapper's where the cluster has it or the template says so).",
        examples=[{"limit": 3}],
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.at is None) == (self.every is None):
            if self.at is None:
                raise problem("SRC103", "one of `at` or `every`")
            raise problem("SRC105", "stands beside `at`: jobs arrive by one of the two", "every")
        for key, given in (("from", self.since), ("until", self.until)):
            if given is not None and self.at is not None:
                raise problem("SRC105", "stands beside `at`, which says all moments", key)
        sized = [
            key
            for key in ("pods", "gpus", "cpu", "memory", "resources", "topology")
            if key in self.model_fields_set
        ]
        if self.template is not None and sized:
            raise problem("SRC105", "stands beside `template`, which says what a job asks for", sized[0])
        if self.template is None and not sized:
            raise problem("SRC103", "one of `template`, `gpus`, `cpu`, `memory` or `resources`")
        if self.values and self.template is None:
            raise problem("SRC105", "stands without `template`", "values")
        return self

    def moments(self) -> list[tuple[str, Moment]]:
        """Every moment with the field that states it."""
        at = self.at if isinstance(self.at, tuple) else () if self.at is None else (self.at,)
        named = [("at", moment) for moment in at]
        return [*named, *((k, m) for k, m in (("from", self.since), ("until", self.until)) if m is not None)]

    def expected(self, since: int, until: int) -> int:
        """How many jobs come between two moments (milliseconds); of `poisson` the mean."""
        if self.every is None:
            return len(self.moments()) * (self.count or 1)
        mean = self.every.poisson or self.every.constant or 1
        found = max(0, until - since) // mean + 1
        return found if self.count is None else min(found, self.count)

    def declare(self, path: Path, resolved: list[tuple[str, int]]) -> JobSource:
        """As the core sees it; `resolved` are the milliseconds of `moments`."""
        requests = {
            name: amount
            for name, amount in (("cpu", self.cpu), ("memory", self.memory), *self.resources.items())
            if amount is not None
        }
        return JobSource(
            name=self.name,
            times=self._times(resolved),
            duration=self.duration.declare(),
            team=self.team or "",
            queue=self.queue or "",
            namespace=self.namespace or "",
            priority=self.priority or "",
            template=self.template or "",
            values=dict(self.values),
            pods=self.pods.declare() if self.pods is not None else None,
            gpus=self.gpus.declare() if self.gpus is not None else None,
            accelerator=self.accelerator,
            requests=requests,
            topology=self.topology.declare() if self.topology is not None else None,
            checkpoint=self.checkpoint,
            startup=self.startup,
            fails=self.fails,
            restarts=self.restarts.declare() if self.restarts is not None else None,
            path=path,
        )

    def _times(self, resolved: list[tuple[str, int]]) -> Times:
        if self.every is None:
            return Times(law="at", at=tuple(at for _, at in resolved), count=self.count)
        named = dict(resolved)
        return Times(
            law="constant" if self.every.poisson is None else "poisson",
            every=self.every.poisson or self.every.constant or 0,
            start=named.get("from", 0),
            until=named.get("until"),
            count=self.count,
        )


class TraceField(Strict):
    """A recorded load to play."""

    format: str = Field(
        description=f"How it is written: {', '.join(_FORMATS)}.", examples=["slurm"], min_length=1
    )
    file: str = Field(description="File, relative to this one.", examples=["sacct.txt"], min_length=1)
    queues: StringMap = Field(
        default_factory=dict,
        description="Whose queue stands for a queue, partition or user of the trace: a team, team/queue or a LocalQueue "
        "as namespace/name; `*` for all others.",
        examples=[{"gpu": "blue", "*": "red"}],
    )
    speed: NumberField = Field(
        default=1, description="Speed of the trace's clock; 2 halves all pauses between jobs.", examples=[2]
    )
    most: Positive | None = Field(default=None, description="Take no more jobs than this.", examples=[1000])

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.format not in _FORMATS:
            raise problem("SRC104", "|".join(_FORMATS), "format")
        if not 0 < self.speed <= 1_000_000:
            raise problem("SRC105", "is not above 0", "speed")
        return self

    def declare(self, path: Path) -> Trace:
        """As the core sees it."""
        return Trace(
            format=self.format,
            file=self.file,
            queues=dict(self.queues),
            speed=float(self.speed),
            most=self.most,
            path=path,
        )
