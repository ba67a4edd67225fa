"""A scenario that is ready to be played, with what was found wrong on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kohort.diagnostics import Finding, Severity
from kohort.model.scenario import Scenario
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.semantics.settings import Settings
from kohort.simulator.arrivals.jobs import Source
from kohort.simulator.job import Job

Objects: TypeAlias = Mapping[tuple[str, str, str], KubeObject]
"""Objects by kind, namespace and name."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """An object that an edit takes away."""

    kind: str
    namespace: str
    name: str


Edit: TypeAlias = Callable[[Objects], list[KubeObject | Deleted]]
"""From the objects as they are then to those that the edit changes."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Everything that a run needs.

    Attributes:
        scenario: what is played.
        cluster: its objects and nodes.
        settings: how Kueue's manager is configured.
        teams: ClusterQueue → the team that it counts for.
        sources: laws of arrivals.
        load: jobs of traces, in order of arrival.
        edits: (when, edit), in order.
        evicting: health labels whose values move running work away.
        packing: whether pods fill nodes; else they spread.
        findings: what is wrong; with an error among them nothing is played.
        notes: what a reader of the result must know.
    """

    scenario: Scenario
    cluster: Cluster
    settings: Settings
    teams: Mapping[str, str]
    sources: tuple[Source, ...] = ()
    load: tuple[Job, ...] = ()
    edits: tuple[tuple[int, Edit], ...] = ()
    evicting: Mapping[str, frozenset[str]] = field(default_factory=dict)
    packing: bool = True
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def playable(self) -> bool:
        """Whether no error stands in the way."""
        return not any(found.severity is Severity.ERROR for found in self.findings)
