"""Jobs that can never run: more than their queue can ever have, or pods larger than any node.

A source whose every job is too large is an error, one that draws some such jobs a warning; the run goes on with those
waiting for ever, as they would.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kohort.capacity.words import amount
from kohort.diagnostics import Finding, Severity
from kohort.model.scenario import Draw, JobSource, Scenario
from kohort.objects.cluster import Cluster
from kohort.rules.capacity.job_larger_than_ever import RULE as LARGER_THAN_EVER
from kohort.rules.capacity.pod_larger_than_node import RULE as LARGER_THAN_NODE
from kohort.semantics.amount import UNLIMITED
from kohort.semantics.tree import QuotaTree
from kohort.simulator.arrivals.jobs import Source
from kohort.simulator.placement.host import Host, hosts_of
from kohort.simulator.placement.rooms import allowed
from kohort.spans import Origin


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The least and the most that a source draws; the most is None without a bound."""

    least: int
    most: int | None


def impossible(scenario: Scenario, sources: tuple[Source, ...], cluster: Cluster) -> Iterator[Finding]:
    """Findings about sources."""
    tree = QuotaTree.of(cluster.queues, cluster.cohorts)
    hosts = hosts_of(cluster)
    for source in sources:
        local = cluster.local_queues.get((source.submitter.namespace, source.submitter.queue))
        if local is None or local.cluster_queue not in tree.queues:
            continue
        found = _by_quota(scenario, source, tree, local.cluster_queue)
        found = found or (_by_nodes(scenario, source, cluster, hosts, local.cluster_queue) if hosts else None)
        if found is not None:
            yield found


def _sizes(declared: JobSource) -> tuple[tuple[int, int], tuple[int, int]]:
    """(pods, GPUs) of the smallest and of the largest job; unbounded laws count with their smallest."""
    pods, gpus = _bounds(declared.pods, 1), _bounds(declared.gpus, 0)
    most_pods = pods.least if pods.most is None else pods.most
    most_gpus = gpus.least if gpus.most is None else gpus.most
    return (pods.least, gpus.least), (most_pods, most_gpus)


def _bounds(draw: Draw | None, otherwise: int) -> _Bounds:
    if draw is None:
        return _Bounds(otherwise, otherwise)
    if draw.kind in ("fixed", "choice"):
        return _Bounds(min(draw.values), max(draw.values))
    return _Bounds(draw.low, draw.high)


def _by_quota(scenario: Scenario, source: Source, tree: QuotaTree, queue: str) -> Finding | None:
    node = tree.queues[queue]
    for size, severity in zip(_sizes(source.declared), (Severity.ERROR, Severity.WARNING), strict=True):
        for ask in source.shape(*size).podsets:
            for resource, each in ask.requests.items():
                reach = [node.potential(pair) for pair in node.totals if pair[1] == resource]
                wanted = each * ask.count
                if not reach or max(reach) == UNLIMITED or wanted <= max(reach):
                    continue
                who = (
                    f"jobs {source.declared.name}"
                    if severity is Severity.ERROR
                    else f"some jobs {source.declared.name}"
                )
                return LARGER_THAN_EVER.finding(
                    f"Scenario {scenario.name}: {who} ask for {amount(wanted, resource)}, and ClusterQueue {queue} can "
                    f"never have more than {amount(max(reach), resource)}",
                    _place(scenario, source),
                    subject=f"Scenario {scenario.name}",
                    severity=severity,
                    help=("ask for less, or raise what the queue may borrow",),
                )
    return None


def _by_nodes(
    scenario: Scenario, source: Source, cluster: Cluster, hosts: list[Host], queue: str
) -> Finding | None:
    flavors = [cluster.flavors[n] for n in cluster.queues[queue].flavors if n in cluster.flavors]
    for size, severity in zip(_sizes(source.declared), (Severity.ERROR, Severity.WARNING), strict=True):
        for ask in source.shape(*size).podsets:
            rooms = [host for flavor in flavors for host in allowed(ask, (flavor,), hosts)]
            for resource, each in ask.on_node.items():
                largest = max((host.total.get(resource, 0) for host in rooms), default=0)
                if not rooms or each <= largest:
                    continue
                who = (
                    f"jobs {source.declared.name}"
                    if severity is Severity.ERROR
                    else f"some jobs {source.declared.name}"
                )
                return LARGER_THAN_NODE.finding(
                    f"Scenario {scenario.name}: pods of {who} ask for {amount(each, resource)}, and the largest node of "
                    f"their flavors has {amount(largest, resource)}",
                    _place(scenario, source),
                    subject=f"Scenario {scenario.name}",
                    severity=severity,
                    help=("ask for less per pod, and for more pods",),
                )
    return None


def _place(scenario: Scenario, source: Source) -> Origin:
    declared = source.declared
    field = "gpus" if declared.gpus is not None else "template" if declared.template else "name"
    return scenario.at(*declared.path, field)
