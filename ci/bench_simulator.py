"""Measure the simulator: Kueue's published workloads and three months of jobs, through the Python API, one process each.

`bench_simulator.py [--quick] [--only NAME] [--profile] [--at DATE]` prints the table as Markdown, and stores it in
docs/bench.md with a date; `ci/bench --simulator` runs it. Times are processor time of one process, peak memory is that of the
whole process.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from bench_page import store_section
from kohort.model.scenario import Draw, JobSource, Scenario, System, Times, Trace
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.simulator.importers import kueue_perf
from kohort.simulator.metrics.summary import summarise
from kohort.simulator.play import play
from kohort.simulator.preparing.plain import prepare_plain
from kohort.simulator.preparing.ready import Ready
from kohort.simulator.preparing.traces import with_traces
from kohort.simulator.record import Outcome, Run
from kohort.spans import Origin

DAY = 86_400_000
_API = "kueue.x-k8s.io/v1beta2"


@dataclass(frozen=True, slots=True)
class Case:
    """One load. `real` is what the real system was measured to need, in seconds of wall clock, 0 where unknown."""

    name: str
    what: str
    budget: float
    real: float = 0


CASES = (
    Case("baseline", "Kueue's baseline: 5 cohorts × 6 queues, 15,000 workloads", 6, 351),
    Case(
        "slow",
        "the baseline, 23 ms for each write (43 admissions a second, as measured of the real one)",
        6,
        351,
    ),
    Case("large", "Kueue's large scale: 10 cohorts × 100 queues, 50,000 workloads", 25, 1179),
    Case("fiftieth", "2 days, 4,000 jobs, 100 queues in 10 cohorts: a fiftieth of the next", 2.4),
    Case("months", "90 days, 200,000 jobs, 100 queues, about 1,000 pending each in the end", 120),
)
# mean waits that Kueue's own suite measured for its baseline, in seconds (kueue.md 9.1)
PUBLISHED = {"small": 215.0, "medium": 76.8, "large": 16.5}
TITLE = "Simulator"


def generator(cohorts: int, queues: int, small: int, medium: int, large: int) -> bytes:
    """Kueue's load as its generator's file says it (kueue.md 9.1)."""
    sets = [
        {"count": count, "creationIntervalMs": pause, "workloads": [shape]}
        for count, pause, shape in (
            (small, 100, {"className": "small", "runtimeMs": 200, "priority": 50, "request": 1}),
            (medium, 500, {"className": "medium", "runtimeMs": 500, "priority": 100, "request": 5}),
            (large, 1200, {"className": "large", "runtimeMs": 1000, "priority": 200, "request": 20}),
        )
    ]
    queue = {
        "className": "cq",
        "count": queues,
        "nominalQuota": 20,
        "borrowingLimit": 100,
        "reclaimWithinCohort": "Any",
        "withinClusterQueue": "LowerPriority",
        "workloadsSets": sets,
    }
    return json.dumps(
        {"cohorts": [{"className": "cohort", "count": cohorts, "queuesSets": [queue]}]}
    ).encode()


def published(data: bytes) -> Ready:
    """A load of Kueue's own suite."""
    trace = Trace(format="kueue-perf", file="generator", path=())
    scenario = Scenario(name="kueue", origin=Origin("bench"), manifests=("-",), horizon=DAY, traces=(trace,))
    cluster = Cluster(kueue_perf.objects(data))
    return with_traces(prepare_plain(cluster, scenario), lambda _: data, team_queue=lambda _: None)


def months(jobs: int, queues: int, days: int) -> Ready:
    """Jobs of one to eight GPUs on equal queues of ten cohorts, far more than there is room for."""
    objects = [_object("ResourceFlavor", "gpu", {})]
    sources = []
    every = days * DAY * queues // jobs
    for number in range(queues):
        quota = {"name": "nvidia.com/gpu", "nominalQuota": "16"}
        flavor = {"name": "gpu", "resources": [quota]}
        spec: dict[str, Any] = {
            "cohortName": f"cohort-{number % 10}",
            "namespaceSelector": {},
            "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
            "resourceGroups": [{"coveredResources": ["nvidia.com/gpu"], "flavors": [flavor]}],
        }
        objects.append(_object("ClusterQueue", f"q{number}", {"spec": spec}))
        local = {"spec": {"clusterQueue": f"q{number}"}}
        objects.append(_object("LocalQueue", "lq", local, f"team-{number}"))
        # 4.9 times as many GPU-hours as there is room for: half of the jobs wait for good, about 1,000 a queue
        sources.append(
            JobSource(
                name=f"load-{number}",
                times=Times(law="poisson", every=every),
                duration=Draw(
                    kind="lognormal", mean=10 * 3_600_000, deviation=1.5, low=60_000, high=10 * DAY
                ),
                gpus=Draw(kind="choice", values=(1, 2, 4, 8), weights=(4.0, 2.0, 2.0, 2.0)),
                namespace=f"team-{number}",
                queue="lq",
                path=("spec", "jobs", number),
            )
        )
    scenario = Scenario(
        name="months", origin=Origin("bench"), manifests=("-",), horizon=days * DAY, jobs=tuple(sources)
    )
    return prepare_plain(Cluster(objects), scenario)


def _object(kind: str, name: str, body: dict[str, Any], namespace: str = "") -> KubeObject:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    data = {"apiVersion": _API, "kind": kind, "metadata": metadata, **body}
    return KubeObject(_API, kind, name, namespace, data, Typed("bench"))


def prepared(name: str, *, quick: bool) -> Ready:
    """The load of a case; a tenth of it, or less, when it is only tried."""
    if name == "baseline":
        return published(generator(1 if quick else 5, 6, 350, 100, 50))
    if name == "slow":
        ready = published(generator(1 if quick else 5, 6, 350, 100, 50))
        return replace(ready, scenario=replace(ready.scenario, system=System(write=23)))
    if name == "fiftieth":
        return months(200 if quick else 4_000, 100, 1 if quick else 2)
    if name == "large":
        return published(generator(1 if quick else 10, 20 if quick else 100, 35, 11, 4))
    return months(2_000 if quick else 200_000, 10 if quick else 100, 9 if quick else 90)


def measure(name: str, *, quick: bool, profile: bool) -> dict[str, Any]:
    """Play one case in this process."""
    ready = prepared(name, quick=quick)
    if not ready.playable:
        sys.exit(f"bench: {[found.message for found in ready.findings][:5]}")
    watch = cProfile.Profile()
    cpu, wall = time.process_time(), time.perf_counter()
    if profile:
        watch.enable()
    run = play(ready, timeline=False)
    watch.disable()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    if profile:
        pstats.Stats(watch, stream=sys.stderr).sort_stats("tottime").print_stats(35)
    return {"name": name, "cpu": cpu, "wall": wall, **figures(run)}


def figures(run: Run) -> dict[str, Any]:
    """What is told of a run; times in seconds."""
    found = summarise(run)
    decided = sum(len(job.attempts) for job in run.jobs)
    waits: dict[str, float] = {}
    for size in ("small", "medium", "large"):
        starts = [
            j.admitted - j.submitted
            for j in run.jobs
            if j.key.split("/")[1].startswith(f"{size}-") and j.admitted >= 0
        ]
        if starts:
            waits[size] = sum(starts) / len(starts) / 1000
    return {
        "jobs": len(run.jobs),
        "succeeded": sum(job.outcome is Outcome.SUCCEEDED for job in run.jobs),
        "admissions": decided,
        "preemptions": found.waste.preemptions,
        "pending": found.depth,
        "ended": max((job.finished for job in run.jobs), default=0) / 1000,
        "utilisation": found.use.utilisation,
        "waits": waits,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The figures as Markdown."""
    lines = [
        "| load | CPU s | budget | peak MiB | jobs | admissions | per CPU second | real Kueue, wall s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    cases = {case.name: case for case in CASES}
    for row in rows:
        case = cases[row["name"]]
        missed = "" if row["cpu"] <= case.budget else ", missed"
        lines.append(
            f"| {case.what} | {row['cpu']:.1f} | {case.budget:g}{missed} | {row['memory']:.0f} | {row['jobs']:,} "
            f"| {row['admissions']:,} | {row['admissions'] / max(row['cpu'], 1e-9):,.0f} | {case.real or ''} |"
        )
    for row in rows:
        if row["name"] == "slow":
            lines += ["", _beside_the_published(row)]
    return "\n".join(lines)


def _beside_the_published(row: dict[str, Any]) -> str:
    waits = ", ".join(
        f"{size} {row['waits'].get(size, 0):.0f} s ({real:g} s)" for size, real in PUBLISHED.items()
    )
    return (
        f"With 23 ms for each write the baseline ends after {row['ended']:.0f} s of simulated time (the real one: 351 s); mean "
        f"waits, with the published ones in brackets: {waits}."
    )


def main() -> int:
    """Measure each case in a process of its own and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small loads: does it run at all")
    parser.add_argument("--only", choices=[case.name for case in CASES], help="one case")
    parser.add_argument("--profile", action="store_true", help="profile of the hot path on stderr")
    parser.add_argument("--at", type=date.fromisoformat, help="date of the measurement: store docs/bench.md")
    parser.add_argument("--but", default="", help="leave this case out")
    parser.add_argument("--here", action="store_true", help="in this process; prints JSON")
    arguments = parser.parse_args()
    if arguments.here:
        print(
            json.dumps(
                measure(arguments.only or "baseline", quick=arguments.quick, profile=arguments.profile)
            )
        )
        return 0
    rows = []
    for case in CASES:
        if arguments.only in (None, case.name) and case.name != arguments.but:
            given = ["--here", "--only", case.name]
            given += [name for name in ("--quick", "--profile") if getattr(arguments, name[2:])]
            done = subprocess.run(
                [sys.executable, __file__, *given], stdout=subprocess.PIPE, check=True, text=True
            )
            rows.append(json.loads(done.stdout))
            print(f"bench: {case.name}: {done.stdout.strip()}", file=sys.stderr)
    print(table(rows))
    if arguments.at:
        head = (
            f"Measured on {arguments.at} by `ci/bench --simulator`: processor time of one process per load, quota alone (no nodes), "
            "through the Python API; beside them the wall clock that Kueue's own suite needs, which its API server bounds."
        )
        store_section(TITLE, f"{head}\n\n{table(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
