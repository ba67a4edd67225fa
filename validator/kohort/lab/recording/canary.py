"""How long Kueue takes right now from a new Workload to its admission: what "nothing changes any more" is measured by."""

from __future__ import annotations

import threading
import time
from collections import deque

from kohort.lab.apply import Applier
from kohort.lab.client import Client
from kohort.lab.recording.job_controller import conditions, holds
from kohort.lab.recording.objects import flavor, group, local_queue, namespace, podset, queue, workload
from kohort.lab.recording.store import Store

NAME = "canary"
_PAUSE = 0.4
_STATUS = (
    0.3  # what the time until a queue's status counts: Kueue pauses before it, and readings check it anyway
)
_MEMORY = 10.0  # seconds
_GIVE_UP = 60.0


class Canary:
    """Submits a small Workload to a queue of its own again and again."""

    def __init__(self, client: Client, store: Store) -> None:
        self._client = client
        self._applier = Applier(client)
        self._store = store
        self._seen: deque[tuple[float, float]] = deque()
        self._since = 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Create the queue and begin."""
        self._applier.create(
            [
                namespace(NAME),
                flavor(NAME),
                queue(NAME, group("gpu", {NAME: 1000})),
                local_queue(NAME, space=NAME),
            ]
        )
        self._thread.start()

    def stop(self) -> None:
        """End it."""
        self._stopped.set()
        self._thread.join(5)

    @property
    def latency(self) -> float:
        """The longest time of the last seconds, the one that is still waiting included."""
        moment = time.monotonic()
        known = [taken for when, taken in list(self._seen) if moment - when < _MEMORY]
        waiting = (moment - self._since) * _STATUS if self._since else 0.0
        return max([waiting, *known])

    def _run(self) -> None:
        try:
            self._sing()
        finally:
            self._client.close()

    def _sing(self) -> None:
        number = 0
        while not self._stopped.wait(_PAUSE):
            number += 1
            made = workload(f"{NAME}{number}", NAME, podset("main", 1, {"gpu": 1}), space=NAME)
            self._since = time.monotonic()
            try:
                self._applier.create([made])
                self._await(made["metadata"]["name"])
                self._remember(1.0)
                self._await_queue()
                self._remember(_STATUS)
                self._since = 0.0
                self._client.request("DELETE", self._applier.path(made))
                self._await_queue(busy=False)
            except OSError:  # the control plane ends
                return
            while len(self._seen) > 1 and time.monotonic() - self._seen[0][0] > _MEMORY:
                self._seen.popleft()

    def _remember(self, weight: float) -> None:
        moment = time.monotonic()
        self._seen.append((moment, (moment - self._since) * weight))

    def _await_queue(self, *, busy: bool = True) -> None:
        """Wait until the ClusterQueue's status has followed, which Kueue does once a second."""
        end = time.monotonic() + _GIVE_UP
        while time.monotonic() < end and not self._stopped.is_set():
            obj = self._store.objects.get(("ClusterQueue", "", NAME)) or {}
            if bool((obj.get("status") or {}).get("admittedWorkloads")) is busy:
                return
            time.sleep(0.02)

    def _await(self, name: str) -> None:
        end = time.monotonic() + _GIVE_UP
        while time.monotonic() < end and not self._stopped.is_set():
            obj = self._store.objects.get(("Workload", NAME, name))
            if obj is not None and holds(conditions(obj), "Admitted"):
                return
            time.sleep(0.02)
