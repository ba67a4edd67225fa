"""One cluster while it is compiled: what is declared for it, what it already has, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from kohort.compiler.alike import AlikeLines
from kohort.compiler.bundle import ExpectedNodes, MadeOf, MadeTeam
from kohort.compiler.findings import problem
from kohort.compiler.reaching import same_but_teams
from kohort.diagnostics import Finding, Label
from kohort.diagnostics.codes import CodeDoc
from kohort.model.derive import DerivedLine, covered_on
from kohort.model.planned import planned_nodes
from kohort.model.repo import ClusterDecl, QuotaLine, Repo, Team, TeamQueue
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.node import Node
from kohort.rules.compile_codes import COLLISION, NAMESPACE_TAKEN
from kohort.spans import Origin, show_path


@dataclass(eq=False)
class Scope:
    """What the parts of the compiler share. `add` is the only way into the output."""

    repo: Repo
    decl: ClusterDecl
    beside: MadeOf | None = None  # another compilation of the same cluster
    files: dict[str, list[KubeObject]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    # Derived lines by (kind, name, queue) of their owner, filled by `lines`.
    quota: dict[tuple[str, str, str], list[DerivedLine]] = field(default_factory=dict)
    made: dict[str, MadeTeam] = field(default_factory=dict)  # teams without a finding, filled by `team`
    _seen: dict[tuple[str, str, str, str], KubeObject] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The cluster's name."""
        return self.decl.name

    @cached_property
    def kueue(self) -> tuple[int, int]:
        """Kueue's minor version, (0, 19) where none is declared or readable."""
        return self._minor("kueue") or (0, 19)

    @cached_property
    def argocd(self) -> tuple[int, int]:
        """Argo CD's minor version, (3, 6) where none is declared or readable."""
        return self._minor("argocd") or (3, 6)

    def _minor(self, component: str) -> tuple[int, int] | None:
        parts = self.decl.versions.get(component, "").removeprefix("v").split(".")
        if len(parts) > 1 and parts[0].isdigit() and parts[1].isdigit():
            return int(parts[0]), int(parts[1])
        return None

    @cached_property
    def alike(self) -> AlikeLines:
        """Derives lines of quota for this cluster."""
        return AlikeLines(self.repo, self.decl)

    @cached_property
    def covered(self) -> frozenset[str]:
        """Resources that quota of this cluster's flavors covers."""
        return covered_on(self.repo, self.decl)

    @cached_property
    def nodes(self) -> tuple[KubeObject, ...]:
        """Observed nodes; without an inventory those that the pools lead one to expect."""
        inventory = self.repo.inventories.get(self.name)
        if inventory:
            return inventory.nodes
        return self._known.nodes if self._known is not None else planned_nodes(self.decl)

    @cached_property
    def typed_nodes(self) -> list[Node]:
        """The nodes as capacity reads them; of two with one name the first counts."""
        return self._known.typed if self._known is not None else Cluster(list(self.nodes)).nodes

    @property
    def _known(self) -> ExpectedNodes | None:
        """The nodes of another compilation, where the same declaration leads one to expect them."""
        known = self.beside.expected if self.beside is not None else None
        same = known is not None and known.decl is self.decl and self.name not in self.repo.inventories
        return known if same else None

    def made_beside(self, team: Team, namespaces: tuple[str, ...]) -> MadeTeam | None:
        """What the other compilation made of a team, where everything that it is made of is the same."""
        known = self.beside.teams.get(team.name) if self.beside is not None and self._shared else None
        return known if known and known.team is team and known.namespaces == namespaces else None

    @cached_property
    def _shared(self) -> bool:
        return self.beside is not None and same_but_teams(self.beside.repo, self.repo)

    @cached_property
    def teams(self) -> tuple[Team, ...]:
        """Teams that have quota or work on this cluster, by name."""
        working = {w.team for w in self.repo.workloads if w.cluster == self.name}
        found = (self.repo.teams[name] for name in sorted(self.repo.teams))
        return tuple(t for t in found if t.name in working or any(q.quota.get(self.name) for q in t.queues))

    @cached_property
    def namespaces(self) -> dict[str, tuple[Team, int]]:
        """Namespace → (its team, index in the team's list); of two claims the first team by name keeps it."""
        owners: dict[str, tuple[Team, int]] = {}
        for team in self.teams:
            for index, namespace in enumerate(team.namespaces):
                owner, at = owners.setdefault(namespace, (team, index))
                if owner is team:
                    continue
                self.fail(
                    NAMESPACE_TAKEN,
                    f"team {team.name} claims namespace {namespace}, which is team {owner.name}'s",
                    team.at("spec", "namespaces", index),
                    subject=f"Namespace {namespace}",
                    related=(Label(owner.at("spec", "namespaces", at), "claimed here first"),),
                    help_=("give each namespace to one team",),
                )
        return owners

    def namespaces_of(self, team: Team) -> tuple[str, ...]:
        """The namespaces that really are the team's, in declared order without repetition."""
        return tuple(n for n in dict.fromkeys(team.namespaces) if self.namespaces[n][0] is team)

    def namespaces_for(self, team: Team, queue: TeamQueue) -> tuple[str, ...]:
        """The namespaces that may use a queue: those it names, else all of the team's."""
        own = self.namespaces_of(team)
        return tuple(n for n in dict.fromkeys(queue.namespaces) if n in own) if queue.namespaces else own

    @cached_property
    def queues(self) -> tuple[tuple[Team, TeamQueue, tuple[QuotaLine, ...]], ...]:
        """Queues with quota here, by team and in the team's order."""
        return tuple(
            (t, q, q.quota[self.name]) for t in self.teams for q in t.queues if q.quota.get(self.name)
        )

    def fail(
        self,
        code: CodeDoc,
        message: str,
        origin: Origin,
        *,
        subject: str = "",
        related: tuple[Label, ...] = (),
        help_: tuple[str, ...] = (),
    ) -> None:
        """Record a finding about this cluster."""
        self.findings.append(
            problem(code, message, origin, cluster=self.name, subject=subject, related=related, help_=help_)
        )

    def add(self, file: str, objects: Iterable[KubeObject]) -> None:
        """Put objects into a file of this cluster's folder; a second object of one name is a finding instead."""
        target = self.files.setdefault(f"clusters/{self.name}/{file}", [])
        for obj in objects:
            key = (obj.group, obj.kind, obj.namespace, obj.name)
            first = self._seen.setdefault(key, obj) if obj.name else obj
            if first is obj:
                target.append(obj)
            else:
                here, there = obj.at(), first.at()
                self.fail(
                    COLLISION,
                    f"{obj.ref} is already compiled from {there.file} {show_path(there.path)}".rstrip(),
                    here,
                    subject=obj.ref,
                    related=(Label(there, "the first declaration of that name"),),
                    help_=("rename one of the two",),
                )
