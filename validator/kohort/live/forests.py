"""The nodes of each flavor with a topology, as Kueue sees them: Ready and schedulable, whatever else is said of them."""

from __future__ import annotations

from kohort.capacity.health import supply_units
from kohort.objects.cluster import Cluster
from kohort.semantics.state import State
from kohort.semantics.topology.assigning import forests_of
from kohort.semantics.topology.forest import Forest, Host


def plant(state: State, cluster: Cluster) -> None:
    """Give the state its forests, with the pods of running work in them; nothing where no nodes are known."""
    flavors = [flavor for flavor in state.flavors.values() if state.topologies.get(flavor.topology)]
    if not flavors or not cluster.nodes:
        return
    hosts = [
        Host(
            node.name, node.labels, {r: supply_units(q, r) for r, q in node.allocatable.items()}, node.taints
        )
        for node in cluster.nodes
        if not node.unschedulable and node.conditions.get("Ready", "True") == "True"
    ]
    forests_of(
        state,
        {f.name: Forest(f.topology, state.topologies[f.topology], f, hosts) for f in flavors},
    )
