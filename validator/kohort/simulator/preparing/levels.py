"""Jobs that ask for a topology level which none of their queue's flavors knows: they would wait for ever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.scenario import Scenario
from kohort.objects.cluster import Cluster
from kohort.objects.kube import mappings
from kohort.objects.names import visible
from kohort.simulator.arrivals.jobs import Source


def unknown_levels(scenario: Scenario, sources: tuple[Source, ...], cluster: Cluster) -> Iterator[Finding]:
    """One finding per source, at its topology."""
    for source in sources:
        near = source.declared.topology
        local = cluster.local_queues.get((source.submitter.namespace, source.submitter.queue))
        queue = cluster.queues.get(local.cluster_queue) if local is not None else None
        if near is None or queue is None:
            continue
        known = levels(cluster, queue.flavors)
        asked = [level for level in (near.required, near.preferred, near.slice_level) if level]
        missing = next((level for level in asked if level not in known), None)
        if missing is None and (known or not near.unconstrained):
            continue
        subject = f"Scenario {scenario.name}"
        what = f"for topology level {visible(missing)}" if missing is not None else "for a topology"
        close = did_you_mean(missing or "", known)
        hint = f"; did you mean `{visible(close[0])}`?" if close else ""
        there = ", ".join(visible(level) for level in known) or "none"
        yield finding(
            "SRC131",
            f"{subject}: jobs {source.declared.name} ask {what}, and no flavor of ClusterQueue {visible(queue.name)} has "
            f"one{hint}",
            scenario.at(*source.declared.path, "topology"),
            subject=subject,
            help=(f"levels of its flavors: {there}",),
        )


def levels(cluster: Cluster, flavors: Iterable[str]) -> list[str]:
    """The levels of the Topologies that some flavors name, the widest of each first."""
    topologies = {
        obj.name: [level.get("nodeLabel") for _, level in mappings(obj.get("spec", "levels"))]
        for obj in cluster.kueue_kind("Topology")
    }
    named = [cluster.flavors[name].topology for name in flavors if name in cluster.flavors]
    return list(dict.fromkeys(str(each) for name in named for each in topologies.get(name, ())))
