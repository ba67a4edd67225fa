"""Topology-aware placement by Kueue's rules: which domains (racks, hosts) the pods of a workload get, or why none."""

from kohort.semantics.topology.forest import Forest, Host
from kohort.semantics.topology.need import Need
from kohort.semantics.topology.placing import NoRoom, Placement, place

__all__ = ["Forest", "Host", "Need", "NoRoom", "Placement", "place"]
