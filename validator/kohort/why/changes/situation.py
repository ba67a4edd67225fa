"""What every kind of change starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kohort.live.users import UsersOf
from kohort.semantics.amount import add_usage, scale
from kohort.semantics.ledger import Cell
from kohort.semantics.state import Queue, State
from kohort.semantics.tree import FlavorResource
from kohort.semantics.work import Work
from kohort.why.answer import Look

_PODS = "pods"


@dataclass(frozen=True, slots=True)
class Lack:
    """A flavor that is open to the job, what the whole job would use of it, and what of that cannot be had now."""

    flavor: str
    usage: Mapping[FlavorResource, int]
    missing: Mapping[FlavorResource, int]  # against what is available, which overcommitment makes negative

    @property
    def scarce(self) -> FlavorResource:
        """What it lacks most of, in proportion to what it asks for."""
        return max(self.missing, key=lambda pair: (self.missing[pair] / max(1, self.usage[pair]), pair[1]))


@dataclass(frozen=True, slots=True)
class Situation:
    """A job that is not admitted, what was looked at for it, and what else may be tried.

    `classes` are the declared priorities (name → value), `siblings` the other ClusterQueues that the job's namespace can
    submit to, by LocalQueue.
    """

    work: Work
    queue: Queue
    state: State
    looks: tuple[Look, ...]
    classes: Mapping[str, int]
    siblings: Mapping[str, Queue]
    users: UsersOf

    def lacks(self) -> tuple[Lack, ...]:
        """The flavors that only lack quota, the one that lacks least first."""
        flavors = dict.fromkeys(look.flavor for look in self.looks if look.quotas)
        found = [lack for flavor in flavors if (lack := self._lack(flavor)) is not None]
        return tuple(
            sorted(found, key=lambda lack: lack.missing[lack.scarce] / max(1, lack.usage[lack.scarce]))
        )

    def cell(self, pair: FlavorResource) -> Cell:
        """The queue's cell of what a lack names."""
        cell = self.queue.cell(pair)
        assert cell is not None  # the queue stands in the tree
        return cell

    def _lack(self, flavor: str) -> Lack | None:
        """As if all pods took this flavor."""
        usage: dict[FlavorResource, int] = {}
        for ask in self.work.podsets:
            wanted = {**ask.requests, _PODS: 1}
            for resource, units in wanted.items():
                pair = (flavor, resource)
                if pair in self.queue.cells and units > 0:
                    usage[pair] = add_usage(usage.get(pair, 0), scale(units, ask.count))
        missing = {pair: units - self.cell(pair).available() for pair, units in usage.items()}
        missing = {pair: units for pair, units in missing.items() if units > 0}
        return Lack(flavor, usage, missing) if missing else None
