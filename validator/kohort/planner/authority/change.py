"""A change as its approval rules see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property

from kohort.capacity.words import is_device
from kohort.dataclass import dataclass
from kohort.model.authority import Authority
from kohort.model.derive import counted_resources
from kohort.model.repo import Organisation, Repo, Subjects
from kohort.objects.cluster import Cluster
from kohort.planner.authority.reach import Standing, standing
from kohort.planner.plan import Effect, Key, Measure, Plan
from kohort.semantics import FlavorResource
from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class Actor:
    """Who proposes the change; empty where nobody said."""

    name: str = ""
    groups: tuple[str, ...] = ()

    def among(self, subjects: Subjects) -> bool:
        """Whether the actor is one of them, by name or by group. Forges do not tell the case of a user's letters apart."""
        name = self.name.casefold()
        named = bool(name) and any(user.casefold() == name for user in subjects.users)
        return named or any(g in subjects.groups for g in self.groups)


@dataclass(frozen=True)
class Change:
    """Base and head, what the plan says of them, the files that differ (repository-relative), and who proposes it.

    People and rules are those of `onto`, the branch as it stands: a change can neither appoint who agrees to it, nor
    choose them by the old commit that it starts from, which is the base.
    """

    base: Repo
    head: Repo
    onto: Repo
    plan: Plan
    files: tuple[str, ...] = ()
    actor: Actor = field(default_factory=Actor)
    hardware: Mapping[tuple[str, str, str], int] = field(
        default_factory=dict
    )  # (cluster, flavor, resource) → what the base has
    largest_node: Mapping[tuple[str, str, str], int] = field(
        default_factory=dict
    )  # the same of its largest node
    clusters: Mapping[str, tuple[Cluster | None, Cluster | None]] = field(
        default_factory=dict
    )  # clusters that differ, as they were and as they would be

    @cached_property
    def organisation(self) -> Organisation | None:
        """The organisation whose rules hold."""
        return self.onto.organisation

    @cached_property
    def authority(self) -> Authority:
        """The rules that hold."""
        return self.organisation.authority if self.organisation is not None else Authority()

    def admins(self, cluster: str = "") -> Subjects:
        """The admins of the organisation, with those of a cluster."""
        found = self.organisation.admins if self.organisation is not None else Subjects()
        declared = self.onto.clusters.get(cluster)
        if declared is None:
            return found
        return found | declared.admins

    def team_admins(self, team: str) -> Subjects:
        """The admins of a team, by the name that it had in the base."""
        declared = self.onto.teams.get(team)
        return declared.admins if declared is not None else Subjects()

    def amounts(self, measure: Measure) -> Iterator[Effect]:
        """Changed amounts of teams, in the units that people count the flavor in."""
        for effect in self.plan.effects:
            key = effect.key
            if (
                key.kind == "team"
                and key.measure is measure
                and key.resource in self.counts(key.cluster, key.flavor)
            ):
                yield effect

    def standings(self) -> Iterator[tuple[str, Standing, Standing]]:
        """Clusters that are there before and after and differ, by name, with everybody's place on either side."""
        for name, (base, head) in sorted(self.clusters.items()):
            if base is not None and head is not None:
                yield name, standing(base), standing(head)

    def counted(self, cluster: str, side: Standing) -> list[FlavorResource]:
        """What anybody has quota of on a side, of each flavor the resources that people count it in."""
        pairs = dict.fromkeys(pair for node in side.tree.nodes() for pair in node.limits)
        return [pair for pair in pairs if pair[1] in self.counts(cluster, pair[0])]

    def counts(self, cluster: str, flavor: str) -> tuple[str, ...]:
        """The resources that people count a flavor in: GPUs, each kind of partition, or cpu; none where neither side has it."""
        for repo in (self.head, self.base):
            declared = repo.clusters.get(cluster)
            if declared is not None and declared.pools_of(flavor):
                return counted_resources(repo, declared, flavor)
        return ()

    def typed(self, repo: Repo, key: Key) -> bool:
        """Whether a line of a team states the amount by `resources`: it is no part of what the line's GPUs bring."""
        name = key.name if repo is self.head else self.before(key.name)
        team = repo.teams.get(name)
        return team is not None and any(
            line.flavor == key.flavor and key.resource in line.resources
            for queue in team.queues
            for line in queue.quota.get(key.cluster, ())
        )

    def accelerated(self, effect: Effect) -> bool:
        """Whether the amount counts devices."""
        return is_device(effect.key.resource)

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """Old names of teams by their new ones."""
        return {one.after: one.before for one in self.plan.renames if one.kind == "Team"}

    def before(self, team: str) -> str:
        """The name that the team had in the base."""
        return self.renamed.get(team, team)

    def now(self, team: str) -> str:
        """The name that a team of the base has after the change."""
        return next((new for new, old in self.renamed.items() if old == team), team)


def people(subjects: Subjects) -> tuple[str, ...]:
    """As a plan names them."""
    return (*(f"Group {name}" for name in subjects.groups), *(f"User {name}" for name in subjects.users))


def first(*origins: Origin | None) -> Origin | None:
    """The first place that is known."""
    return next((origin for origin in origins if origin is not None), None)
