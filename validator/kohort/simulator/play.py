"""A run: jobs come, Kueue decides, pods find nodes, nodes fail, quota is edited, jobs end.

Time jumps from one thing that happens to the next, so empty hours cost nothing. Everything that is due at one moment is
done before Kueue looks again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kohort.capacity.words import is_device
from kohort.objects.kube import KubeObject
from kohort.objects.kueue import read_cluster_queue, read_cohort
from kohort.semantics.amount import UNLIMITED, kueue_amount
from kohort.semantics.work import Work
from kohort.simulator import wording
from kohort.simulator.agenda import Agenda
from kohort.simulator.arrivals.jobs import jobs_of, merged
from kohort.simulator.edits.slack import limited
from kohort.simulator.events import Event, Happened
from kohort.simulator.job import Job
from kohort.simulator.live import Live, Stage
from kohort.simulator.machine import Machine
from kohort.simulator.outages import Outages
from kohort.simulator.placement.board import Board
from kohort.simulator.placement.host import hosts_of
from kohort.simulator.preparing.ready import Deleted, Edit, Ready
from kohort.simulator.record import Capacity, End, Happening, JobRecord, Outcome, Run
from kohort.simulator.tending import Tending
from kohort.source.collector import no_collection

_OUTCOMES: Final = {
    Stage.QUEUED: Outcome.WAITING,
    Stage.ADMITTED: Outcome.ADMITTED,
    Stage.RESETTING: Outcome.ADMITTED,
    Stage.RUNNING: Outcome.RUNNING,
}
_QUOTA_ONLY = "no nodes are known: quota alone decided, and pods ran as soon as their job was admitted"


def play(ready: Ready, seed: int | None = None, *, timeline: bool = True) -> Run:
    """Play a scenario that has no errors.

    Args:
        ready: what is played.
        seed: in place of the scenario's own.
        timeline: keep every happening; without it a run of a million jobs stays small.
    """
    with no_collection():
        return _Play(ready, ready.scenario.seed if seed is None else seed, keep=timeline).run()


@dataclass(slots=True)
class _Log:
    """What is kept of a run while it goes on."""

    keep: bool
    jobs: list[JobRecord] = field(default_factory=list)
    lines: list[Happening] = field(default_factory=list)
    entitlement: list[tuple[int, dict[str, int]]] = field(default_factory=list)
    quota: list[tuple[int, int]] = field(default_factory=list)
    capacity: list[Capacity] = field(default_factory=list)
    loops: int = 0
    ties: int = 0

    def tell(self, at: int, what: str, about: str, detail: str = "") -> None:
        """One line of the timeline."""
        if self.keep:
            self.lines.append(Happening(at, what, about, detail))


class _Play:
    def __init__(self, ready: Ready, seed: int, *, keep: bool) -> None:
        self.ready, self.scenario, self.seed = ready, ready.scenario, seed
        self.log = _Log(keep)
        self.agenda = Agenda()
        cluster = ready.cluster
        self.objects = {
            (obj.kind, obj.namespace, obj.name): obj for obj in cluster.objects if obj.kind != "Workload"
        }
        system = self.scenario.system
        settings = replace(ready.settings, cycle=system.cycle, write=system.write)
        hosts = hosts_of(cluster)
        self.machine = Machine.start(
            [obj for obj in self.objects.values() if obj.kind != "Node"],
            settings=settings,
            kueue=cluster.kueue,
            ready_time=None if hosts else 0,
            forget_finished=True,
        )
        self.board = Board(hosts, cluster.health, ready.evicting, packing=ready.packing) if hosts else None
        self.tending = Tending(
            self.machine,
            self.agenda,
            self.board,
            cluster.flavors,
            self.log.tell,
            self.machine.world.state.topologies,
        )
        self.outages: Outages | None = None
        if self.board is not None:
            self._show_nodes(0)
            self.outages = Outages(self.board, self.tending, self.agenda, self.log.tell)
            for change in self.scenario.nodes:
                self.outages.plan(change)
        for at, edit in ready.edits:
            self.agenda.at(at, self._edit, edit)
        self.queues = {place: local.cluster_queue for place, local in cluster.local_queues.items()}
        self.devices = self._counts_devices()

    def run(self) -> Run:
        """Play until the horizon or until nothing is left to happen."""
        horizon = self.scenario.horizon
        jobs = self._jobs()
        job = next(jobs, None)
        self._promise(0)
        self._measure(0)
        while True:
            due = [
                t
                for t in (self.agenda.next, self.machine.next_due(), job.submitted if job else None)
                if t is not None
            ]
            now = min(due, default=horizon + 1)
            if now > horizon:
                break
            self._heed(self.machine.run_until(now))
            while job is not None and job.submitted <= now:
                self._submit(now, job)
                job = next(jobs, None)
            self.agenda.run(now)
            self._after(now)
        return self._result()

    def _jobs(self) -> Iterator[Job]:
        horizon = self.scenario.horizon
        sources = [jobs_of(source, self.seed, horizon) for source in self.ready.sources]
        return merged([*sources, (job for job in self.ready.load if job.submitted <= horizon)])

    def _submit(self, at: int, job: Job) -> None:
        who = job.submitter
        work = Work(
            job.key,
            who.queue,
            job.shape.podsets,
            priority=who.priority,
            priority_class=who.priority_class,
            refused=job.shape.refused,
        )
        queue = self.queues.get((who.namespace, who.queue), "")
        record = JobRecord(
            job.key,
            job.source,
            who.team or self.ready.teams.get(queue, queue),
            queue,
            who.priority,
            who.priority_class,
            job.shape.pods,
            job.shape.devices if self.devices else job.shape.cores,
            at,
            job.duration,
        )
        self.log.jobs.append(record)
        self.tending.lives[job.key] = Live(job, work, record)
        self.log.tell(at, "submitted", job.key, f"{record.amount}")
        self.machine.submit(work, at)

    def _heed(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.any_of:
                self.log.ties += 1
            if event.kind is Happened.LOOP:
                self.log.loops += 1
                self.log.tell(event.at, "preemption loop", " ".join(event.names))
                continue
            live = self.tending.lives.get(event.workload)
            if live is None:
                continue
            if event.kind is Happened.ADMITTED:
                self.tending.admitted(event.at, live)
            elif event.kind is Happened.EVICTED and live.stage is not Stage.QUEUED:
                self.tending.evicted(event.at, live, event.reason, event.preemptor)
            elif event.kind is Happened.DEACTIVATED:
                live.record.outcome = Outcome.REFUSED
                self.log.tell(event.at, "deactivated", event.workload, event.reason)
        if events and self.board is not None:
            self._after(self.machine.world.now)

    def _after(self, now: int) -> None:
        """Whoever waits for nodes is looked at again, and capacity is written down."""
        if self.board is None:
            return
        self.tending.placed(now)
        if self.outages is not None and self.outages.changed:
            self.outages.changed = False
            self._show_nodes(now)
            if self.scenario.slack_after is not None:
                self.agenda.at(now + self.scenario.slack_after, self._follow_slack)
        self._measure(now)

    def _show_nodes(self, at: int) -> None:
        """Let Kueue see the nodes as they are: topologies are served from them."""
        if self.board is not None:
            self.machine.nodes({host.name: host.seen() for host in self.board.hosts}, at)

    def _edit(self, at: int, edit: Edit) -> None:
        for changed in edit(self.objects):
            if isinstance(changed, Deleted):
                self.objects.pop((changed.kind, changed.namespace, changed.name), None)
                self.machine.remove(changed.kind, changed.namespace, changed.name, at)
                self.log.tell(at, "deleted", f"{changed.kind} {changed.name}")
                continue
            self._apply(at, changed)
        self._promise(at)

    def _apply(self, at: int, obj: KubeObject) -> None:
        self.objects[obj.kind, obj.namespace, obj.name] = obj
        self.machine.apply(obj, at)
        self.log.tell(at, "changed", obj.ref)
        if obj.kind == "LocalQueue":
            self.queues[obj.namespace, obj.name] = str(obj.get("spec", "clusterQueue") or "")

    def _follow_slack(self, at: int) -> None:
        if self.board is None:
            return
        queues = {name: obj for (kind, _, name), obj in self.objects.items() if kind == "ClusterQueue"}
        cluster = self.ready.cluster
        for obj in limited(queues, cluster.slack_queues, cluster.flavors, self.board.hosts):
            self._apply(at, obj)

    def _counts_devices(self) -> bool:
        return any(
            is_device(resource) for q in self.ready.cluster.queues.values() for _, resource in q.quotas
        )

    def _promise(self, at: int) -> None:
        """Write down what teams are promised now, and all quota together."""
        teams: defaultdict[str, int] = defaultdict(int)
        total = 0
        for (kind, _, name), obj in self.objects.items():
            if kind not in ("ClusterQueue", "Cohort"):
                continue
            quotas = (read_cluster_queue(obj) if kind == "ClusterQueue" else read_cohort(obj)).quotas
            held = sum(
                amount
                for (_, resource), quota in quotas.items()
                if (is_device(resource) if self.devices else resource == "cpu")
                and (amount := kueue_amount(quota.nominal, resource)) < UNLIMITED
            )
            total += held
            if kind == "ClusterQueue" and name not in self.ready.cluster.slack_queues:
                teams[self.ready.teams.get(name, name)] += held
        self.log.entitlement.append((at, dict(sorted(teams.items()))))
        self.log.quota.append((at, total))

    def _measure(self, at: int) -> None:
        if self.board is None:
            return
        found = self.board.devices()
        kept = self.log.capacity
        if kept and kept[-1].at == at:
            kept.pop()
        if not kept or kept[-1][1:] != found:
            kept.append(Capacity(at, *found))

    def _result(self) -> Run:
        horizon = self.scenario.horizon
        for live in self.tending.lives.values():
            if live.stage in (Stage.ADMITTED, Stage.RUNNING, Stage.RESETTING):
                live.close(horizon, End.RUNNING)
            if live.record.outcome is not Outcome.REFUSED:
                live.record.outcome = _OUTCOMES[live.stage]
            if live.record.outcome is Outcome.WAITING:
                said = self.machine.world.told.get(live.job.key)
                live.record.message = wording.pending(said[1]) if said is not None else ""
        return Run(
            self.scenario.name,
            self.ready.cluster.name,
            self.ready.cluster.kueue,
            self.seed,
            self.scenario.start,
            horizon,
            "GPUs" if self.devices else "cores",
            self.board is not None,
            tuple(self.log.jobs),
            tuple(self.log.lines),
            tuple(self.log.entitlement),
            tuple(self.log.quota),
            tuple(self.log.capacity),
            tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        yield from self.ready.notes
        if self.board is None:
            yield _QUOTA_ONLY
        if self.log.ties:
            yield f"{self.log.ties} decisions are left to chance by Kueue (any of several); the first was taken"
        if self.log.loops:
            yield f"{self.log.loops} preemption loops were met and stopped: Kueue would go round in them"
