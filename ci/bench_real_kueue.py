"""Play a tenth of Kueue's baseline on the lab's real Kueue and in the simulator, in one run, and set both side by side.

`bench_real_kueue.py [--at DATE] [--share N]` prints a table, and stores it in docs/bench.md with a date; `ci/bench --kueue` runs
it. The load is that of Kueue's own performance suite (kueue.md 9.1): 5 cohorts of 6 queues, a tenth of the workloads. As in
that suite there are Workloads without jobs, and this program ends each when its time has passed since its admission.
"""

from __future__ import annotations

import argparse
import heapq
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Any

import bench_simulator
from bench_page import store_section
from kohort.lab.client import Client
from kohort.lab.controlplane import ControlPlane
from kohort.lab.recording.job_controller import JobController, conditions, holds, now, path_of
from kohort.lab.recording.store import KUEUE, Store
from kohort.model.scenario import System
from kohort.simulator.importers import kueue_perf
from kohort.simulator.importers.imported import Recorded
from kohort.simulator.play import play
from kohort.simulator.record import Run

TITLE = "The real Kueue on a part of its baseline"
SIZES = ("small", "medium", "large")
_THREADS, _PATIENCE = 8, 1200.0  # that submit and that end work; seconds until the real one is given up


@dataclass
class Load:
    """The Workloads on the real server: when each was made, first admitted and ended, in seconds."""

    client: Client
    jobs: Mapping[str, Recorded]
    made: dict[str, float] = field(default_factory=dict)
    admitted: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    admissions: int = 0
    evictions: int = 0
    errors: list[str] = field(default_factory=list)
    _running: dict[str, int] = field(default_factory=dict)  # number of its admission
    _due: list[tuple[float, int, str, str]] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def note(self, kind: str, obj: Mapping[str, Any], deleted: bool) -> None:
        """Listen to the store: what is admitted ends when its time has passed."""
        name = obj["metadata"]["name"]
        if kind != "Workload" or deleted or name not in self.jobs:
            return
        found = conditions(obj)
        with self._changed:
            if holds(found, "Finished"):
                self.ended.setdefault(name, time.monotonic())
            elif not holds(found, "Admitted"):
                self.evictions += self._running.pop(name, None) is not None
            elif name not in self._running:
                self.admissions += 1
                self._running[name] = self.admissions
                self.admitted.setdefault(name, time.monotonic())
                end = time.monotonic() + self.jobs[name].duration / 1000
                heapq.heappush(self._due, (end, self.admissions, name, path_of(obj)))
            self._changed.notify_all()

    def submit(self, began: float, jobs: Sequence[Recorded]) -> None:
        """Make the Workloads, each at its time."""
        for job in jobs:
            time.sleep(max(0.0, began + job.submitted / 1000 - time.monotonic()))
            body = workload(job)
            answer = self.client.request("POST", path_of(body).rsplit("/", 1)[0], body)
            if not answer.ok:
                self.errors.append(f"{job.name}: {answer.code} {answer.body}")
                return
            self.made[job.name] = time.monotonic()

    def finish(self) -> None:
        """End what is due, until everything has ended."""
        while True:
            with self._changed:
                if len(self.ended) == len(self.jobs) or self.errors:
                    return
                if not self._due or (pause := self._due[0][0] - time.monotonic()) > 0:
                    self._changed.wait(min(pause, 1.0) if self._due else 1.0)
                    continue
                _, number, name, path = heapq.heappop(self._due)
                runs = self._running.get(name) == number
            if runs:
                self._end(path)

    def _end(self, path: str) -> None:
        while True:
            obj = self.client.must("GET", path)
            found = conditions(obj)
            if not holds(found, "Admitted") or holds(found, "Evicted"):
                return  # it was preempted meanwhile and begins anew
            done = {
                "type": "Finished",
                "status": "True",
                "reason": "Succeeded",
                "message": "its time has passed",
            }
            obj["status"]["conditions"].append({**done, "lastTransitionTime": now()})
            answer = self.client.request("PUT", f"{path}/status", obj)
            if answer.ok:
                return
            if answer.code != 409:  # else somebody wrote it meanwhile
                self.errors.append(f"{path}: {answer.code} {answer.body}")
                return


def workload(job: Recorded) -> dict[str, Any]:
    """A Workload of one pod, as the load's file says it."""
    namespace, queue = job.queue.split("/")
    (part,) = job.parts
    requests = {name: f"{amount}m" for name, amount in part.requests.items()}
    container = {"name": "c", "image": "lab.invalid/work:1", "resources": {"requests": requests}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": job.name, "namespace": namespace},
        "spec": {
            "queueName": queue,
            "priority": job.priority,
            "podSets": [{"name": "main", "count": part.pods, "template": template}],
        },
    }


def processor(pid: int) -> float:
    """Seconds of processor time that a process has taken so far."""
    parts = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def on_the_server(data: bytes) -> dict[str, Any]:
    """Play the load on the real Kueue."""
    jobs = {job.name: job for job in kueue_perf.read(data).jobs}
    with ControlPlane() as plane:
        objects = [dict(each.data) for each in kueue_perf.objects(data)]
        names = sorted({each["metadata"]["namespace"] for each in objects if "namespace" in each["metadata"]})
        plane.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in names)
        plane.create(objects)
        _active(plane.client, len(names))
        load, keeper = Load(plane.client, jobs), JobController(plane.client)
        store = Store(plane.client, lambda *_: "load")
        store.listen(load.note)
        store.listen(keeper.note)
        store.start()
        keeper.start()
        before = {name: processor(each.pid) for name, each in plane.processes().items()}
        order = sorted(jobs.values(), key=lambda job: (job.submitted, job.name))
        began = time.monotonic()
        with ThreadPoolExecutor(2 * _THREADS) as pool:
            for number in range(_THREADS):
                pool.submit(load.submit, began, order[number::_THREADS])
                pool.submit(load.finish)
            while len(load.ended) < len(jobs) and not load.errors:
                if time.monotonic() - began > _PATIENCE:
                    load.errors.append(f"{len(load.ended)} of {len(jobs)} ended in {_PATIENCE:g} s")
                time.sleep(0.2)
        wall = time.monotonic() - began
        used = {name: processor(each.pid) - before[name] for name, each in plane.processes().items()}
        store.stop()
        keeper.stop()
    if load.errors or keeper.errors:
        sys.exit(f"bench: {(load.errors + keeper.errors)[:3]}")
    waits = {
        size: fmean(load.admitted[n] - load.made[n] for n in jobs if n.startswith(f"{size}-"))
        for size in SIZES
    }
    return {
        "wall": wall,
        "made": max(load.made.values()) - began,
        "admissions": load.admissions,
        "evictions": load.evictions,
        "waits": waits,
        "cpu": used,
    }


def _active(client: Client, queues: int) -> None:
    """Wait until every queue takes work."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        items = client.must("GET", f"{KUEUE}/clusterqueues")["items"]
        if sum(holds(conditions(each), "Active") for each in items) == queues:
            return
        time.sleep(0.2)
    sys.exit("bench: the queues do not become Active")


def in_the_model(data: bytes, write: int) -> tuple[Run, float]:
    """Play the load in the simulator; `write` is what the real one takes for an admission or eviction, in ms."""
    ready = bench_simulator.published(data)
    ready = replace(ready, scenario=replace(ready.scenario, system=System(write=write)))
    began = time.process_time()
    run = play(ready, timeline=False)
    return run, time.process_time() - began


def table(data: bytes) -> str:
    """Both, side by side, as Markdown."""
    real = on_the_server(data)
    write = round(1000 * real["wall"] / (real["admissions"] + real["evictions"]))
    lines = [
        "| played by | wall s | CPU s | ends after, s | admissions | evictions | mean wait s: small | medium | large |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    waits = " | ".join(f"{real['waits'][size]:.1f}" for size in SIZES)
    cpu = sum(real["cpu"].values())
    lines.append(
        f"| the real Kueue 0.19.1 | {real['wall']:.1f} | {cpu:.1f} | {real['wall']:.1f} | {real['admissions']:,} "
        f"| {real['evictions']:,} | {waits} |"
    )
    for pause in (0, write):
        began = time.perf_counter()
        run, used = in_the_model(data, pause)
        wall = time.perf_counter() - began
        found = bench_simulator.figures(run)
        waits = " | ".join(f"{found['waits'][size]:.1f}" for size in SIZES)
        name = (
            f"the simulator, {pause} ms for each write"
            if pause
            else "the simulator, a server that takes no time"
        )
        lines.append(
            f"| {name} | {wall:.1f} | {used:.1f} | {found['ended']:.1f} | {found['admissions']:,} "
            f"| {found['preemptions']:,} | {waits} |"
        )
    parts = ", ".join(f"{name} {used:.1f}" for name, used in real["cpu"].items())
    last = max(job.submitted for job in kueue_perf.read(data).jobs) / 1000
    made = f"The last Workload was made after {real['made']:.1f} s; the load's file says {last:.1f} s."
    return "\n".join([*lines, "", f"{made} Processor seconds of the real one: {parts}."])


def main() -> int:
    """Print the table; store it with a date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=int, default=10, help="one part in so many of the baseline (10)")
    parser.add_argument("--at", type=date.fromisoformat, help="date of the measurement: store docs/bench.md")
    arguments = parser.parse_args()
    share = max(1, arguments.share)
    data = bench_simulator.generator(5, 6, max(1, 350 // share), max(1, 100 // share), max(1, 50 // share))
    load = os.getloadavg()[0]
    text = table(data)
    print(text)
    if arguments.at:
        head = (
            f"Measured on {arguments.at} by `ci/bench --kueue`, load average {load:.1f} on {os.cpu_count()} processors: one part in "
            f"{share} of Kueue's baseline on the lab's control plane (with its webhooks; its own suite leaves them out), and the same "
            "load in the simulator, once with the time that each admission or eviction took the real one."
        )
        store_section(TITLE, f"{head}\n\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
