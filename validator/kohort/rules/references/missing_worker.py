"""A MultiKueueConfig lists a MultiKueueCluster that does not exist.

Why:
    Work is never sent to the missing cluster; when no listed cluster is usable the admission check is inactive and its
    queues admit nothing.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueCluster
    metadata: {name: worker-east}
    spec: {clusterSource: {kubeConfig: {location: worker-east-secret}}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueConfig
    metadata: {name: everywhere}
    spec: {clusters: [worker-east, worker-est]}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueCluster
    metadata: {name: worker-east}
    spec: {clusterSource: {kubeConfig: {location: worker-east-secret}}}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: MultiKueueConfig
    metadata: {name: everywhere}
    spec: {clusters: [worker-east]}

Source:
    Kueue 0.15 to 0.19, MultiKueue admission check controller; MultiKueueConfig spec.clusters
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import named
from kohort.rules.references.wording import ask, known_names, meant, quoted, rename

RULE = Rule("REF404", "missing-multikueue-cluster", Consequence.INACTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per name that no MultiKueueCluster has."""
    if not cluster.knows("MultiKueueCluster"):
        return
    known = named(cluster, "MultiKueueCluster")
    for obj in named(cluster, "MultiKueueConfig").values():
        clusters = obj.get("spec", "clusters")
        for index, name in enumerate(clusters if isinstance(clusters, list) else ()):
            if not isinstance(name, str) or name in known:
                continue
            close = meant(cluster, "MultiKueueCluster", name, known.keys())
            yield RULE.at(
                obj,
                ("spec", "clusters", index),
                f"{obj.ref} lists missing MultiKueueCluster {quoted(name)}{ask(close)}",
                cluster=cluster,
                label="no such MultiKueueCluster",
                help=() if close else known_names(cluster, "MultiKueueCluster", known),
                fix=rename(obj, ("spec", "clusters", index), close),
            )
