"""Where Kueue reads other objects' names in a queue, for rules about missing targets."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Label
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.kueue import ClusterQueue
from kohort.rules.references.index import local_queues_of, remembered
from kohort.rules.references.wording import listed, related
from kohort.spans import Path


def fed_by(cluster: Cluster, queue: str) -> tuple[Label, ...]:
    """The LocalQueues that become inactive together with a ClusterQueue."""
    return related(
        Label(
            local.obj.at("spec", "clusterQueue"),
            f"{local.obj.ref} is inactive with it (ClusterQueueIsInactive)",
        )
        for local in local_queues_of(cluster).get(queue, ())
    )


def check_places(queue: ClusterQueue) -> Iterator[tuple[Path, str]]:
    """Every admission check that the queue names, with the place of the name."""
    old = queue.obj.get("spec", "admissionChecks")
    for index, name in enumerate(old if isinstance(old, list) else ()):
        if isinstance(name, str):
            yield ("spec", "admissionChecks", index), name
    path: Path = ("spec", "admissionChecksStrategy", "admissionChecks")
    for index, rule in mappings(queue.obj.get(*path)):
        if isinstance(rule.get("name"), str):
            yield (*path, index, "name"), rule["name"]


def users_of_check(cluster: Cluster, check: str) -> list[ClusterQueue]:
    """The queues that an admission check holds up."""

    def build() -> dict[str, list[ClusterQueue]]:
        users: dict[str, list[ClusterQueue]] = {}
        for queue in cluster.queues.values():
            for name, _ in queue.checks:
                users.setdefault(name, []).append(queue)
        return users

    return remembered(cluster, "users of check", build).get(check, [])


def held_up(cluster: Cluster, check: KubeObject) -> tuple[str, tuple[Label, ...]]:
    """Words about the queues that are inactive because a check is, and their places."""
    queues = users_of_check(cluster, check.name)
    if not queues:
        return "", ()
    names = listed(queue.name for queue in queues)
    return (
        (
            f"ClusterQueues {names}: Active=False, reason AdmissionCheckInactive, \"Can't admit new workloads: "
            f'references inactive AdmissionCheck(s): {check.name}."'
        ),
        related(Label(queue.obj.at("metadata", "name"), "inactive with the check") for queue in queues),
    )
