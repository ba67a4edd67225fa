"""References that could not be judged because no object of their kind was given: named, so that silence is no approval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.diagnostics import Unchecked
from kohort.objects.cluster import Cluster
from kohort.rules.references.index import named
from kohort.rules.references.missing_parameters import parameters
from kohort.rules.references.missing_priority_class import pod_priorities
from kohort.rules.references.missing_workload_priority import workload_priority
from kohort.rules.references.queued import queued
from kohort.rules.references.wording import listed


def unchecked(cluster: Cluster) -> list[Unchecked]:
    """What the reference rules skipped on this cluster, in a stable order. Declared clusters are whole: nothing."""
    return list(_gaps(cluster))


def _gaps(cluster: Cluster) -> Iterator[Unchecked]:
    queues = cluster.queues.values()
    yield from _names(cluster, "ResourceFlavor", (f for q in queues for f in q.flavors))
    yield from _names(cluster, "AdmissionCheck", (name for q in queues for name, _ in q.checks))
    for check in named(cluster, "AdmissionCheck").values():
        target = parameters(check)
        if target is not None and not cluster.knows(target[0]):
            yield Unchecked(
                f'{check.ref} points to {target[0]} "{target[1]}"',
                "no object of that kind was given",
                check.at("spec", "parameters").file,
            )
    yield from _names(cluster, "Topology", (f.topology for f in cluster.flavors.values() if f.topology))
    workers = [config.get("spec", "clusters") for config in named(cluster, "MultiKueueConfig").values()]
    yield from _names(
        cluster,
        "MultiKueueCluster",
        (n for some in workers if isinstance(some, list) for n in some if isinstance(n, str)),
    )
    yield from _names(cluster, "ClusterQueue", (lq.cluster_queue for lq in cluster.local_queues.values()))
    yield from _names(cluster, "LocalQueue", (w.queue_name for w in queued(cluster)))
    classes = (
        (workload_priority(obj) for obj in cluster.objects)
        if not cluster.knows("WorkloadPriorityClass")
        else ()
    )
    yield from _names(cluster, "WorkloadPriorityClass", (found[0] for found in classes if found))
    yield from _names(cluster, "PriorityClass", (name for _, _, name in pod_priorities(cluster)))
    yield from _namespaces(cluster)
    yield from _pods(cluster)


def _names(cluster: Cluster, kind: str, names: Iterable[str]) -> Iterator[Unchecked]:
    if cluster.knows(kind):
        return
    found = sorted({name for name in names if name})
    if found:
        plural = (
            kind
            if len(found) == 1
            else f"{kind}es"
            if kind.endswith("s")
            else f"{kind[:-1]}ies"
            if kind.endswith("y")
            else f"{kind}s"
        )
        yield Unchecked(f"{plural} {listed(found)}", f"no {kind} was given")


def _namespaces(cluster: Cluster) -> Iterator[Unchecked]:
    if cluster.knows("Namespace"):
        return
    found = sorted(q.name for q in cluster.queues.values() if q.namespace_selector)
    if found:
        one = len(found) == 1
        what = f"the namespace selector of ClusterQueue{'' if one else 's'} {listed(found)}"
        yield Unchecked(what, "no Namespace was given")


def _pods(cluster: Cluster) -> Iterator[Unchecked]:
    for work in queued(cluster):
        if not work.pods.inferable:
            why = "; ".join(work.pods.reasons) or "its pods cannot be read from the object"
            yield Unchecked(f"requests of {work.obj.ref}", why, work.obj.at().file)
