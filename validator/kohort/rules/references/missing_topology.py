"""A ResourceFlavor names a Topology that does not exist.

Why:
    Every queue that lists the flavor is inactive, so its other flavors admit nothing either.

Bad:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: example.com/rack}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}, topologyName: rack}

Good:
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Topology
    metadata: {name: racks}
    spec: {levels: [{nodeLabel: example.com/rack}]}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: h100}
    spec: {nodeLabels: {gpu: h100}, topologyName: racks}

Source:
    Kueue 0.15 to 0.19, condition Active of ClusterQueue, reason TopologyNotFound; ResourceFlavor spec.topologyName
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding, Label
from kohort.objects.cluster import Cluster
from kohort.rules.base import Rule
from kohort.rules.references.index import named, remembered
from kohort.rules.references.wording import ask, known_names, listed, meant, quoted, related, rename

RULE = Rule("REF405", "missing-topology", Consequence.INACTIVE)


@RULE.cluster
def check(cluster: Cluster) -> Iterator[Finding]:
    """One finding per flavor; the queues that it makes inactive are related places."""
    if not cluster.knows("Topology"):
        return
    known = named(cluster, "Topology")
    for flavor in cluster.flavors.values():
        if not flavor.topology or flavor.topology in known:
            continue
        close = meant(cluster, "Topology", flavor.topology, known.keys())
        places = _queues(cluster).get(flavor.name, [])
        names = listed(label.text for label in places)
        yield RULE.at(
            flavor.obj,
            ("spec", "topologyName"),
            f"{flavor.obj.ref}: there is no Topology {quoted(flavor.topology)}{ask(close)}",
            cluster=cluster,
            label="no such Topology",
            related=related(Label(place.origin, "inactive (TopologyNotFound)") for place in places),
            help=(
                *(
                    (f"Kueue shows Active=False, reason TopologyNotFound, on ClusterQueues {names}",)
                    if places
                    else ()
                ),
                *(() if close else known_names(cluster, "Topology", known)),
            ),
            fix=rename(flavor.obj, ("spec", "topologyName"), close),
        )


def _queues(cluster: Cluster) -> dict[str, list[Label]]:
    """By flavor, the places where queues list it, each with the queue's name."""

    def build() -> dict[str, list[Label]]:
        users: dict[str, list[Label]] = {}
        for queue in cluster.queues.values():
            for group in queue.groups:
                for flavor in group.flavors:
                    users.setdefault(flavor.flavor, []).append(
                        Label(queue.obj.at(*flavor.path, "name"), queue.name)
                    )
        return users

    return remembered(cluster, "places of flavors", build)
