"""Topologies and resource flavors: node labels and taints come from the cluster's own pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.compiler.make import KUEUE, Entries, make
from kohort.compiler.scope import Scope
from kohort.compiler.usage import used_flavors
from kohort.model.repo import ClusterDecl, FlavorDecl
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import Taint
from kohort.objects.tolerations import tolerates
from kohort.spans import Origin, Path


def topologies(scope: Scope) -> Iterator[KubeObject]:
    """The topologies that flavors of this cluster name."""
    named = {scope.repo.flavors[flavor].topology for flavor in used_flavors(scope)}
    for name in sorted(named & scope.repo.topologies.keys()):
        topology = scope.repo.topologies[name]
        levels = [{"nodeLabel": label} for label in topology.levels]
        entries: Entries = {("spec", "levels"): (topology.at("spec", "levels"), "")}
        yield make(KUEUE, "Topology", name, topology.at(), {"spec": {"levels": levels}}, entries=entries)


def flavors(scope: Scope) -> Iterator[KubeObject]:
    """One ResourceFlavor per used flavor; the topology is left out where it is not declared.

    The spec of a flavor that says nothing is empty. A Cohort's is given the default weight then, since a server-side apply
    that takes the last field of a spec away is refused; no field of a ResourceFlavor says what holds anyway: every label
    restricts pods and nodes, and an empty list or map is none of those that Kueue writes back. What is made with an empty
    spec is taken by the server; a change that empties one is told by the plan (PLN005).
    """
    for name in used_flavors(scope):
        flavor = scope.repo.flavors[name]
        entries: dict[Path, tuple[Origin, str]] = {}
        spec: dict[str, Any] = {}
        labels = flavor_labels(scope.decl, flavor)
        if labels:
            spec["nodeLabels"] = labels
            _label_entries(scope.decl, flavor, labels, entries)
        taints = flavor_taints(scope.decl, flavor)
        if taints:
            spec["nodeTaints"] = taints
            source = (
                flavor.at("spec", "taints") if flavor.taints else _pool_origin(scope.decl, flavor, "taints")
            )
            entries["spec", "nodeTaints"] = (
                source,
                "" if flavor.taints else "taints of the flavor's node pools",
            )
        if flavor.tolerations:
            # Kueue stores an absent operator as Equal; written out, reading back changes nothing (kueue.md 7.5).
            spec["tolerations"] = [{"operator": "Equal", **toleration} for toleration in flavor.tolerations]
            entries["spec", "tolerations"] = (flavor.at("spec", "tolerations"), "")
        if flavor.topology:
            spec["topologyName"] = flavor.topology
            entries["spec", "topologyName"] = (flavor.at("spec", "topology"), "")
        yield make(KUEUE, "ResourceFlavor", name, flavor.at(), {"spec": spec}, entries=entries)


def flavor_labels(decl: ClusterDecl, flavor: FlavorDecl) -> dict[str, str]:
    """Labels that all pools of the flavor have in common, and those the flavor adds. Sorted by key."""
    pools = decl.pools_of(flavor.name)
    common = set(pools[0].labels.items()) if pools else set[tuple[str, str]]()
    for pool in pools[1:]:
        common &= set(pool.labels.items())
    labels = {**dict(common), **flavor.node_labels}
    return {key: labels[key] for key in sorted(labels)}


def flavor_taints(decl: ClusterDecl, flavor: FlavorDecl) -> list[Mapping[str, str]]:
    """The flavor's own taints, else those of any of its pools: work that tolerates less would not reach all nodes.

    A pool's taint that the flavor's tolerations cover is left out: every pod that lands here is given them, so as a
    taint of the flavor it would keep nobody away.
    """
    if flavor.taints:
        return list(flavor.taints)
    found = {
        (taint.get("key", ""), taint.get("effect", ""), taint.get("value", "")): taint
        for pool in decl.pools_of(flavor.name)
        for taint in pool.taints
    }
    return [
        found[key, effect, value]
        for key, effect, value in sorted(found)
        if not tolerates(flavor.tolerations, Taint(key, value, effect))
    ]


def _label_entries(
    decl: ClusterDecl, flavor: FlavorDecl, labels: Mapping[str, str], entries: dict[Path, tuple[Origin, str]]
) -> None:
    if labels.keys() - flavor.node_labels.keys():
        entries["spec", "nodeLabels"] = (
            _pool_origin(decl, flavor, "labels"),
            "labels that the flavor's pools share",
        )
    for key in flavor.node_labels:
        entries["spec", "nodeLabels", key] = (flavor.at("spec", "nodeLabels", key), "")


def _pool_origin(decl: ClusterDecl, flavor: FlavorDecl, field: str) -> Origin:
    pools = decl.pools_of(flavor.name)
    return decl.at(*pools[0].path, field) if pools else flavor.at()
