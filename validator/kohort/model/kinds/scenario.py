"""Kind Scenario: a load, and what happens to a cluster while it runs; `kohort simulate` plays it."""

from __future__ import annotations

import datetime as dt
from typing import Literal, Self

from pydantic import Field, model_validator

from kohort.model.kinds.base import Envelope, Strict, problem
from kohort.model.kinds.fields import Count, DateField, Name
from kohort.model.kinds.moments import LengthField, Moment, PositiveLength
from kohort.model.kinds.scenario_changes import ChangeField, NodeChangeField
from kohort.model.kinds.scenario_jobs import JobsField, TraceField
from kohort.model.scenario import Scenario, System
from kohort.spans import Origin

_MOST_JOBS = 2_000_000  # of all sources: each is held in memory to the end; more is a slip of the pen


class SystemField(Strict):
    """How slow the real system is; left out, everything is immediate."""

    cycle: LengthField = Field(
        default=0,
        description="Time of one scheduling cycle, in which each queue admits one workload.",
        examples=["50ms"],
    )
    write: LengthField = Field(
        default=0,
        description="Time that writing one admission or eviction takes: a second over the API server's rate.",
        examples=["23ms"],
    )


class SlackField(Strict):
    """How slack answers lost hardware."""

    follows_after: LengthField = Field(
        description="Time until the lending limit of slack follows what is lost: a commit and its sync, or an operator.",
        examples=["10m"],
    )


class ScenarioSpec(Strict):
    """A load, and what happens to a cluster while it runs."""

    cluster: Name | None = Field(
        default=None, description="Cluster of the organisation.", examples=["pokprod"]
    )
    manifests: list[str] = Field(
        default_factory=list,
        description="Instead of a cluster: files and folders of Kubernetes YAML, relative to this file.",
        examples=[["../kueue"]],
    )
    kueue: str = Field(
        default="",
        description="With `manifests`: version of Kueue (default: the newest).",
        examples=["0.19.1"],
        pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$|^$",
    )
    seed: Count = Field(default=1, description="Seed of all random numbers.", examples=[1])
    start: DateField = Field(
        default="",
        description="Day that the run starts on; moments may then be dates.",
        examples=["2026-01-05"],
    )
    horizon: PositiveLength = Field(description="How long is simulated.", examples=["90d"])
    jobs: list[JobsField] = Field(
        default_factory=list,
        description="Who submits what.",
        examples=[[{"name": "short", "team": "blue", "at": "0s", "count": 7, "duration": "30s", "gpus": 8}]],
    )
    traces: list[TraceField] = Field(
        default_factory=list,
        description="Recorded loads.",
        examples=[[{"format": "slurm", "file": "sacct.txt", "queues": {"*": "blue"}}]],
    )
    nodes: list[NodeChangeField] = Field(
        default_factory=list,
        description="What happens to nodes.",
        examples=[[{"at": "30m", "node": "h100-0", "ready": False, "for": "2h"}]],
    )
    changes: list[ChangeField] = Field(
        default_factory=list,
        description="Edits of quota and other objects under load.",
        examples=[[{"at": "1h", "team": "blue", "flavor": "h100", "gpus": 16}]],
    )
    system: SystemField = Field(
        default_factory=SystemField, description="How slow the real system is.", examples=[{"cycle": "50ms"}]
    )
    slack: SlackField | None = Field(
        default=None,
        description="How slack answers lost hardware; left out, its lending limit stays.",
        examples=[{"followsAfter": "10m"}],
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.cluster is not None and self.manifests:
            raise problem("SRC105", "stands beside `cluster`: a scenario has one of the two", "manifests")
        if self.cluster is None and not self.manifests:
            raise problem("SRC103", "one of `cluster` or `manifests`")
        if self.kueue and not self.manifests:
            raise problem("SRC105", "stands beside `cluster`, which declares its version", "kueue")
        return self

    @model_validator(mode="after")
    def _in_time(self) -> Self:
        for i, node in enumerate(self.nodes):
            self.moment_of(node.at, ("nodes", i, "at"))
        for i, change in enumerate(self.changes):
            self.moment_of(change.at, ("changes", i, "at"))
        for i, jobs in enumerate(self.jobs):
            several = isinstance(jobs.at, tuple)
            for number, (key, moment) in enumerate(jobs.moments()):
                place = (key, number) if key == "at" and several else (key,)
                self.moment_of(moment, ("jobs", i, *place), late=key != "until")
        return self

    @model_validator(mode="after")
    def _each_its_name(self) -> Self:
        """Jobs are called after their source, and its random numbers come from its name."""
        first: dict[str, int] = {}
        for i, jobs in enumerate(self.jobs):
            if first.setdefault(jobs.name, i) != i:
                raise problem(
                    "SRC105",
                    f"is the name of jobs[{first[jobs.name]}] already: their jobs would be one and the same",
                    *("jobs", i, "name"),
                )
        return self

    @model_validator(mode="after")
    def _not_too_many(self) -> Self:
        """Jobs that are certain or expected until the horizon; a law's chance hardly moves so large a number."""
        total = 0
        for i, jobs in enumerate(self.jobs):
            moments = {key: self.moment_of(moment, (), late=False) for key, moment in jobs.moments()}
            total += jobs.expected(
                moments.get("from", 0), min(self.horizon, moments.get("until", self.horizon))
            )
            if total > _MOST_JOBS:
                key = "count" if jobs.every is None else "every"
                raise problem(
                    "SRC105",
                    f"makes {total:,} jobs until the horizon, at most {_MOST_JOBS:,} are played: "
                    "let fewer come, or choose a nearer horizon",
                    *("jobs", i, key),
                )
        return self

    def moment_of(self, moment: Moment, at: tuple[str | int, ...], *, late: bool = True) -> int:
        """Milliseconds from the start."""
        found = moment.after
        if moment.day is not None:
            if not self.start:
                raise problem("SRC105", "is a date, but the scenario has no `start`", *at)
            since = moment.day - dt.datetime.fromisoformat(self.start)
            found = since // dt.timedelta(milliseconds=1)
            if found < 0:
                raise problem("SRC105", f"is in the past: the run starts on {self.start}", *at)
        if late and found > self.horizon:
            raise problem("SRC105", "is after the horizon, so it never happens", *at)
        return found


class ScenarioDocument(Envelope[ScenarioSpec]):
    """A load, and what happens to a cluster while it runs (`workloads/scenarios/`)."""

    kind: Literal["Scenario"] = Field(description="What is declared.", examples=["Scenario"])

    def declare(self, origin: Origin) -> Scenario:
        """The scenario with all moments counted from its start."""
        spec = self.spec
        return Scenario(
            name=self.metadata.name,
            origin=origin,
            title=self.metadata.title,
            cluster=spec.cluster or "",
            manifests=tuple(spec.manifests),
            kueue=spec.kueue,
            seed=spec.seed,
            start=spec.start,
            horizon=spec.horizon,
            jobs=tuple(
                jobs.declare(
                    ("spec", "jobs", i),
                    [(key, spec.moment_of(moment, (), late=False)) for key, moment in jobs.moments()],
                )
                for i, jobs in enumerate(spec.jobs)
            ),
            traces=tuple(trace.declare(("spec", "traces", i)) for i, trace in enumerate(spec.traces)),
            nodes=tuple(
                each.declare(("spec", "nodes", i), spec.moment_of(each.at, ()))
                for i, each in enumerate(spec.nodes)
            ),
            changes=tuple(
                each.declare(("spec", "changes", i), spec.moment_of(each.at, ()))
                for i, each in enumerate(spec.changes)
            ),
            system=System(cycle=spec.system.cycle, write=spec.system.write),
            slack_after=spec.slack.follows_after if spec.slack is not None else None,
        )
