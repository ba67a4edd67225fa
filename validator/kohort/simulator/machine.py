"""The machine that owns time: objects and works go in, it lets the model of Kueue run, and tells what happened.

Everything that is done from outside happens at a moment, in milliseconds since the start; moments never go back (an earlier
one counts as now). Nothing moves until `settle` or `run_until` is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kohort.objects.kube import KubeObject, mappings
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.status.moments import moment
from kohort.semantics.topology.forest import Host
from kohort.semantics.work import Work
from kohort.simulator import lifecycle, objects, timers, workloads
from kohort.simulator.events import Event
from kohort.simulator.scheduling import schedule
from kohort.simulator.submitting import submit
from kohort.simulator.topology import put_hosts
from kohort.simulator.view import View, view
from kohort.simulator.world import World

# The order in which objects of a start are read: what others refer to comes first.
_ORDER = (
    "Namespace", "LimitRange", "RuntimeClass", "WorkloadPriorityClass", "Topology", "ResourceFlavor", "Node", "AdmissionCheck", "Cohort", "ClusterQueue", "LocalQueue",
)  # fmt: skip


class Machine:
    """One run. Attributes: world, for those who look closer than `view` does."""

    def __init__(self, world: World) -> None:
        self.world = world

    @classmethod
    def start(
        cls,
        objects: Sequence[KubeObject],
        *,
        settings: Settings,
        kueue: str = "",
        stop_time: int = 0,
        ready_time: int | None = 0,
        explain: bool = False,
        forget_finished: bool = False,
        epoch: int | None = None,
    ) -> Machine:
        """A cluster with these objects at moment 0, Workloads with their status included.

        Args:
            objects: plain Kubernetes objects; kinds that decide nothing are ignored.
            settings: how the manager is configured.
            kueue: version; that of the settings when empty.
            stop_time: milliseconds from the decision to evict until the pods are gone.
            ready_time: milliseconds from admission until the pods are ready; None when only told so.
            explain: keep all that each attempt looked at.
            forget_finished: finished works leave nothing behind.
            epoch: what moment 0 is, in milliseconds since 1970; without one the newest time in the objects.
        """
        del kueue
        state = State(settings=settings)
        world = World(state, stop_time, ready_time, explain, forget_finished)
        machine = cls(world)
        world.epoch = newest(objects) if epoch is None else epoch
        machine._load(objects)
        return machine

    def apply(self, obj: KubeObject, at: int) -> None:
        """Create an object, or put it in the place of the one of its name; a Workload with its status."""
        self._at(at)
        if obj.kind == "Workload":
            workloads.put(self.world, obj)
        else:
            objects.put(self.world, obj)

    def remove(self, kind: str, namespace: str, name: str, at: int) -> None:
        """Delete an object; nothing happens if it does not exist."""
        self._at(at)
        if kind == "Workload":
            work = self.world.works.get(f"{namespace}/{name}")
            if work is not None:
                lifecycle.delete(self.world, work)
        else:
            objects.remove(self.world, kind, namespace, name)

    def submit(self, work: Work, at: int) -> None:
        """A new work is created. Its `created` and `uid` are filled in where they are absent."""
        self._at(at)
        submit(self.world, work)

    def finish(self, key: str, at: int) -> None:
        """A work is done, whatever it waited for."""
        self._at(at)
        work = self.world.works.get(key)
        if work is not None:
            lifecycle.finish(self.world, work)

    def set_active(self, key: str, active: bool, at: int) -> None:
        """Set `spec.active`."""
        self._at(at)
        workloads.set_active(self.world, key, active=active)

    def set_check(
        self, key: str, check: str, state: str, at: int, message: str = "", *, after: int = 0
    ) -> None:
        """An admission check's controller says Pending, Ready, Retry or Rejected about a work.

        `after` are the seconds until a Retry may be tried again.
        """
        self._at(at)
        workloads.set_check(self.world, key, check, state, message, after=after)

    def set_ready(self, key: str, ready: bool, at: int) -> None:
        """All pods of a work are ready, or no longer are; for a machine whose `ready_time` is None.

        It moves no quota, so a preemption loop that was stopped stays stopped.
        """
        if at > self.world.now:
            self._at(at)
        workloads.set_ready(self.world, key, ready=ready)

    def set_reclaimable(self, key: str, pods: Mapping[str, int], at: int) -> None:
        """So many pods of each pod set are not needed any more."""
        self._at(at)
        workloads.set_reclaimable(self.world, key, pods)

    def nodes(self, hosts: Mapping[str, Host | None], at: int) -> None:
        """All nodes as they are now, by name; None for one that is not Ready or cordoned."""
        self._at(at)
        put_hosts(self.world, hosts)

    def prefer(self, keys: Iterable[str]) -> None:
        """Where the real system decides by chance, let it fall on these works: to follow a run that was observed.

        From now on what chance decided stands in `View.any_of`.
        """
        self.world.state.preferred = frozenset(keys)
        self.world.watch_chance = True

    def settle(self) -> list[Event]:
        """Let everything happen that is due now or within two batch periods of the last thing that happened."""
        self.world.open.clear()
        rest = 2 * self.world.state.settings.batch
        self._settle_now()
        while (due := timers.next_due(self.world)) is not None and due <= self.world.now + rest:
            self.world.state.now = max(self.world.now, due)
            self._settle_now()
        return self._told()

    def run_until(self, t: int) -> list[Event]:
        """Let time pass up to and including moment `t`."""
        self._settle_now()
        while (due := timers.next_due(self.world)) is not None and due <= t:
            self.world.state.now = max(self.world.now, due)
            self._settle_now()
        self.world.state.now = max(self.world.now, t)
        return self._told()

    def next_due(self) -> int | None:
        """When something happens by itself; None when nothing will."""
        idle = self.world.now >= self.world.busy_until
        return self.world.now if self.world.dirty and idle else timers.next_due(self.world)

    def view(self) -> View:
        """Everything as it is now."""
        return view(self.world)

    def work(self, key: str) -> Work | None:
        """One work, to look at: conditions, assignment, counters."""
        return self.world.works.get(key)

    def advance(self, at: int) -> None:
        """Let time pass up to a moment."""
        self._at(at)

    def _load(self, given: Sequence[KubeObject]) -> None:
        world = self.world
        world.loading = True
        rank = {kind: place for place, kind in enumerate(_ORDER)}
        for obj in sorted((each for each in given if each.kind in rank), key=lambda each: rank[each.kind]):
            objects.put(world, obj)
        world.loading = False
        objects.rebuild(world)
        for obj in given:
            if obj.kind == "Workload":
                workloads.put(world, obj)

    def _at(self, at: int) -> None:
        world = self.world
        if at > world.now:
            self._settle_now()
            while (due := timers.next_due(world)) is not None and due < at:
                world.state.now = max(world.now, due)
                self._settle_now()
            world.state.now = at
        if world.frozen or world.rounds:
            for tree in world.frozen:
                world.dirty[tree] = None
            world.frozen.clear()
            world.rounds.clear()

    def _settle_now(self) -> None:
        """Let everything happen that is due. What controllers and pods do at once comes before the next cycle."""
        world = self.world
        while True:
            if timers.run_next(world):
                continue
            if world.stale:
                objects.refresh(world)
            elif not schedule(world):
                return

    def _told(self) -> list[Event]:
        told, self.world.events = self.world.events, []
        return told


def newest(objects: Sequence[KubeObject]) -> int:
    """The latest time that Workload objects tell, in milliseconds since 1970; 0 where they tell none."""
    times = [0]
    for obj in objects:
        if obj.kind == "Workload":
            said = [each.get("lastTransitionTime") for _, each in mappings(obj.get("status", "conditions"))]
            times += (moment(each) or 0 for each in (obj.get("metadata", "creationTimestamp"), *said))
    return max(times)
