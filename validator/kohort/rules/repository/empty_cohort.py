"""A cohort in which no queue stands.

Why:
    A cohort shares what its queues leave idle. Without a queue below it there is nothing to share, and quota of its own
    can be used by nobody. Often a team names another cohort than was meant.

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
    # file: queues/cohorts.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Cohort
    metadata: {name: research}
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
    # file: queues/cohorts.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Cohort
    metadata: {name: research}
    spec: {}
    # file: teams/blue/team.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Team
    metadata: {name: blue}
    spec:
      namespaces: [blue]
      access: {admins: {groups: [blue-leads]}, members: {groups: [blue]}}
      class: batch
      cohort: research
      quota: {lab: [{flavor: h100, gpus: 4}]}

Source:
    Kueue cohorts: quota is shared among ClusterQueues
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.repo import Repo
from kohort.rules.base import Rule

RULE = Rule("SRC202", "cohort-without-queues", Consequence.POLICY)


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One finding per cohort; nothing where a file could not be read."""
    if repo.broken:
        return
    named = {queue.cohort for team in repo.teams.values() for queue in team.queues}
    named |= {slack.cohort for cluster in repo.clusters.values() for slack in cluster.slack}
    filled = set(named)
    for name in named:  # a queue fills every cohort above it; a cycle ends where it began
        above = repo.cohorts.get(name)
        while above is not None and above.parent and above.parent not in filled:
            filled.add(above.parent)
            above = repo.cohorts.get(above.parent)
    strange = [name for name in named if name and name not in repo.cohorts]
    for name, cohort in repo.cohorts.items():
        if name in filled:
            continue
        close = did_you_mean(name, strange)
        helps = (f"a queue names {close[0]}, which is not declared: is this one meant?",) if close else ()
        yield RULE.finding(
            f"Cohort {name} has no queue below it",
            cohort.at("metadata", "name"),
            subject=f"Cohort {name}",
            help=(*helps, "let a queue name it as `cohort`, or remove it"),
        )
