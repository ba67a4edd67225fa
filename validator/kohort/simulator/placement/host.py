"""A node of a run: what is free on it, and whether it takes pods now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kohort.capacity.health import facts
from kohort.capacity.words import is_device
from kohort.objects.cluster import Cluster
from kohort.objects.health import HealthVocabulary
from kohort.objects.kueue import Taint
from kohort.objects.node import Node
from kohort.semantics.topology.forest import Host as Seen

HOSTNAME = "kubernetes.io/hostname"


@dataclass(eq=False, slots=True)
class Host:
    """A node. Amounts are in Kueue's units; `free` may fall below zero for a device that is lost under a running pod.

    `out` is a declared outage or a taint of ill health, which a run does not change; the rest changes with events.
    """

    name: str
    order: int
    labels: dict[str, str]
    taints: tuple[Taint, ...]
    total: dict[str, int]  # with every device alive
    free: dict[str, int]
    first_labels: Mapping[str, str]
    first_cordon: bool = False
    first_ready: bool = True
    first_lost: Mapping[str, int] = field(default_factory=dict)
    cordon: bool = False
    ready: bool = True
    out: bool = False
    ill: bool = False  # a health label says so: no new pods
    evicts: bool = False  # a health label of the worst kind: AppWrapper moves running work away
    lost: dict[str, int] = field(default_factory=dict)

    @property
    def takes_pods(self) -> bool:
        """Whether a new pod may come."""
        return self.ready and not (self.cordon or self.out or self.ill)

    def devices(self) -> int:
        """Devices that are alive."""
        return sum(amount - self.lost.get(name, 0) for name, amount in self.total.items() if is_device(name))

    def free_devices(self) -> int:
        """Devices that no pod has."""
        return sum(amount for name, amount in self.free.items() if is_device(name))

    def seen(self) -> Seen | None:
        """The node as Kueue sees it; None while it is not Ready or takes no pods. Health labels mean nothing to Kueue."""
        if self.cordon or not self.ready:
            return None
        units = {name: amount - self.lost.get(name, 0) for name, amount in self.total.items()}
        return Seen(self.name, dict(self.labels), units, self.taints)

    def judge(self, health: HealthVocabulary, evicting: Mapping[str, frozenset[str]]) -> None:
        """Read its health labels again."""
        self.ill = any(self.labels.get(signal.key) in signal.bad for signal in health.labels)
        self.evicts = any(self.labels.get(key) in values for key, values in evicting.items())

    def lose(self, lost: Mapping[str, int]) -> None:
        """From now on so many devices are lost, by resource."""
        for name, count in lost.items():
            count = min(count, self.total.get(name, 0))  # noqa: PLW2901 - no more than there are
            self.free[name] = self.free.get(name, 0) + self.lost.get(name, 0) - count
            self.lost[name] = count


def hosts_of(cluster: Cluster) -> list[Host]:
    """The nodes of a cluster, in its order."""
    return [_host(node, number, cluster) for number, node in enumerate(cluster.nodes)]


def _host(node: Node, number: int, cluster: Cluster) -> Host:
    known = facts(node, cluster)
    labels = {HOSTNAME: node.name, **node.labels}
    lost = {name: whole - alive for name, (whole, alive) in known.lost.items()}
    ready = node.conditions.get("Ready", "True") == "True"
    host = Host(
        node.name,
        number,
        dict(labels),
        node.taints,
        dict(known.whole),
        dict(known.units),
        labels,
        node.unschedulable,
        ready,
        lost,
        node.unschedulable,
        ready,
        lost=dict(lost),
    )
    told = {f"{signal.key}={labels[signal.key]}" for signal in cluster.health.labels if signal.key in labels}
    host.out = any(
        reason not in told and reason != "spec.unschedulable" and not reason.startswith("Ready=")
        for reason in known.reasons
    )
    return host
