"""ClusterQueues of teams, and the LocalQueues through which their namespaces reach them.

Every field that Kueue would default is written (kueue.md 7.5), so that reading back changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kohort.compiler.checks import checks_strategy
from kohort.compiler.groups import resource_groups
from kohort.compiler.lines import queue_quota
from kohort.compiler.make import KUEUE, TEAM, make
from kohort.compiler.names import cluster_queue_name, local_queue_name
from kohort.compiler.scope import Scope
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.derive import DerivedLine
from kohort.model.repo import QueueClass, Team, TeamQueue
from kohort.objects.kube import KubeObject
from kohort.rules.compile_codes import CLASS_MISSING
from kohort.spans import Origin, Path


def team_queues(scope: Scope, team: Team) -> Iterator[KubeObject]:
    """The team's ClusterQueues in its own order, each followed by its LocalQueues by namespace."""
    for queue in team.queues:
        if not queue.quota.get(scope.name):
            continue
        behaviour = scope.repo.classes.get(queue.queue_class)
        if behaviour is None:
            if ("QueueClass", queue.queue_class) in scope.repo.broken:
                continue  # why it cannot be read is reported already
            near = did_you_mean(queue.queue_class, scope.repo.classes)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            scope.fail(
                CLASS_MISSING,
                f"queue {queue.name} of team {team.name}: there is no class {queue.queue_class}{hint}",
                team.at(*queue.path, "class"),
                subject=f"ClusterQueue {cluster_queue_name(team, queue)}",
                help_=(f"declared classes: {', '.join(sorted(scope.repo.classes)) or 'none'}",),
            )
            continue
        yield _cluster_queue(scope, team, queue, behaviour, queue_quota(scope, team, queue))
        yield from _local_queues(scope, team, queue)


def _cluster_queue(
    scope: Scope, team: Team, queue: TeamQueue, behaviour: QueueClass, lines: Sequence[DerivedLine]
) -> KubeObject:
    groups = resource_groups(lines, limits=bool(queue.cohort))
    at = team.at(*queue.path)
    entries: dict[Path, tuple[Origin, str]] = groups.entries
    for field in ("preemption", "flavorFungibility", "queueingStrategy"):
        entries["spec", field] = (behaviour.at("spec", _SOURCE[field]), f"class {behaviour.name}")
    spec = behaviour_spec(behaviour)
    # all claimed by others, which is reported: the object itself is made well-formed
    namespaces = scope.namespaces_for(team, queue) or queue.namespaces or team.namespaces
    spec["namespaceSelector"] = {
        "matchExpressions": [
            {"key": "kubernetes.io/metadata.name", "operator": "In", "values": sorted(namespaces)}
        ]
    }
    named = queue.path if queue.namespaces else ("spec",)
    entries["spec", "namespaceSelector"] = (team.at(*named, "namespaces"), "")
    spec["resourceGroups"] = groups.value
    spec["stopPolicy"] = queue.stop
    entries["spec", "stopPolicy"] = (at.child("stop"), "")
    if queue.cohort:
        spec["cohortName"] = queue.cohort
        entries["spec", "cohortName"] = (at.child("cohort"), "")
    if queue.weight is not None:
        spec["fairSharing"] = {"weight": queue.weight.canonical()}
        entries["spec", "fairSharing"] = (at.child("weight"), "")
    strategy = checks_strategy(scope, [line.flavor for line in lines])
    if strategy is not None:
        spec["admissionChecksStrategy"] = strategy
    name = cluster_queue_name(team, queue)
    return make(KUEUE, "ClusterQueue", name, at, {"spec": spec}, labels={TEAM: team.name}, entries=entries)


_SOURCE = {"preemption": "preemption", "flavorFungibility": "fungibility", "queueingStrategy": "strategy"}


def behaviour_spec(behaviour: QueueClass) -> dict[str, Any]:
    """The fields of a ClusterQueue that its class decides."""
    borrow: dict[str, Any] = {"policy": behaviour.borrow_within_cohort}
    if behaviour.max_priority_threshold is not None:
        borrow["maxPriorityThreshold"] = behaviour.max_priority_threshold
    fungibility = {"whenCanBorrow": behaviour.when_can_borrow, "whenCanPreempt": behaviour.when_can_preempt}
    if behaviour.preference:
        fungibility["preference"] = behaviour.preference
    return {
        "flavorFungibility": fungibility,
        "preemption": {
            "borrowWithinCohort": borrow,
            "reclaimWithinCohort": behaviour.reclaim_within_cohort,
            "withinClusterQueue": behaviour.within_cluster_queue,
        },
        "queueingStrategy": behaviour.strategy,
    }


def _local_queues(scope: Scope, team: Team, queue: TeamQueue) -> Iterator[KubeObject]:
    name, target = local_queue_name(queue), cluster_queue_name(team, queue)
    body = {"spec": {"clusterQueue": target, "stopPolicy": "None"}}
    at = team.at(*queue.path)
    for namespace in sorted(scope.namespaces_for(team, queue)):
        yield make(KUEUE, "LocalQueue", name, at, body, namespace=namespace, labels={TEAM: team.name})
