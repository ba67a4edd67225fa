"""A LocalQueue stands in a namespace that does not exist.

Why:
    The server refuses objects in unknown namespaces, so the queue is never created. Namespaces are only compared when
    some are given; `default` and those of Kubernetes itself always exist.

Bad:
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: tema-a}
    spec: {clusterQueue: train}

Good:
    apiVersion: v1
    kind: Namespace
    metadata: {name: team-a}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: q, namespace: team-a}
    spec: {clusterQueue: train}

Source:
    Kubernetes 1.30 to 1.36, admission plugin NamespaceLifecycle
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename

RULE = Rule("REF407", "missing-namespace", Consequence.REFUSED)

ALWAYS_THERE = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per LocalQueue."""
    if not cluster.knows("Namespace"):
        return
    known = cluster.namespaces
    for local in cluster.local_queues.values():
        name = local.namespace
        if not name or name in known or name in ALWAYS_THERE:
            continue
        close = meant(cluster, "Namespace", name, known.keys())
        yield RULE.at(
            local.obj,
            ("metadata", "namespace"),
            f"{local.obj.ref}: namespace {quoted(name)} not found{ask(close)}",
            cluster=cluster,
            label="no such Namespace",
            help=() if close else known_names(cluster, "Namespace", known),
            fix=rename(local.obj, ("metadata", "namespace"), close),
        )
