"""A job of a run: what it asks Kueue for, and how long it would run undisturbed."""

from __future__ import annotations

from dataclasses import dataclass

from kohort.capacity.words import is_device
from kohort.model.scenario import Restarts
from kohort.semantics.work import PodSetAsk


@dataclass(frozen=True, slots=True)
class Shape:
    """What jobs of one size ask for; shared by all of them.

    `devices` are the accelerators of the whole job, `cores` its milli-cores: what metrics count. `gang`: no pod is
    bound before all of them fit.
    """

    podsets: tuple[PodSetAsk, ...]
    devices: int
    cores: int
    pods: int
    gang: bool = False
    refused: str = ""  # see `Work.refused`

    @classmethod
    def of(cls, podsets: tuple[PodSetAsk, ...], *, gang: bool = False, refused: str = "") -> Shape:
        """Add up the pod sets."""
        devices = sum(
            each.count * amount
            for each in podsets
            for resource, amount in each.on_node.items()
            if is_device(resource)
        )
        cores = sum(each.count * each.on_node.get("cpu", 0) for each in podsets)
        return cls(podsets, devices, cores, sum(each.count for each in podsets), gang, refused)


@dataclass(frozen=True, slots=True)
class Submitter:
    """For whom jobs of a source are submitted: a LocalQueue and a priority."""

    team: str
    namespace: str
    queue: str
    priority: int = 0
    priority_class: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One job. Times are milliseconds; `duration` is the useful work, without `startup`."""

    name: str
    source: str
    submitter: Submitter
    shape: Shape
    submitted: int
    duration: int
    checkpoint: int | None = None
    startup: int = 0
    fails: bool = False
    restarts: Restarts | None = None

    @property
    def key(self) -> str:
        """namespace/name, unique in a run."""
        return f"{self.submitter.namespace}/{self.name}"
