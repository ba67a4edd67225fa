"""Kinds that were left out of a snapshot: what they would say is taken to be in order, and the answer says so."""

from __future__ import annotations

from typing import Final

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.kueue import Flavor
from kohort.semantics.activity import Check, queue_activity
from kohort.semantics.heights import set_heights
from kohort.semantics.state import State

_PLURALS: Final = {
    "ResourceFlavor": "resourceflavors",
    "AdmissionCheck": "admissionchecks",
    "Topology": "topologies",
    "LocalQueue": "localqueues",
    "ClusterQueue": "clusterqueues",
}


def fill(state: State, cluster: Cluster) -> tuple[str, ...]:
    """Stand-ins for flavors and topologies of which none was given; says for every kind what was not judged."""
    told = []
    if not cluster.queues:
        told.append(_told("ClusterQueue", "nothing can be admitted"))
    elif not cluster.local_queues:
        told.append(_told("LocalQueue", "jobs are not found in their queues"))
    if cluster.queues and not cluster.flavors:
        told.append(_told("ResourceFlavor", "taints and labels of flavors are not judged"))
        for spec in state.specs.values():
            for name in spec.flavors:
                state.flavors.setdefault(name, Flavor(spec.obj, name, {}, (), (), ""))
    if any(flavor.topology for flavor in state.flavors.values()) and not cluster.kueue_kind("Topology"):
        told.append(_told("Topology", "levels are not judged, nor whether pods find room in one of them"))
    if any(spec.checks for spec in state.specs.values()) and not cluster.kueue_kind("AdmissionCheck"):
        told.append(_told("AdmissionCheck", "checks are taken to be there and active"))
    return tuple(told)


def activate(state: State, cluster: Cluster) -> None:
    """Which queues take work. Of kinds that were not given nothing is missing."""
    checks = {obj.name: _check(obj) for obj in cluster.kueue_kind("AdmissionCheck")}
    topologies: dict[str, object] = dict(state.topologies)
    if not cluster.kueue_kind("Topology"):
        topologies = {flavor.topology: () for flavor in state.flavors.values()}
    for queue in state.queues.values():
        spec = queue.spec
        known = checks or {name: Check("", active=True) for name, _ in spec.checks}
        deleted = spec.obj.get("metadata", "deletionTimestamp") is not None
        found = queue_activity(spec, state.flavors, known, topologies, state.settings, terminating=deleted)
        queue.inactive, queue.inactive_detail = found.reason, found.message
    set_heights(state)


def _check(obj: KubeObject) -> Check:
    """One check; without a condition it is taken for active."""
    controller = obj.get("spec", "controllerName")
    said = [
        c.get("status") for _, c in mappings(obj.get("status", "conditions")) if c.get("type") == "Active"
    ]
    return Check(controller if isinstance(controller, str) else "", said in ([], ["True"]))


def _told(kind: str, what: str) -> str:
    return f"no {kind} is in the snapshot, so {what}: add `kubectl get {_PLURALS[kind]} -A -o json`"
