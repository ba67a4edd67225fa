"""The result of compiling: objects per cluster and file, and what could not be compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.model.derive import DerivedLine
from kohort.model.repo import ClusterDecl, Repo, Team
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.node import Node


@dataclass(frozen=True, slots=True)
class ExpectedNodes:
    """The nodes that a cluster's pools lead one to expect, as objects and as capacity reads them."""

    decl: ClusterDecl
    nodes: tuple[KubeObject, ...]
    typed: list[Node]


@dataclass(frozen=True, slots=True)
class MadeTeam:
    """The objects that a team came to, and what they were made of beside what all teams share.

    `lines` are its queues' derived quota, by name of the queue.
    """

    team: Team
    namespaces: tuple[str, ...]
    objects: tuple[KubeObject, ...]
    lines: Mapping[str, list[DerivedLine]]


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What a compilation was made of, for another one of the same cluster beside it.

    `expected` is there where no inventory says which nodes there really are, `teams` has those without a finding.
    """

    repo: Repo
    expected: ExpectedNodes | None
    teams: Mapping[str, MadeTeam]


@dataclass(frozen=True, slots=True)
class BuiltCluster:
    """One cluster as it would stand: `cluster` holds all objects and nodes for the rules, `files` what is written.

    Paths of `files` count from the repository: `clusters/<name>/manifests/…` and `clusters/<name>/argocd/…`.
    """

    cluster: Cluster
    files: Mapping[str, tuple[KubeObject, ...]]
    made_of: MadeOf | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bundle:
    """All clusters by name, in order of name, and the findings of compiling (codes `CMP1xx`)."""

    clusters: Mapping[str, BuiltCluster] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
