"""What quotas promise, per resource and flavor, and which promises are not measured against nodes.

A promise is a nominalQuota of a ClusterQueue or of a Cohort (a cohort's own quota adds to its members'). Not
measured are: flavors without an object (another rule names them), elastic ones (an autoscaler or another cluster
stands behind them), virtual resources (no node advertises them) and what an admin declared unbounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final, TypeAlias

from kohort.dataclass import dataclass
from kohort.objects.cluster import Allowance, Cluster
from kohort.objects.kueue import ClusterQueue
from kohort.semantics import FlavorResource, QuotaTree, TreeNode

UNBOUNDED_ANNOTATION: Final = "kohort.dev/unbounded"
"""On a ResourceFlavor: resources (comma-separated, or `*`) whose quota is meant to exceed the nodes."""

_ELASTIC_CONTROLLERS: Final = {
    "kueue.x-k8s.io/provisioning-request": "provisions nodes on demand",
    "kueue.x-k8s.io/multikueue": "sends workloads to other clusters",
}
_FULL: Final = 100

Sums: TypeAlias = Mapping[str, Mapping[str, int]]
"""resource → flavor → units."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One nominalQuota above 0."""

    holder: TreeNode
    flavor: str
    resource: str
    units: int
    slack: bool

    @property
    def name(self) -> str:
        """`ClusterQueue train`."""
        return f"{'ClusterQueue' if self.holder.is_queue else 'Cohort'} {self.holder.name}"


@dataclass(frozen=True, slots=True)
class Elastic:
    """A flavor whose quota in one queue is gated by a check that finds or makes capacity elsewhere."""

    queue: ClusterQueue
    flavor: str
    check: str
    effect: str


@dataclass(slots=True)
class Promises:
    """All promises of a cluster. `firm` are those of teams and cohorts, `slack` those of slack queues."""

    tree: QuotaTree
    slack_queues: frozenset[str]
    firm: defaultdict[str, defaultdict[str, int]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(int))
    )
    slack: defaultdict[str, defaultdict[str, int]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(int))
    )
    elastic: list[Elastic] = field(default_factory=list)
    virtual: dict[str, list[Promise]] = field(default_factory=dict)
    skipped: set[tuple[str, str]] = field(default_factory=set)  # (holder name or "", flavor) that are elastic
    percents: dict[FlavorResource, int] = field(default_factory=dict)
    unbounded: dict[FlavorResource, str] = field(default_factory=dict)  # → the reason given

    def flavors(self) -> set[str]:
        """Every flavor with a measured promise."""
        return {
            flavor for sums in (self.firm, self.slack) for by_flavor in sums.values() for flavor in by_flavor
        }

    def of(self, flavors: Iterable[str], resource: str) -> list[Promise]:
        """The measured promises on these flavors, the largest first, then in order of the tree."""
        pairs = [(flavor, resource) for flavor in flavors]
        found = [
            Promise(node, flavor, resource, node.limits[flavor, resource].nominal, self.is_slack(node))
            for node in self.tree.nodes()
            for flavor, _ in pairs
            if (flavor, resource) in node.limits
            and node.limits[flavor, resource].nominal > 0
            and (node.name if node.is_queue else "", flavor) not in self.skipped
        ]
        return sorted(found, key=lambda promise: -promise.units)

    def firm_of(self, flavor: str, resource: str) -> int:
        """What teams and cohorts are promised of a flavor."""
        sums = self.firm.get(resource)
        return 0 if sums is None else sums.get(flavor, 0)

    def slack_of(self, flavor: str, resource: str) -> int:
        """The slack quota of a flavor."""
        sums = self.slack.get(resource)
        return 0 if sums is None else sums.get(flavor, 0)

    def sum_of(self, flavor: str, resource: str) -> int:
        """Everything promised of a flavor."""
        return self.firm_of(flavor, resource) + self.slack_of(flavor, resource)

    def is_slack(self, node: TreeNode) -> bool:
        """Whether the node is a slack queue."""
        return node.is_queue and node.name in self.slack_queues

    def percent(self, flavor: str, resource: str) -> int:
        """To how much of healthy capacity promises may reach."""
        return self.percents.get((flavor, resource), _FULL)

    def scaled(self, sums: Mapping[str, int], resource: str) -> dict[str, int]:
        """Sums as hardware: with overcommit of 150 % a promise of 24 stands for 16; rounded up."""
        if not self.percents:
            return dict(sums)
        return {f: -(-units * _FULL // self.percent(f, resource)) for f, units in sums.items()}


def collect(cluster: Cluster, tree: QuotaTree, advertised: frozenset[str]) -> Promises:
    """Add up what a cluster promises. `advertised` are the resources that some node states."""
    promises = Promises(tree, cluster.slack_queues)
    allowances = [*cluster.allowances, *annotated(cluster)]
    checks = elastic_checks(cluster)
    if checks:
        for queue in cluster.queues.values():
            _mark_elastic(queue, checks, promises)
        _mark_cohorts(tree, promises)
    for node in tree.nodes():
        is_slack = promises.is_slack(node)
        sums = promises.slack if is_slack else promises.firm
        holder = node.name if node.is_queue else ""
        for pair, limits in node.limits.items():
            flavor, resource = pair
            if limits.nominal <= 0 or flavor not in cluster.flavors or (holder, flavor) in promises.skipped:
                continue
            if resource not in advertised:
                promise = Promise(node, flavor, resource, limits.nominal, is_slack)
                promises.virtual.setdefault(resource, []).append(promise)
            elif not allowances or not _allowed(pair, allowances, promises):
                sums[resource][flavor] += limits.nominal
    return promises


def annotated(cluster: Cluster) -> list[Allowance]:
    """Allowances that stand as annotation on a ResourceFlavor, for plain YAML."""
    found = []
    for flavor in cluster.flavors.values():
        text = flavor.obj.annotations().get(UNBOUNDED_ANNOTATION, "")
        for resource in filter(None, (part.strip() for part in text.split(","))):
            where = flavor.obj.at("metadata", "annotations", UNBOUNDED_ANNOTATION)
            name = "" if resource == "*" else resource
            found.append(Allowance(flavor.name, name, None, f"annotation {UNBOUNDED_ANNOTATION}", where))
    return found


def _allowed(pair: FlavorResource, allowances: list[Allowance], promises: Promises) -> bool:
    for allowance in allowances:
        if allowance.flavor != pair[0] or allowance.resource not in {"", pair[1]}:
            continue
        if allowance.percent is None:
            promises.unbounded[pair] = allowance.reason
            return True
        promises.percents[pair] = max(1, allowance.percent)
        return False
    return False


def elastic_checks(cluster: Cluster) -> dict[str, str]:
    """Admission checks whose controller finds capacity elsewhere → what it does."""
    found = {}
    for obj in cluster.kueue_kind("AdmissionCheck"):
        controller = obj.get("spec", "controllerName")
        if isinstance(controller, str) and controller in _ELASTIC_CONTROLLERS:
            found[obj.name] = _ELASTIC_CONTROLLERS[controller]
    return found


def _mark_elastic(queue: ClusterQueue, checks: Mapping[str, str], promises: Promises) -> None:
    for flavor in queue.flavors if queue.checks else ():
        for name, only in queue.checks:
            if name in checks and (not only or flavor in only):
                promises.elastic.append(Elastic(queue, flavor, name, checks[name]))
                promises.skipped.add((queue.name, flavor))
                break


def _mark_cohorts(tree: QuotaTree, promises: Promises) -> None:
    """A cohort's own quota of a flavor is elastic when every queue that lists the flavor is gated."""
    gated = {flavor for _, flavor in promises.skipped}
    for node in tree.queues.values():
        gated -= {flavor for flavor, _ in node.limits if (node.name, flavor) not in promises.skipped}
    promises.skipped |= {("", flavor) for flavor in gated}
