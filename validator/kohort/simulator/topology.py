"""The nodes that Kueue places pods on, kept as its forests: nodes that come, go and change, flavors and topologies that do.

Source: Kueue 0.19.1 `pkg/cache/scheduler/tas_nodes_cache.go` (only Ready, schedulable nodes are known) and
`pkg/controller/tas/resource_flavor.go` (who waits is looked at again a batch period after a node of one of its flavors
changed, all queues at once).
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.capacity.health import supply_units
from kohort.objects.kube import KubeObject
from kohort.objects.node import read_node
from kohort.semantics.topology.assigning import forests_of
from kohort.semantics.topology.forest import Forest, Host
from kohort.simulator.world import World


def put_node(world: World, obj: KubeObject) -> None:
    """Create or replace a Node object."""
    node = read_node(obj)
    known = not node.unschedulable and node.conditions.get("Ready", "True") == "True"
    units = {name: supply_units(amount, name) for name, amount in node.allocatable.items()}
    put_hosts(world, {node.name: Host(node.name, node.labels, units, node.taints) if known else None})


def put_hosts(world: World, hosts: Mapping[str, Host | None]) -> None:
    """Nodes are as given from now on; None: it takes no pods, or is gone."""
    world.nodes_known = True
    changed = [(before, host) for name, host in hosts.items() if (before := world.hosts.get(name)) != host]
    for name, host in hosts.items():
        if host is None:
            world.hosts.pop(name, None)
        else:
            world.hosts[name] = host
    if world.loading or not changed:
        return
    plant(world)
    forests = world.state.forests.values()
    if any(forest.takes(each) for pair in changed for each in pair if each for forest in forests):
        world.after(world.state.settings.batch, "nodes", "")


def plant(world: World) -> None:
    """Make the forests anew; none where no node was ever told of, since quota alone decides there."""
    state = world.state
    flavors = [flavor for flavor in state.flavors.values() if state.topologies.get(flavor.topology)]
    if not world.nodes_known or not state.settings.on("TopologyAwareScheduling") or not flavors:
        state.forests = {}
        world.neighbours = ()
        return
    hosts = [world.hosts[name] for name in sorted(world.hosts)]
    forests_of(
        state,
        {each.name: Forest(each.topology, state.topologies[each.topology], each, hosts) for each in flavors},
    )
    placing = [
        queue for queue in state.queues.values() if not state.forests.keys().isdisjoint(queue.spec.flavors)
    ]
    world.neighbours = tuple(dict.fromkeys(world.tree_names[queue.name] for queue in placing))


def look_again(world: World) -> None:
    """Nodes changed a batch period ago: everything that waits in an active queue is worth another look."""
    for queue in world.state.queues.values():
        if not queue.inactive:
            world.retry_parked(queue.name)
