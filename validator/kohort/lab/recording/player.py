"""Plays many scenarios side by side on one Kueue and reads what it made of each step."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from kohort.lab.apply import Applier
from kohort.lab.client import Client
from kohort.lab.failure import LabError
from kohort.lab.recording.actions import Actions
from kohort.lab.recording.canary import Canary
from kohort.lab.recording.job_controller import JobController, conditions
from kohort.lab.recording.reading import Reader
from kohort.lab.recording.rest import at_rest
from kohort.lab.recording.store import Store
from kohort.simulator.replay.trace import RESTLESS, Step, Trace

# A step may leave open whom it is about: `?admitted 3` is the third of those by name, counted round.
ANY_ADMITTED, ANY_RESERVED = "?admitted ", "?reserved "
# Parked work is looked at again once a second; on a busy machine everything that follows takes its time.
QUIET, SLOWER = 1.8, 2.5  # seconds without any change, and how often Kueue's present latency is added
PATIENCE = 25.0  # seconds until a scenario counts as one that never rests
_ACTIVE = 10.0  # seconds until every ClusterQueue has been judged
_LATE = 8.0  # further seconds for a status that does not fit the workloads
_APART = 0.3  # seconds between the beginnings of two scenarios
_THREADS = 8
_PREFIX = 5  # characters of `s123-`


@dataclass(slots=True)
class _Play:
    """One scenario that is being played."""

    trace: Trace
    prefix: str
    actions: Actions
    reader: Reader
    left: int = 1  # runs, this one included
    began: float = 0.0
    index: int = -1  # of the step that was done last; -1 for the objects
    since: float = 0.0  # when that was
    busy: Future[None] | None = None
    before: dict[str, Any] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)
    afters: list[dict[str, Any]] = field(default_factory=list)
    alsos: list[dict[str, Any]] = field(default_factory=list)
    restless: str = ""


class Player:
    """Plays scenarios that share the configuration of one running Kueue."""

    def __init__(
        self, client: Client, *, side_by_side: int = 40, tell: Callable[[str], None] = print
    ) -> None:
        self._client = client
        self._applier = Applier(client)
        self._side_by_side = side_by_side
        self._tell = tell
        self._store = Store(client, lambda namespace, name: (namespace or name)[:_PREFIX])
        self._jobs = JobController(client)
        self._canary = Canary(client, self._store)
        self._count = 0

    def play(self, scenarios: Sequence[Trace], done: Callable[[Trace], None], runs: int = 1) -> list[str]:
        """Play all scenarios; hand on each one's trace as soon as it ends.

        Args:
            scenarios: steps may leave the workload open; later runs do what the first one chose.
            done: receives the traces.
            runs: how often each is played, one run after the other.

        Returns:
            What went wrong, by scenario; such a scenario has no trace.
        """
        self._store.listen(self._jobs.note)
        self._store.listen(self._note)
        self._readers: dict[str, Reader] = {}
        self._jobs.start()
        self._store.start()
        self._canary.start()
        problems: list[str] = []
        waiting = [(each, runs) for each in reversed(scenarios)]
        running: list[_Play] = []
        begin = 0.0
        with ThreadPoolExecutor(_THREADS) as pool:
            while waiting or running:
                # One after the other: what all begin at once would make Kueue late for all.
                if waiting and self._room(running, waiting[-1][0]) and time.monotonic() > begin:
                    running.append(self._begin(*waiting.pop(), pool))
                    begin = time.monotonic() + _APART
                for play in list(running):
                    try:
                        ended = self._advance(play, pool)
                    except (LabError, OSError) as error:
                        problems.append(f"{play.trace.name}: step {play.index}: {error}")
                        ended = True
                    else:
                        if ended:
                            done(self._trace(play))
                            if play.left > 1:
                                waiting.append((play.trace, play.left - 1))
                    if ended:
                        running.remove(play)
                        self._readers.pop(play.prefix, None)
                        pool.submit(self._clear, play)
                time.sleep(0.05)
            self._close(pool)
        self._canary.stop()
        self._store.stop()
        self._jobs.stop()
        return problems + self._jobs.errors

    def _room(self, running: Sequence[_Play], wanted: Trace) -> bool:
        """Say whether one more may begin: a node that comes or goes wakes the queues of all, so such scenarios play alone."""
        if any(_has_nodes(each) for each in (wanted, *(play.trace for play in running))):
            return not running
        return len(running) < self._side_by_side

    def _close(self, pool: ThreadPoolExecutor) -> None:
        """Close the connection of every thread of the pool; each waits for the others, so that none does it twice."""
        together = threading.Barrier(_THREADS)

        def close() -> None:
            self._client.close()
            with contextlib.suppress(threading.BrokenBarrierError):
                together.wait(30)

        for _ in range(_THREADS):
            pool.submit(close)

    def _note(self, kind: str, obj: Mapping[str, Any], deleted: bool) -> None:
        meta = obj["metadata"]
        reader = self._readers.get((meta.get("namespace") or meta["name"])[:_PREFIX])
        if reader is not None:
            reader.note(kind, obj, deleted)

    def _begin(self, trace: Trace, left: int, pool: ThreadPoolExecutor) -> _Play:
        prefix = f"s{self._count:03d}-"
        self._count += 1
        play = _Play(
            trace,
            prefix,
            Actions(self._client, self._applier, prefix),
            Reader(self._store, prefix),
            left=left,
            began=time.monotonic(),
        )
        self._readers[prefix] = play.reader

        play.busy = pool.submit(self._create, play)
        return play

    def _create(self, play: _Play) -> None:
        """Create the objects; LocalQueues last, since one that comes before its queue is Active stays inactive."""
        for late in (False, True):
            for obj in play.trace.objects:
                if (obj["kind"] == "LocalQueue") is late:
                    play.actions.create(obj)
            end = time.monotonic() + _ACTIVE
            while not late and not self._judged(play.prefix) and time.monotonic() < end:
                time.sleep(0.2)

    def _judged(self, prefix: str) -> bool:
        found = self._store.of("ClusterQueue", prefix)
        return all("Active" in conditions(each) for each in found)

    def _advance(self, play: _Play, pool: ThreadPoolExecutor) -> bool:
        """Do what is due; say whether the scenario has ended."""
        moment = time.monotonic()
        if play.busy is not None:
            if not play.busy.done():
                return False
            play.busy.result()
            play.busy = None
            play.since = moment
        last = max(play.since, self._store.changed.get(play.prefix, 0.0))
        alternating = False
        quiet = QUIET + SLOWER * self._canary.latency
        if moment - last < quiet:
            if moment - play.since < PATIENCE + quiet:
                return False
            alternating = not play.reader.evicting  # only messages come and go: the scenario can go on
            play.restless = "" if alternating else f"{RESTLESS} after {PATIENCE:.0f} s"
        elif moment - last < quiet + _LATE and not at_rest(self._store, play.prefix):
            return False
        after = play.reader.after()
        if evictions := play.reader.evictions():
            after["evictions"] = _distinct(evictions) if play.restless else evictions
        messages = play.reader.messages()
        play.alsos.append({"message": messages} if alternating and messages else {})
        play.afters.append(after)
        if play.restless or play.index + 1 >= len(play.trace.steps):
            return True
        play.index += 1
        if play.index == 0:
            play.began = moment
        play.times.append(int((moment - play.began) * 10) * 100)
        play.since = moment
        play.busy = pool.submit(play.actions.do, self._chosen(play, after["states"]))
        return False

    def _chosen(self, play: _Play, states: Mapping[str, str]) -> Step:
        """Return the next step; where it leaves its workload open, decide and keep that for later runs."""
        step = play.trace.steps[play.index]
        if not step.workload.startswith("?"):
            return step
        wanted, number = step.workload[1:].split()
        able = [name for name, state in sorted(states.items()) if state == wanted]
        step = replace(step, workload=able[int(number) % len(able)]) if able else Step("wait")
        steps = list(play.trace.steps)
        steps[play.index] = step
        play.trace = replace(play.trace, steps=steps)
        return step

    def _trace(self, play: _Play) -> Trace:
        steps = [
            replace(step, at=at, after=after, also=also)
            for step, at, after, also in zip(
                play.trace.steps, play.times, play.afters[1:], play.alsos[1:], strict=False
            )
        ]
        if play.restless and steps:
            steps[-1] = replace(steps[-1], nondeterministic=play.restless)
        return replace(play.trace, start=play.afters[0], steps=steps, complete=True)

    def _clear(self, play: _Play) -> None:
        """Take away what costs the scheduler time; names are never used again."""
        for space in sorted({*play.actions.spaces.values()}):
            path = f"/apis/kueue.x-k8s.io/v1beta2/namespaces/{play.prefix}{space}"
            for plural in ("workloads", "localqueues"):
                self._client.request("DELETE", f"{path}/{plural}")
        for obj in self._store.of("ClusterQueue", play.prefix) + self._store.of("Cohort", play.prefix):
            self._client.request(
                "DELETE", self._applier.path({"apiVersion": "kueue.x-k8s.io/v1beta2", **obj})
            )


def _has_nodes(trace: Trace) -> bool:
    return any(obj["kind"] == "Node" for obj in trace.objects)


def _distinct(evictions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each eviction once: how often it came in a scenario that never rests depends on when one looks."""
    return [each for index, each in enumerate(evictions) if each not in evictions[:index]]
