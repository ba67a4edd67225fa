"""The whole answer about one job: what stands in the way, what was tried, and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kohort.live.snapshot import Snapshot
from kohort.live.works import LiveWork
from kohort.objects.names import visible
from kohort.semantics.flavors.message import message
from kohort.semantics.reasons import Why
from kohort.semantics.state import Queue
from kohort.semantics.work import Phase, Work
from kohort.why.agreement import compare
from kohort.why.answer import Answer, Ask, Change, Look, Obstacle, Place, Said, Verdict, Victim
from kohort.why.changes.after_others import after_others
from kohort.why.changes.fewer_pods import fewer_pods
from kohort.why.changes.higher_priority import higher_priority
from kohort.why.changes.less import less
from kohort.why.changes.more_quota import higher_limit, more_quota
from kohort.why.changes.other_flavor import other_flavor
from kohort.why.changes.other_queue import other_queue
from kohort.why.changes.situation import Situation
from kohort.why.headline import headline
from kohort.why.holding import held_by_nodes
from kohort.why.looks import looks
from kohort.why.misplaced import misplaced, nowhere
from kohort.why.obstacles import obstacles
from kohort.why.place import STRICT, after_those, ahead_of, parked_twin, place
from kohort.why.standing import standing
from kohort.why.trying import Attempt, attempt

# In the order in which a team can do something about them itself.
_LEVERS: Final[tuple[Callable[[Situation], Change | None], ...]] = (
    fewer_pods,
    other_flavor,
    other_queue,
    less,
    higher_priority,
    after_others,
    higher_limit,
    more_quota,
)
_BEYOND: Final = frozenset({Why.OVER_MAXIMUM, Why.UNTOLERATED_TAINT, Why.NODE_AFFINITY, Why.NO_FLAVOR_OBJECT})


def examine(snapshot: Snapshot, work: Work, *, name: str = "", cluster: str = "") -> Answer:
    """Why the job will or will not run. `work` is of the snapshot, or new; it and the state are left as they were.

    `name` is how the answer calls it (default: its key), `cluster` the cluster's name where one is known.
    """
    live = snapshot.works.get(work.key)
    live = live if live is not None and live.work is work else None
    queue = snapshot.state.queue_of(work)
    made = _Making(snapshot, work, live, queue, name or work.key, cluster)
    at_rest = standing(work)
    if at_rest is not None:
        return made.answer(at_rest, place_=None)
    found = tuple(obstacles(snapshot, work, live))
    if queue is None or queue.node is None:
        return made.answer(Verdict.STOPPED, obstacles_=found)
    return made.judged(queue, found)


class _Making:
    """One answer in the making."""

    def __init__(
        self,
        snapshot: Snapshot,
        work: Work,
        live: LiveWork | None,
        queue: Queue | None,
        name: str,
        cluster: str,
    ) -> None:
        self.snapshot, self.work, self.live, self.queue = snapshot, work, live, queue
        self.name, self.cluster = name, cluster

    def judged(self, queue: Queue, found: tuple[Obstacle, ...]) -> Answer:
        """A job whose queue is there: tried now, after those ahead of it."""
        snapshot, work, state = self.snapshot, self.work, self.snapshot.state
        ahead = ahead_of(snapshot, work, queue)
        spot = place(snapshot, work, queue, ahead)
        alone = attempt(work, queue, state, explain=True)
        with after_those(snapshot, queue, ahead) as first:
            tried = attempt(work, queue, state, explain=True) if first else alone
            looked = looks(work, queue, tried)
            verdict = self._verdict(tried, alone, found, looked, ahead)
            changes = () if verdict.admitted else self._changes(queue, looked, found)
        said = self._said(alone) if self.live is not None else None
        twin = parked_twin(work, ahead) if self._unseen(verdict) else None
        return self.answer(
            verdict,
            obstacles_=(*found, *_uncovered(alone, queue), *misplaced(tried, work, state)),
            looks_=looked,
            attempt_=tried,
            place_=spot if self.live is not None or ahead else None,
            changes=changes,
            said=said,
            first=tuple(other.key for other in first),
            notes=(_twin_note(twin),) if twin is not None else (),
        )

    def _unseen(self, verdict: Verdict) -> bool:
        """Whether Kueue has not looked at the job, where it does not look at all that is alike."""
        return (
            self.live is not None
            and "QuotaReserved" not in self.work.conditions
            and not verdict.admitted
            and self.snapshot.state.settings.on("SchedulingEquivalenceHashing")
        )

    def _verdict(
        self,
        tried: Attempt,
        alone: Attempt,
        found: tuple[Obstacle, ...],
        looked: tuple[Look, ...],
        ahead: list[Work],
    ) -> Verdict:
        held = {Why.BACKOFF, Why.CHECK}
        if any(obstacle.why not in held for obstacle in found):
            return Verdict.STOPPED
        if found:
            return Verdict.HELD
        strict = self.queue is not None and self.queue.spec.strategy == STRICT
        if _never(looked, alone) or nowhere(alone):
            return Verdict.NEVER
        if strict and ahead:
            return Verdict.BEHIND
        if tried.verdict is not None:
            return tried.verdict
        return Verdict.BEHIND if alone.verdict is not None else Verdict.WAITS

    def _changes(
        self, queue: Queue, looked: tuple[Look, ...], found: tuple[Obstacle, ...]
    ) -> tuple[Change, ...]:
        if any(obstacle.why is not Why.BACKOFF for obstacle in found):
            return ()
        state, work = self.snapshot.state, self.work
        siblings = {
            local.name: other
            for (namespace, _), local in state.local_queues.items()
            if namespace == work.namespace
            and local.stop_policy == "None"
            and (other := state.queues.get(local.cluster_queue)) is not None
        }
        now = Situation(work, queue, state, looked, self.snapshot.classes, siblings, self.snapshot.users)
        return tuple(change for lever in _LEVERS if (change := lever(now)) is not None)

    def _said(self, alone: Attempt) -> Said | None:
        if self.live is None or not self.live.said or self.work.phase is not Phase.PENDING:
            return None
        ours = work_words(self.work) or message(alone.assignment)
        if alone.victims:
            ours += f". Pending the preemption of {len(alone.victims)} workload(s)"
        return compare(self.live.said, ours)

    def answer(
        self,
        verdict: Verdict,
        *,
        obstacles_: tuple[Obstacle, ...] = (),
        looks_: tuple[Look, ...] = (),
        attempt_: Attempt | None = None,
        place_: Place | None = None,
        changes: tuple[Change, ...] = (),
        said: Said | None = None,
        first: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Answer:
        """Put the parts together."""
        work, queue = self.work, self.queue
        name = queue.name if queue is not None else work.cluster_queue
        subjects = {f"Workload {visible(work.key)}", f"ClusterQueue {visible(name)}"}
        if queue is not None and queue.node is not None:
            subjects.add(f"Cohort {visible(queue.node.root().name)}")
        made = Answer(
            job=self.name,
            verdict=verdict,
            headline="",
            cluster=self.cluster,
            kueue=self.snapshot.state.settings.kueue,
            local_queue=work.queue,
            queue=name,
            cohort=queue.spec.cohort if queue is not None else "",
            priority=work.priority,
            asks=tuple(Ask(ask.name, ask.count, dict(ask.requests)) for ask in work.podsets),
            obstacles=obstacles_,
            looks=looks_,
            victims=_victims(attempt_),
            place=place_,
            changes=changes,
            said=said,
            first=first,
            given=_given(attempt_, work),
            nodes=held_by_nodes(self.snapshot.cluster, work, _given(attempt_, work)),
            notes=notes,
            remarks=(*self.snapshot.remarks.of_files(), *self.snapshot.remarks.about(subjects)),
        )
        return headline(made, work)


def _never(looked: tuple[Look, ...], alone: Attempt) -> bool:
    """Whether some pods find no flavor however much is idle: each one is closed to them or too small."""
    if alone.verdict is not None or alone.assignment.mode.preempts:
        return False
    podsets = alone.assignment.podsets
    if podsets and any(reason.why is Why.UNCOVERED for reason in podsets[-1].reasons):
        return True
    last = [look for look in looked if look.podset == looked[-1].podset] if looked else []
    return bool(last) and all(any(r.why in _BEYOND for r in look.reasons) for look in last)


def work_words(work: Work) -> str:
    """Kueue's words for what it says of a work without looking at quota; empty where it looks."""
    return f"Admission is gated by: {work.gates}" if work.gates else work.refused


def _twin_note(twin: Work) -> str:
    return (
        f"Kueue has said nothing about it yet: {visible(twin.key)}, ahead of it in the queue, asks for the same and waits, "
        "and what is alike is parked unseen"
    )


def _uncovered(alone: Attempt, queue: Queue) -> tuple[Obstacle, ...]:
    names = (visible(queue.name), ", ".join(visible(r) for r in sorted(queue.group_of)) or "nothing")
    return tuple(
        Obstacle(
            Why.UNCOVERED,
            f"pods of {visible(podset.name)} ask for {visible(reason.resource)}, and queue {names[0]} counts only {names[1]}",
            "ask for none of it, or an admin adds it to the queue's resource groups",
        )
        for podset in alone.assignment.podsets
        for reason in podset.reasons
        if reason.why is Why.UNCOVERED
    )


def _victims(attempt_: Attempt | None) -> tuple[Victim, ...]:
    return tuple(
        Victim(
            t.work.key,
            t.work.cluster_queue,
            t.work.priority,
            {pair: units for pair, units in t.work.usage.items() if units},
            t.reason,
        )
        for t in (attempt_.victims if attempt_ is not None else ())
    )


def _given(attempt_: Attempt | None, work: Work) -> Mapping[str, Mapping[str, str]]:
    """Pod set → resource → flavor, of a job that is or will be admitted."""
    assignment = work.assignment
    if attempt_ is not None and attempt_.verdict is not None:
        assignment = attempt_.assignment
    if assignment is None:
        return {}
    return {p.name: {r: choice.flavor for r, choice in p.flavors.items()} for p in assignment.podsets}
