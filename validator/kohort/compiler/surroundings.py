"""A cluster as the rules see it: compiled objects, its nodes, and what was declared about health and exceptions."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.compiler.names import slack_name
from kohort.compiler.scope import Scope
from kohort.model.repo import Maintenance
from kohort.objects.cluster import Allowance, Cluster, Outage
from kohort.objects.kube import KubeObject


def whole_cluster(scope: Scope, objects: list[KubeObject]) -> Cluster:
    """The cluster with all its objects. Without an inventory its nodes are those that the pools lead one to expect."""
    decl = scope.decl
    inventory = scope.repo.inventories.get(scope.name)
    cluster = Cluster(
        [*objects, *scope.nodes],
        name=scope.name,
        kueue=decl.versions.get("kueue", "0.19.1"),
        declared=True,
        health=decl.health,
        outages=tuple(_outage(scope, m) for m in _active(scope)),
        allowances=(
            *(
                Allowance(o.flavor, o.resource, o.percent, o.reason, decl.at(*o.path))
                for o in decl.overcommit
            ),
            *_elastic(scope),
        ),
        slack_queues=frozenset(slack_name(slack) for slack in decl.slack),
        observed=inventory.observed if inventory else "",
        planned=inventory is None,
        no_hardware=not scope.nodes and bool(decl.pools or inventory),
        fair_sharing=bool(decl.kueue.fair_sharing),
    )
    if len(cluster.kind("Node", "")) == len(scope.nodes):  # none of its own
        cluster.nodes = scope.typed_nodes
    return cluster


def _elastic(scope: Scope) -> Iterator[Allowance]:
    """Flavors whose nodes come on demand: what is there now bounds nothing."""
    for flavor in scope.repo.flavors.values():
        if flavor.elastic:
            place = flavor.at("spec", "elastic")
            yield Allowance(flavor.name, "", None, "elastic: its nodes come on demand", place)


def bare_cluster(scope: Scope) -> Cluster:
    """Flavors, topologies and nodes alone: enough to tell what hardware stands behind each flavor."""
    manifests = f"clusters/{scope.name}/manifests"
    named = (f"{manifests}/flavors.yaml", f"{manifests}/topologies.yaml")
    return whole_cluster(scope, [obj for path in named for obj in scope.files.get(path, ())])


def _active(scope: Scope) -> list[Maintenance]:
    found = (m for m in scope.repo.maintenances if m.cluster == scope.name and m.state == "active")
    return sorted(found, key=lambda m: (m.name, m.origin.file))


def _outage(scope: Scope, maintenance: Maintenance) -> Outage:
    """The nodes by name (a rack's from the pools that list them) and, where racks are labelled, by label."""
    names = set(maintenance.nodes)
    label = None
    if maintenance.rack:
        for pool in scope.decl.pools:
            names.update(pool.racks.get(maintenance.rack, ()))
        if scope.decl.rack_label:
            label = (scope.decl.rack_label, maintenance.rack)
    return Outage(maintenance.name, maintenance.reason, frozenset(names), label, maintenance.origin)
