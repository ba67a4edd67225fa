"""A declaration that nothing uses.

Why:
    Unused classes, sizes, checks, topologies and flavors make readers wonder what they are for, and are often what is left
    of a misspelled name somewhere else.

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
    # file: queues/sizes.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Size
    metadata: {name: medium}
    spec: {gpus: 4}
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
    # file: queues/sizes.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Size
    metadata: {name: medium}
    spec: {gpus: 4}
    # file: teams/blue/team.yaml
    apiVersion: kohort.dev/v1alpha1
    kind: Team
    metadata: {name: blue}
    spec:
      namespaces: [blue]
      access: {admins: {groups: [blue-leads]}, members: {groups: [blue]}}
      class: batch
      quota: {lab: [{flavor: h100, size: medium}]}

Source:
    Kohort: references among declarations
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.repo import CohortDecl, Declared, QuotaLine, Repo
from kohort.rules.base import Rule

RULE = Rule("SRC201", "unused-declaration", Consequence.NOTE)
_CLASS_HELP = "name it as `class` of a queue, or remove it"


@RULE.repo
def check(repo: Repo) -> Iterator[Finding]:
    """One note per declaration; nothing where a file could not be read, since it may be the user."""
    if repo.broken:
        return
    lines = list(_lines(repo))
    flavors = {line.flavor for line in lines}
    flavors |= {pool.flavor for cluster in repo.clusters.values() for pool in cluster.pools}
    flavors |= {slack.flavor for cluster in repo.clusters.values() for slack in cluster.slack}
    # a declaration that a missing name probably means is not unused: the missing one is the finding
    flavors |= {near for name in flavors - repo.flavors.keys() for near in did_you_mean(name, repo.flavors)}
    declared = repo.flavors.values()
    classes = {queue.queue_class for team in repo.teams.values() for queue in team.queues}
    yield from _unused("QueueClass", repo.classes, classes, _CLASS_HELP)
    yield from _unused("Size", repo.sizes, {line.size for line in lines}, "use it in a quota, or remove it")
    checks = {name for flavor in declared for name in flavor.checks}
    yield from _unused("AdmissionCheck", repo.checks, checks, "list it in `checks` of a flavor, or remove it")
    topologies = {flavor.topology for flavor in declared}
    yield from _unused(
        "Topology", repo.topologies, topologies, "name it as `topology` of a flavor, or remove it"
    )
    yield from _unused("Flavor", repo.flavors, flavors, "no node pool and no quota has it")


def _lines(repo: Repo) -> Iterator[QuotaLine]:
    for team in repo.teams.values():
        for queue in team.queues:
            for lines in queue.quota.values():
                yield from lines
    cohorts: Mapping[str, CohortDecl] = repo.cohorts
    for cohort in cohorts.values():
        for share in cohort.clusters.values():
            yield from share.pool


def _unused(kind: str, declared: Mapping[str, Declared], used: set[str], help_: str) -> Iterator[Finding]:
    for name, item in declared.items():
        if name not in used:
            yield RULE.finding(
                f"{kind} {name} is used by nothing",
                item.at("metadata", "name"),
                subject=f"{kind} {name}",
                help=(help_,),
            )
