"""A team in which nobody may do anything.

Why:
    Quota is reserved for the team, but no group and no user is bound in its namespaces: nobody can use it.

Bad:
    # file: kohort.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Organisation
    metadata: {name: example}
    spec: {}
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
      class: batch
      quota: {lab: [{flavor: h100, gpus: 4}]}

Good:
    # file: kohort.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Organisation
    metadata: {name: example}
    spec: {}
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
    Kohort: access of teams
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.model.repo import Repo
from kohort.rules.base import Rule

RULE = Rule("SRC203", "team-without-people", Consequence.POLICY)


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per team without admins and members; viewers alone start no work."""
    for name, team in repo.teams.items():
        if team.admins or team.members:
            continue
        yield RULE.finding(
            f"Team {name} has neither admins nor members",
            team.at("spec"),
            subject=f"Team {name}",
            help=("add access: {admins: {groups: [GROUP]}, members: {groups: [GROUP]}}",),
        )
