"""A team file claims a namespace or cohort that its folder may not claim.

Why:
    Teams own their files. What they may write into them is bounded by the claims in kohort.yaml; beyond that, a pull
    request in a team's own folder would take another team's namespace or join a cohort to borrow from it.

Bad:
    # file: kohort.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Organisation
    metadata: {name: example}
    spec:
      claims: [{teams: blue, namespaces: [blue, "blue-*"], cohorts: [research]}]
    # file: clusters/lab/cluster.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Cluster
    metadata: {name: lab}
    spec:
      versions: {kubernetes: 1.36.2, kueue: 0.19.1}
      nodePools:
      - {name: h100, flavor: h100, nodes: 1, accelerator: nvidia.com/gpu, perNode: {cpu: 64, memory: 1Ti, nvidia.com/gpu: 8}}
    # file: queues/flavors.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Flavor
    metadata: {name: h100}
    spec: {}
    # file: queues/classes.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: QueueClass
    metadata: {name: batch}
    spec: {}
    # file: teams/blue/team.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Team
    metadata: {name: blue}
    spec:
      namespaces: [red]
      access: {admins: {groups: [blue-leads]}, members: {groups: [blue]}}
      class: batch
      quota: {lab: [{flavor: h100, gpus: 4}]}

Good:
    # file: kohort.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Organisation
    metadata: {name: example}
    spec:
      claims: [{teams: blue, namespaces: [blue, "blue-*"], cohorts: [research]}]
    # file: clusters/lab/cluster.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Cluster
    metadata: {name: lab}
    spec:
      versions: {kubernetes: 1.36.2, kueue: 0.19.1}
      nodePools:
      - {name: h100, flavor: h100, nodes: 1, accelerator: nvidia.com/gpu, perNode: {cpu: 64, memory: 1Ti, nvidia.com/gpu: 8}}
    # file: queues/flavors.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Flavor
    metadata: {name: h100}
    spec: {}
    # file: queues/classes.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: QueueClass
    metadata: {name: batch}
    spec: {}
    # file: teams/blue/team.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Team
    metadata: {name: blue}
    spec:
      namespaces: [blue]
      access: {admins: {groups: [blue-leads]}, members: {groups: [blue]}}
      class: batch
      quota: {lab: [{flavor: h100, gpus: 4}]}

Source:
    Kohort: Organisation.claims
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from kohort.diagnostics import Audience, Consequence, Finding, Label, Severity
from kohort.model.repo import Claim, Repo, Team
from kohort.rules.base import Rule
from kohort.spans import Path

RULE = Rule("SRC204", "foreign-claim", Consequence.POLICY, audience=Audience.TEAM, severity=Severity.ERROR)


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per namespace and queue; teams that no claim names are free."""
    organisation = repo.organisation
    if organisation is None:
        return
    for team in repo.teams.values():
        claims = [claim for claim in organisation.claims if fnmatchcase(team.name, claim.teams)]
        if not claims:
            continue
        related = tuple(
            Label(organisation.at(*claim.path), "what the team may claim") for claim in claims[:3]
        )
        for path, what, allowed in _foreign(team, claims):
            shown = ", ".join(allowed) or "none"
            yield RULE.finding(
                f"Team {team.name} claims {what}, which is not its own",
                team.at(*path),
                subject=f"Team {team.name}",
                related=related,
                help=(f"it may claim: {shown}", "an admin can widen the claim in kohort.yaml"),
            )


def _foreign(team: Team, claims: list[Claim]) -> Iterator[tuple[Path, str, list[str]]]:
    namespaces = [pattern for claim in claims for pattern in claim.namespaces]
    for index, name in enumerate(team.namespaces):
        if not _matches(name, namespaces):
            yield ("spec", "namespaces", index), f"namespace {name}", namespaces
    cohorts = [pattern for claim in claims for pattern in claim.cohorts]
    for queue in team.queues:
        if queue.cohort and not _matches(queue.cohort, cohorts):
            yield (*queue.path, "cohort"), f"a place in cohort {queue.cohort}", cohorts


def _matches(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
