"""What workloads among the objects ask of their queues, and whether a queue could ever give it.

Source: Kueue 0.19 flavor assignment: a pod set takes one flavor per resource group, all its pods together must fit
the most that the queue can ever have of that flavor (potential), and a request of 0 asks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final

from kohort.capacity.health import NodeFacts
from kohort.capacity.promises import Promises
from kohort.capacity.shapes import copies, gang
from kohort.capacity.supply import FlavorSupply
from kohort.dataclass import dataclass
from kohort.objects.cluster import Cluster
from kohort.objects.kube import Json, KubeObject
from kohort.objects.kueue import ClusterQueue, ResourceGroup
from kohort.objects.podset import value_at
from kohort.objects.podsets import PodSet, podsets, requests
from kohort.objects.tolerations import untolerated
from kohort.semantics import QuotaTree, TreeNode, kueue_request

QUEUE_LABEL: Final = "kueue.x-k8s.io/queue-name"
_MOST_CHOICES: Final = 64  # flavor combinations tried; with more, nothing is claimed
_PODS: Final = "pods"


@dataclass(frozen=True, slots=True)
class Ask:
    """One pod set of a workload that stands in a known queue.

    `request` is what one pod asks in Kueue's units, without zeros. `count` is the least number of pods that can be
    admitted together (partial admission counted).
    """

    obj: KubeObject
    podset: PodSet
    queue: TreeNode
    request: Mapping[str, int]
    count: int

    def of(self, resource: str) -> int:
        """What all its pods ask of a resource."""
        return self.request.get(resource, 0) * self.count


def asks(cluster: Cluster, tree: QuotaTree) -> Iterator[Ask]:
    """Every pod set whose queue is known and covers all that it requests, in file order."""
    ranges: dict[str, list[Json]] = {}
    for limit_range in cluster.kind("LimitRange", ""):
        ranges.setdefault(limit_range.namespace, []).append(limit_range.data)
    for obj in cluster.objects:
        queue = _queue_of(obj, cluster, tree)
        if queue is None or not isinstance(queue.source, ClusterQueue):
            continue
        found = podsets(obj.data)
        for podset in found.found:
            pod = requests(podset, ranges.get(obj.namespace, ()))
            units = {r: kueue_request(q, r) for r, q in pod.items() if q.sign > 0}
            covered = queue.source.covered
            if _PODS in covered:
                units.setdefault(_PODS, 1)
            count = podset.count // max(1, found.workloads)
            if podset.min_count is not None:
                count = min(count, podset.min_count)
            if count > 0 and units and covered.issuperset(units):
                yield Ask(obj, podset, queue, units, count)


def _queue_of(obj: KubeObject, cluster: Cluster, tree: QuotaTree) -> TreeNode | None:
    labels = value_at(obj.data, ("metadata", "labels"))
    name = labels.get(QUEUE_LABEL) if isinstance(labels, Mapping) else None
    if name is None and obj.kind == "Workload":
        name = obj.get("spec", "queueName")
    if not isinstance(name, str):
        return None
    local = cluster.local_queues.get((obj.namespace, name))
    return None if local is None else tree.queues.get(local.cluster_queue)


def out_of_reach(ask: Ask) -> tuple[str, str, int] | None:
    """A resource of which the queue can never have enough: (flavor, resource, most it can have), else None.

    Named is the flavor of the group that comes nearest.
    """
    for group in _groups(ask):
        wanted = [r for r in group.covered if ask.of(r)]
        nearest: tuple[str, str, int] | None = None
        for flavor in group.flavors:
            short = next((r for r in wanted if ask.of(r) > ask.queue.potential((flavor.flavor, r))), None)
            if short is None:
                break
            most = ask.queue.potential((flavor.flavor, short))
            if nearest is None or most > nearest[2]:
                nearest = (flavor.flavor, short, most)
        else:
            if nearest is not None:
                return nearest
    return None


@dataclass(frozen=True, slots=True)
class Placement:
    """The best choice of flavors for an ask: on which nodes it may land and how many of its pods fit there."""

    flavors: tuple[str, ...]
    nodes: tuple[NodeFacts, ...]
    fits: int
    measured: Mapping[str, int]  # the part of a pod's request that nodes are measured by


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be said of an ask: what is out of reach by quota, else the best placement if nodes are known."""

    ask: Ask
    beyond: tuple[str, str, int] | None
    placement: Placement | None


def best_placement(ask: Ask, supplies: Mapping[str, FlavorSupply], promises: Promises) -> Placement | None:
    """The choice that holds most pods, counted up to the wanted count.

    None when nothing can be said: a choice is elastic or has no healthy node (its own finding), or there are too many.
    """
    groups = [g for g in _groups(ask) if any(ask.of(r) for r in g.covered)]
    choices = list(islice(product(*([f.flavor for f in g.flavors] for g in groups)), _MOST_CHOICES + 1))
    if not groups or len(choices) > _MOST_CHOICES:
        return None
    best: Placement | None = None
    for choice in choices:
        if any((ask.queue.name, f) in promises.skipped or f not in supplies for f in choice):
            return None
        nodes = _shared_nodes(ask, [supplies[f] for f in choice])
        if not nodes:
            return None
        measured = {
            resource: units
            for flavor, group in zip(choice, groups, strict=True)
            for resource in group.covered
            if (units := ask.request.get(resource, 0))
            and resource not in promises.virtual
            and (flavor, resource) not in promises.unbounded
        }
        fits = gang(measured, nodes, ask.count)
        if best is None or fits > best.fits:
            best = Placement(choice, nodes, fits, measured)
        if fits >= ask.count:
            break
    return best


def fits_one(placement: Placement) -> bool:
    """Whether some node holds a single pod."""
    return any(copies(placement.measured, found.units) for found in placement.nodes)


def _groups(ask: Ask) -> Sequence[ResourceGroup]:
    return ask.queue.source.groups if isinstance(ask.queue.source, ClusterQueue) else ()


def _shared_nodes(ask: Ask, supplies: Sequence[FlavorSupply]) -> tuple[NodeFacts, ...]:
    """Nodes that every chosen flavor lands on, with those whose taints the pod itself tolerates."""
    own = value_at(ask.podset.template, ("spec", "tolerations"))
    tolerations = own if isinstance(own, list) else []
    if len(supplies) == 1 and not tolerations:
        return supplies[0].nodes
    shared: dict[str, NodeFacts] | None = None
    for supply in supplies:
        here = {found.node.name: found for found in supply.nodes}
        for exclusion in supply.excluded if tolerations else ():
            if exclusion.kinds == {"taint"} and not untolerated(
                exclusion.node.taints, [*supply.tolerations, *tolerations]
            ):
                here[exclusion.node.name] = exclusion.facts
        shared = here if shared is None else {n: f for n, f in shared.items() if n in here}
    return tuple((shared or {}).values())
