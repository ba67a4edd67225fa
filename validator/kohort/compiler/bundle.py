"""The result of compiling: objects per cluster and file, and what could not be compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.model.repo import ClusterDecl
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
class BuiltCluster:
    """One cluster as it would stand: `cluster` holds all objects and nodes for the rules, `files` what is written.

    Paths of `files` count from the repository: `clusters/<name>/manifests/…` and `clusters/<name>/argocd/…`. `expected`
    is there where no inventory says which nodes there really are.
    """

    cluster: Cluster
    files: Mapping[str, tuple[KubeObject, ...]]
    expected: ExpectedNodes | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bundle:
    """All clusters by name, in order of name, and the findings of compiling (codes `CMP1xx`)."""

    clusters: Mapping[str, BuiltCluster] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
