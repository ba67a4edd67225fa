"""Who can newly see, submit to or administer what, and who no longer can."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.selectors import matches, validate_selector
from kohort.planner.effects.abilities import grants
from kohort.planner.plan import Ability, AccessChange

_ORDER = ("administer", "submit", "see")

# What `_rights` looks at, besides the namespaceSelectors of ClusterQueues.
_DECISIVE = ("ClusterRole", "Role", "ClusterRoleBinding", "RoleBinding", "Namespace", "LocalQueue")

_Right = tuple[str, Ability, str, str]  # subject, ability, namespace, ClusterQueue


def access(before: Cluster | None, after: Cluster | None, name: str) -> list[AccessChange]:
    """What differs between two sides of a cluster: one entry per person or group, ability and direction."""
    if before is not None and after is not None and _alike(before, after):
        return []
    old, new = _rights(before), _rights(after)
    together: dict[tuple[str, Ability, bool], set[tuple[str, str]]] = {}
    for rights, others, gained in ((new, old, True), (old, new, False)):
        for subject, ability, namespace, queue in rights - others:
            together.setdefault((subject, ability, gained), set()).add((namespace, queue))
    found = [
        AccessChange(
            name,
            subject,
            ability,
            tuple(sorted({namespace for namespace, _ in places if namespace})),
            tuple(sorted({queue for _, queue in places if queue})),
            gained,
        )
        for (subject, ability, gained), places in together.items()
    ]
    return sorted(found, key=lambda one: (not one.gained, _ORDER.index(one.ability), one.subject))


def _alike(one: Cluster, other: Cluster) -> bool:
    """Whether everything that rights follow from is the same on both sides, which is quickly seen."""
    return all(_same_objects(one.kind(kind), other.kind(kind)) for kind in _DECISIVE) and (
        {name: queue.namespace_selector for name, queue in one.queues.items()}
        == {name: queue.namespace_selector for name, queue in other.queues.items()}
    )


def _same_objects(some: Sequence[KubeObject], others: Sequence[KubeObject]) -> bool:
    return len(some) == len(others) and all(
        a is b or a.data == b.data for a, b in zip(some, others, strict=True)
    )


def _rights(cluster: Cluster | None) -> set[_Right]:
    """Submitting reaches the queues that the namespace leads to; the other abilities stop at the namespace."""
    if cluster is None:
        return set()
    reached = _reached(cluster)
    rights: set[_Right] = set()
    for subject, ability, namespace in grants(cluster):
        queues = reached.get(namespace, ()) if ability == "submit" else ()
        rights.add((subject, ability, namespace, ""))
        rights.update((subject, ability, namespace, queue) for queue in queues)
    return rights


def _reached(cluster: Cluster) -> dict[str, list[str]]:
    """Namespace → the ClusterQueues that its LocalQueues lead to and that take work from it."""
    found: dict[str, list[str]] = {}
    for local in cluster.local_queues.values():
        queue = cluster.queues.get(local.cluster_queue)
        if queue is None:
            continue
        selector = queue.namespace_selector
        obj = cluster.namespaces.get(local.namespace)
        labels = {**(obj.labels() if obj is not None else {}), "kubernetes.io/metadata.name": local.namespace}
        if selector is not None and not validate_selector(selector) and matches(selector, labels):
            found.setdefault(local.namespace, []).append(local.cluster_queue)
    return found
