"""What is on the server right now, kept by watches that hand on every single change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from kohort.lab.client import Client
from kohort.lab.failure import LabError

KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
WATCHED = {
    "Workload": "workloads",
    "ClusterQueue": "clusterqueues",
    "LocalQueue": "localqueues",
    "Cohort": "cohorts",
}
Key = tuple[str, str, str]  # kind, namespace (empty for cluster-scoped kinds), name
Listener = Callable[[str, Mapping[str, Any], bool], None]  # kind, object, whether it was deleted


class Store:
    """The watched kinds; each change is told to the listeners in the watch's thread.

    Attributes:
        objects: the newest known form of everything that exists.
        changed: monotonic time of the newest change by scenario prefix.
    """

    def __init__(self, client: Client, prefix_of: Callable[[str, str], str]) -> None:
        self._client = client
        self._prefix_of = prefix_of
        self._listeners: list[Listener] = []
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self.objects: dict[Key, Mapping[str, Any]] = {}
        self._by_prefix: dict[str, dict[Key, Mapping[str, Any]]] = {}  # a reading looks at one scenario only
        self.changed: dict[str, float] = {}

    def listen(self, listener: Listener) -> None:
        """Tell a listener every change from now on."""
        self._listeners.append(listener)

    def start(self) -> None:
        """Read everything, then follow it in one thread for each kind."""
        for kind, plural in WATCHED.items():
            version = self._read(kind, plural)
            thread = threading.Thread(target=self._follow, args=(kind, plural, version), daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """End the watches; their threads end with the next line or with the server."""
        self._stopped.set()

    def of(self, kind: str, prefix: str) -> list[Mapping[str, Any]]:
        """Return the objects of a kind that belong to a scenario, by namespace and name."""
        mine = list(self._by_prefix.get(prefix, {}).items())
        return [
            obj for _, obj in sorted((pair for pair in mine if pair[0][0] == kind), key=lambda pair: pair[0])
        ]

    def _read(self, kind: str, plural: str) -> str:
        body = self._client.must("GET", f"{KUEUE}/{plural}")
        for item in body["items"]:
            self.note(kind, {**item, "kind": kind}, deleted=False)
        version: str = body["metadata"]["resourceVersion"]
        return version

    def _follow(self, kind: str, plural: str, version: str) -> None:
        while not self._stopped.is_set():
            query = {"watch": "true", "resourceVersion": version, "allowWatchBookmarks": "true"}
            try:
                for line in self._client.lines(f"{KUEUE}/{plural}", query):
                    if self._stopped.is_set():
                        return
                    if line["type"] == "ERROR":  # the version is too old
                        version = self._read(kind, plural)
                        break
                    version = line["object"]["metadata"]["resourceVersion"]
                    if line["type"] != "BOOKMARK":
                        self.note(kind, line["object"], deleted=line["type"] == "DELETED")
            except (OSError, LabError):
                if self._stopped.wait(0.2):
                    return

    def note(self, kind: str, obj: Mapping[str, Any], *, deleted: bool) -> None:
        """Take a change in and tell it to the listeners."""
        meta = obj["metadata"]
        key = (kind, meta.get("namespace", ""), meta["name"])
        prefix = self._prefix_of(meta.get("namespace", ""), meta["name"])
        for place in (self.objects, self._by_prefix.setdefault(prefix, {})):
            if deleted:
                place.pop(key, None)
            else:
                place[key] = obj
        self.changed[prefix] = time.monotonic()
        for listener in self._listeners:
            listener(kind, obj, deleted)
