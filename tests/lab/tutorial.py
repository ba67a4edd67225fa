"""What the tutorial's events look like in the lab: who submits what, and what is then seen."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shipped import KUEUE, Object, wait_for

from kohort.lab.controlplane import ControlPlane
from kohort.lab.work import API, pods, wrapped

GPU = "nvidia.com/gpu"
USERS = {"blue": "alice", "red": "bob"}
PREFIX = "workload.codeflare.dev.appwrapper"
LOG = "KOHORT_ACCEPTANCE_LOG"  # file that gets one line of JSON for each row


class Tutorial:
    """A stage for the rows of the acceptance table; every change is made as the user who would make it."""

    def __init__(self, plane: ControlPlane) -> None:
        self.plane = plane

    def path(self, team: str, name: str = "") -> str:
        return f"/apis/{API}/namespaces/{team}/appwrappers{f'/{name}' if name else ''}"

    def submit(self, team: str, name: str, count: int, gpus: int, **options: Any) -> None:
        """Let the team's user submit a Job of `count` pods with `gpus` GPUs each, inside an AppWrapper."""
        kept = {key: options.pop(key) for key in ("priority", "annotations") if key in options}
        wanted = {"cpu": "1", "memory": "1Gi", **({GPU: str(gpus)} if gpus else {})}
        job = pods(count, wanted, **options)
        self.offer(team, wrapped(name, team, job, **kept))

    def offer(self, team: str, each: Object) -> None:
        groups = ("system:authenticated",)
        self.plane.client.must("POST", self.path(team), each, impersonate=USERS[team], groups=groups)

    def fill(self, team: str = "blue", prefix: str = "normal", count: int = 3, **options: Any) -> None:
        """Take all 24 GPUs with jobs of eight, more than a second apart, so that the newest can be told."""
        for number in range(1, count + 1):
            self.submit(team, f"{prefix}-{number}", 2, 4, **options)
            self.until(team, {f"{prefix}-{number}": "Running"}, 30)
            time.sleep(1.1)

    def delete(self, team: str, name: str) -> None:
        groups = ("system:authenticated",)
        self.plane.client.must("DELETE", self.path(team, name), impersonate=USERS[team], groups=groups)

    def phases(self, team: str) -> dict[str, str]:
        items = self.plane.client.must("GET", self.path(team))["items"]
        return {each["metadata"]["name"]: each.get("status", {}).get("phase", "") for each in items}

    def until(self, team: str, wanted: dict[str, str], seconds: float) -> float:
        """Wait for these AppWrappers to be in these phases; return the seconds it took."""
        return wait_for(lambda: {n: p for n, p in self.phases(team).items() if n in wanted}, wanted, seconds)

    def stays(self, found: Callable[[], Any], wanted: Any, seconds: float) -> None:
        """Nothing may change for that long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert found() == wanted
            time.sleep(0.3)

    def workload(self, team: str, name: str) -> Object:
        """The Workload of an AppWrapper."""
        for each in self.plane.client.must("GET", f"{KUEUE}/namespaces/{team}/workloads")["items"]:
            owners = each["metadata"].get("ownerReferences") or ()
            if any(o["kind"] == "AppWrapper" and o["name"] == name for o in owners):
                found: Object = each
                return found
        return {}

    def condition(self, team: str, name: str, kind: str) -> Object:
        """One condition of its Workload, empty when absent."""
        status = self.workload(team, name).get("status") or {}
        return next((c for c in status.get("conditions") or () if c["type"] == kind), {})

    def preempted(self, team: str) -> dict[str, str]:
        """AppWrapper → reason, of every Workload that was preempted and has not been admitted again."""
        found = {}
        for each in self.plane.client.must("GET", f"{KUEUE}/namespaces/{team}/workloads")["items"]:
            for condition in (each.get("status") or {}).get("conditions") or ():
                if condition["type"] == "Preempted" and condition["status"] == "True":
                    found[each["metadata"]["ownerReferences"][0]["name"]] = condition["reason"]
        return found

    def usage(self, queue: str) -> tuple[int, int, int]:
        """GPUs that a queue uses, how many of them are borrowed, and its weighted share."""
        status = self.plane.client.must("GET", f"{KUEUE}/clusterqueues/{queue}").get("status") or {}
        share = (status.get("fairSharing") or {}).get("weightedShare", 0)
        for flavor in status.get("flavorsUsage") or ():
            for each in flavor["resources"]:
                if each["name"] == GPU:
                    return int(each.get("total", 0)), int(each.get("borrowed", 0)), share
        return 0, 0, share

    def pods(self, team: str, job: str = "") -> list[Object]:
        """Pods of a team, of one job where named, without those that are being deleted."""
        select = {"labelSelector": f"batch.kubernetes.io/job-name={job}"} if job else {}
        items = self.plane.client.must("GET", f"/api/v1/namespaces/{team}/pods", parameters=select)["items"]
        return [each for each in items if "deletionTimestamp" not in each["metadata"]]

    def nodes_of(self, team: str, job: str = "") -> list[str]:
        """Node of each running pod, sorted; empty text for one without a node."""
        alive = [p for p in self.pods(team, job) if p["status"].get("phase") in ("Pending", "Running")]
        return sorted(each["spec"].get("nodeName", "") for each in alive)

    def clear(self) -> None:
        """End all work; return when nothing of it is left and every queue is empty."""
        for team in USERS:
            self.plane.client.must("DELETE", self.path(team))
        for team in USERS:
            wait_for(lambda t=team: self.phases(t), {}, 60)  # type: ignore[misc]
            background = {"propagationPolicy": "Background"}
            self.plane.client.must("DELETE", f"/apis/batch/v1/namespaces/{team}/jobs", parameters=background)
            wait_for(lambda t=team: self.pods(t), [], 60)  # type: ignore[misc]
            wait_for(lambda t=team: self.usage(t)[:2], (0, 0), 30)  # type: ignore[misc]


@contextmanager
def row(number: str) -> Iterator[dict[str, Any]]:
    """Note what happened in a row of the table, and how long it took, for `docs/acceptance.md`."""
    noted: dict[str, Any] = {"row": number}
    yield noted
    if os.environ.get(LOG):
        with Path(os.environ[LOG]).open("a", encoding="utf-8") as log:
            log.write(json.dumps(noted) + "\n")


def bound(stage: Tutorial, job: str, count: int) -> None:
    """Wait until all pods of a job have a node."""
    wait_for(
        lambda: (len(stage.nodes_of("blue", job)), "" in stage.nodes_of("blue", job)), (count, False), 60
    )
    stage.until("blue", {job: "Running"}, 30)


def states(stage: Tutorial, team: str = "blue") -> list[str]:
    return sorted(stage.phases(team).values())
