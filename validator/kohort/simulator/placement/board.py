"""Which pods stand where: jobs that hold nodes, those whose pods wait for room, and what that leaves free.

A gang is bound as a whole or not at all; the pods of other jobs are bound one by one and hold their nodes while the rest
waits. Waiting jobs are tried again in the order of their admission whenever something got free.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kohort.objects.health import HealthVocabulary
from kohort.objects.kueue import Flavor
from kohort.semantics.work import PodSetAsk
from kohort.simulator.placement.host import Host
from kohort.simulator.placement.packing import bind, free_again
from kohort.simulator.placement.rooms import allowed


class Wanted(NamedTuple):
    """Pods of one pod set that were admitted, with the flavors that it got, and the labels that a topology ties them to."""

    ask: PodSetAsk
    pods: int
    flavors: tuple[Flavor, ...]
    labels: Mapping[str, str] = {}  # of the one domain that they were given


@dataclass(eq=False, slots=True)
class Part:
    """The pods of one pod set: how many are wanted, where they may stand, where they do."""

    requests: Mapping[str, int]
    count: int
    hosts: list[Host]
    bound: list[Host] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Binding:
    """The pods of one job."""

    key: str
    gang: bool
    parts: list[Part]

    @property
    def complete(self) -> bool:
        """Whether every pod has a node."""
        return all(len(part.bound) == part.count for part in self.parts)

    def hosts(self) -> list[Host]:
        """The nodes that it stands on, each once, in order."""
        return sorted({host for part in self.parts for host in part.bound}, key=lambda host: host.order)


class Board:
    """All nodes and what stands on them."""

    def __init__(
        self,
        hosts: Iterable[Host],
        health: HealthVocabulary,
        evicting: Mapping[str, frozenset[str]],
        *,
        packing: bool = True,
    ) -> None:
        """`evicting` are the health labels whose values move running work away (NoExecute)."""
        self._packing = packing
        self.hosts = list(hosts)
        self.by_name = {host.name: host for host in self.hosts}
        self._health, self._evicting = health, evicting
        self._bindings: dict[str, Binding] = {}
        self._waiting: dict[str, Binding] = {}
        self._rooms: dict[object, tuple[PodSetAsk, list[Host], dict[str, dict[str | None, list[Host]]]]] = {}
        self._freed = False
        for host in self.hosts:
            host.judge(health, evicting)

    def place(self, key: str, wanted: Iterable[Wanted], *, gang: bool) -> bool:
        """Bind the pods of a job that was admitted; whether all have a node. Else it waits."""
        parts = [
            Part(each.ask.on_node, each.pods, self._room(each.ask, each.flavors, each.labels))
            for each in wanted
        ]
        binding = Binding(key, gang, parts)
        self._bindings[key] = binding
        if self._bind(binding):  # the scheduler tries every pod: a small job passes a large one that waits
            return True
        self._waiting[key] = binding
        return False

    def remove(self, key: str) -> None:
        """The pods of a job are gone."""
        binding = self._bindings.pop(key, None)
        if binding is None:
            return
        self._waiting.pop(key, None)
        for part in binding.parts:
            if part.bound:
                free_again(part.requests, part.bound)
                self._freed = True

    def settle(self) -> list[str]:
        """Try waiting jobs again if something got free; the jobs that are complete now, in order."""
        if not self._freed or not self._waiting:
            self._freed = False
            return []
        self._freed = False
        done = [key for key, binding in self._waiting.items() if self._bind(binding)]
        for key in done:
            del self._waiting[key]
        return done

    def on(self, host: Host) -> list[str]:
        """Jobs with a pod on a node, in order of placement."""
        return [
            key
            for key, binding in self._bindings.items()
            if any(host in part.bound for part in binding.parts)
        ]

    def nodes_of(self, key: str) -> tuple[str, ...]:
        """Names of the nodes that a job stands on."""
        binding = self._bindings.get(key)
        return tuple(host.name for host in binding.hosts()) if binding is not None else ()

    def changed(self, host: Host) -> None:
        """A node's labels, readiness, cordon or devices changed: who waits is tried again."""
        host.judge(self._health, self._evicting)
        self._rooms.clear()
        self._freed = True

    def devices(self) -> tuple[int, int, int]:
        """Healthy devices, those of them that are free, and those of these on nodes where all are free."""
        healthy = free = whole = 0
        for host in self.hosts:
            if host.takes_pods:
                alive, idle = host.devices(), max(0, host.free_devices())
                healthy, free, whole = healthy + alive, free + idle, whole + (idle if idle == alive else 0)
        return healthy, free, whole

    def _bind(self, binding: Binding) -> bool:
        for part in binding.parts:
            wanted = part.count - len(part.bound)
            if wanted:
                part.bound += bind(part.requests, wanted, part.hosts, packing=self._packing)
        if binding.complete:
            return True
        if binding.gang:
            for part in binding.parts:
                free_again(part.requests, part.bound)
                part.bound = []
        return False

    def _room(self, ask: PodSetAsk, flavors: tuple[Flavor, ...], labels: Mapping[str, str]) -> list[Host]:
        """Hosts that the pods may stand on, those of one domain where `labels` name it."""
        known = (id(ask), tuple(flavor.name for flavor in flavors))
        if known not in self._rooms:
            # the ask is kept, so that its id stays its own
            self._rooms[known] = (ask, allowed(ask, flavors, self.hosts), {})
        _, hosts, parts = self._rooms[known]
        if not labels:
            return hosts
        *above, (level, value) = labels.items()
        if (
            level not in parts
        ):  # there are as many domains as hosts: each is found without a walk over all hosts
            found = parts[level] = defaultdict(list)
            for host in hosts:
                found[host.labels.get(level)].append(host)
        return [
            host for host in parts[level].get(value, ()) if all(host.labels.get(k) == v for k, v in above)
        ]
