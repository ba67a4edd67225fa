"""Everything a run knows at one moment, and the few moves that all parts of it share.

Source: Kueue 0.19.1 `pkg/cache/queue/manager.go` (which queues and LocalQueues the queue manager knows, whom an event wakes).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from heapq import heappush
from typing import Any, Final

from kohort.objects.kube import KubeObject
from kohort.objects.selectors import matches
from kohort.semantics.activity import Check
from kohort.semantics.cycle import Entry
from kohort.semantics.queues import Pending
from kohort.semantics.sharing.admission import Consumption
from kohort.semantics.state import Queue, State
from kohort.semantics.topology.forest import Host
from kohort.semantics.work import Condition, Phase, Work
from kohort.simulator.events import AnyOf, Event, Happened

STATUS_PERIOD: Final = 1_000  # milliseconds that Kueue collects changes before it writes a queue's status
Local = tuple[str, str]
"""(namespace, LocalQueue)."""
Timer = tuple[int, int, str, str]
"""(due, number, what, about): see `timers.py`."""


@dataclass(eq=False)
class World:
    """The state of the model of Kueue, and around it what moves it.

    Attributes:
        stop_time: milliseconds from the decision to evict until the pods are gone and the quota is released.
        ready_time: milliseconds from admission until all pods are ready; None when only told so.
        explain: whether each attempt keeps all that it looked at.
        works: every work that exists, by key.
        of_local: the unfinished works of each LocalQueue.
        pendings: the pending work of each ClusterQueue that exists.
        known: LocalQueues that the queue manager knows: existing ones that are not stopped.
        dirty: trees (`tree_of`) in which something changed since their last cycle.
        batches: trees whose parked work is to be looked at again → when.
        seen: per tree, states in which nothing moved; a cycle that comes back to one of them changes nothing.
        cycles: per tree, how many cycles were run.
        frozen: trees that run in circles: nothing is done there until something else happens.
    """

    state: State
    stop_time: int = 0
    ready_time: int | None = 0
    explain: bool = False
    forget: bool = False
    works: dict[str, Work] = field(default_factory=dict)
    of_local: defaultdict[Local, dict[str, Work]] = field(default_factory=lambda: defaultdict(dict))
    pendings: dict[str, Pending] = field(default_factory=dict)
    known: set[Local] = field(default_factory=set)
    checks: dict[str, Check] = field(default_factory=dict)
    limits: dict[str, list[KubeObject]] = field(default_factory=dict)  # namespace → its LimitRanges
    runtimes: dict[str, Any] = field(default_factory=dict)  # RuntimeClasses by name
    sources: dict[str, KubeObject] = field(default_factory=dict)  # Workload objects as they were given last
    retries: dict[tuple[str, str], int] = field(
        default_factory=dict
    )  # (work, check) → when what says Retry may be tried again
    epoch: int = 0  # moment 0, in milliseconds since 1970
    classes: dict[str, int] = field(default_factory=dict)  # WorkloadPriorityClass → value
    hosts: dict[str, Host] = field(default_factory=dict)  # Ready, schedulable nodes: see `topology.py`
    nodes_known: bool = False
    terminating: set[tuple[str, str]] = field(
        default_factory=set
    )  # (kind, name) that waits for its users to go
    told: dict[str, tuple[str, object]] = field(
        default_factory=dict
    )  # work → what QuotaReserved=False says of it
    said: dict[tuple[str, str], str] = field(default_factory=dict)  # (work, check) → message of the check
    timers: list[Timer] = field(default_factory=list)
    batches: dict[tuple[str, str], int] = field(default_factory=dict)
    dirty: dict[tuple[str, str], None] = field(default_factory=dict)
    seen: dict[tuple[str, str], set[object]] = field(default_factory=dict)
    cycles: dict[tuple[str, str], int] = field(default_factory=dict)
    rounds: dict[tuple[str, str], dict[object, int]] = field(default_factory=dict)
    frozen: set[tuple[str, str]] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    trees: dict[tuple[str, str], list[Queue]] = field(default_factory=dict)
    tree_names: dict[str, tuple[str, str]] = field(default_factory=dict)  # ClusterQueue → its tree
    neighbours: tuple[
        tuple[str, str], ...
    ] = ()  # trees with queues that place pods on nodes: they touch there
    restarted: list[str] = field(
        default_factory=list
    )  # ClusterQueues whose drained work comes back after the next cycle
    coming_back: list[Work] = field(
        default_factory=list
    )  # drained work behind the first: see `restarting.py`
    unsettled: list[Work] = field(default_factory=list)  # admitted works whose charge is not measured use yet
    uses: dict[Local, Consumption] = field(
        default_factory=dict
    )  # `usage_share.py`: what each LocalQueue used of late
    open: list[AnyOf] = field(default_factory=list)  # what chance decided since the last settling began
    watch_chance: bool = False  # find out what chance could have decided otherwise: it costs further searches
    under_cohorts: set[str] = field(
        default_factory=set
    )  # ClusterQueues with a Cohort object above, the root aside
    moving: set[str] = field(default_factory=set)  # those of them whose status is about to be written
    rewritten: set[str] = field(
        default_factory=set
    )  # ClusterQueues whose status was written since somebody looked
    shown_shares: dict[str, int] = field(default_factory=dict)  # the share as it was written last
    shown_pending: dict[str, int] = field(
        default_factory=dict
    )  # ClusterQueues whose status still counts work
    # of a LocalQueue that is gone: nobody writes it anew until something happens to their work
    statuses: dict[str, object] = field(default_factory=dict)  # what was written last
    blocked: tuple[tuple[str, str], list[Entry]] | None = None  # the cycle that waits for pods to be ready
    number: int = 0
    stale: bool = False  # somebody left a queue that waits for its users to go
    busy_until: int = 0  # the last cycle and its writes take until then, where they take time
    loading: bool = False  # objects of the start are read: nobody is woken, the tree is made once at the end

    @property
    def slow(self) -> bool:
        """Whether cycles or writes take time."""
        return self.state.settings.cycle > 0 or self.state.settings.write > 0

    @property
    def now(self) -> int:
        """This moment, in milliseconds."""
        return self.state.now

    @property
    def stamp(self) -> int:
        """This moment as the API writes it: in whole seconds."""
        return self.state.now - self.state.now % self.state.settings.resolution

    def say(
        self, what: Happened, work: Work, reason: str = "", *, by: str = "", any_of: tuple[str, ...] = ()
    ) -> None:
        """Note an event of a work."""
        queue = work.cluster_queue or self.queue_name(work)
        self.events.append(Event(self.state.now, what, work.key, queue, reason, by, (), any_of))

    def condition(self, work: Work, kind: str, reason: str, message: str = "", *, status: bool) -> bool:
        """Set a status condition; say whether anything changed. The time moves only with the status."""
        before = work.conditions.get(kind)
        at = before.at if before is not None and before.status == status else self.stamp
        made = Condition(status, reason, message, at)
        work.conditions[kind] = made
        return made != before

    def holds(self, work: Work, kind: str) -> bool:
        """Whether a condition is True."""
        found = work.conditions.get(kind)
        return found is not None and found.status

    def queue_name(self, work: Work) -> str:
        """The ClusterQueue that the work's LocalQueue names, "" where the LocalQueue is not known."""
        place = (work.namespace, work.queue)
        return self.state.local_queues[place].cluster_queue if place in self.known else ""

    def admissible(self, work: Work) -> bool:
        """Whether the work belongs into a queue at all."""
        return work.active and work.phase is Phase.PENDING and not work.gates

    def adjusting(self, namespace: str) -> list[Any]:
        """The LimitRanges of a namespace and all RuntimeClasses: what fills in the requests of pods."""
        ranges = [each.data for each in self.limits.get(namespace, ())]
        return [*ranges, *self.runtimes.values()] if self.runtimes else ranges

    def put(self, work: Work, *, changed: bool) -> None:
        """Add a work to its queue or tell the queue that it changed."""
        if not self.admissible(work):
            return
        name = self.queue_name(work)
        pending = self.pendings.get(name)
        if pending is not None:
            pending.put(work, self.state.now, changed=changed)
            self.wake(name)

    def drop(self, work: Work) -> None:
        """Take a work out of its queue; whoever stood behind it is next."""
        name = self.queue_name(work)
        pending = self.pendings.get(name)
        if pending is not None:
            pending.remove(work.key)
            self.wake(name)

    def wake(self, queue: str) -> None:
        """Something changed in the tree of a ClusterQueue: its heads are worth another look."""
        tree = self.tree_names.get(queue)
        if tree is not None:
            self.dirty[tree] = None
            if tree in self.neighbours:
                self.dirty.update(dict.fromkeys(self.neighbours))
            self.shown_pending.pop(queue, None)
            self.rewritten.add(queue)
            if queue in self.under_cohorts:
                self.status_moves(queue)

    def status_moves(self, queue: str) -> None:
        """The status of a ClusterQueue below a Cohort object may be written anew: see `statuses.py`."""
        self.rewritten.add(queue)
        if queue in self.under_cohorts and queue not in self.moving:
            self.moving.add(queue)
            self.after(STATUS_PERIOD, "status", queue)

    def retry_parked(self, queue: str) -> None:
        """Parked work in the whole tree of a ClusterQueue will be looked at again after the batch period."""
        tree = self.tree_names.get(queue)
        if tree is not None and queue not in self.state.ledger.tree.excluded_queues:
            self.batches.setdefault(tree, self.state.now + self.state.settings.batch)

    def released(self, queue: str) -> None:
        """Quota became free in a ClusterQueue."""
        self.wake(queue)
        if ("ClusterQueue", queue) in self.terminating:
            self.stale = True

    def after(self, pause: int, what: str, about: str) -> None:
        """Do something later: see `timers.py`."""
        self.number += 1
        heappush(self.timers, (self.state.now + pause, self.number, what, about))

    def selects(self, queue: str, namespace: str) -> bool:
        """Whether a ClusterQueue takes work of a namespace."""
        labels = self.state.namespaces.get(namespace)
        return labels is not None and matches(self.state.specs[queue].namespace_selector, labels)
