"""Alibaba's GPU traces: `pai_task_table` of 2020 (a header or none), or `openb_pod_list` of 2023.

Source: the published columns. 2020: a job has several tasks, `plan_gpu` and `plan_cpu` count percent of one, `plan_mem` GB,
times are seconds. 2023: one pod per line, `num_gpu` whole GPUs or a part of one (`gpu_milli` of 1000), cores in thousandths.
Parts of a GPU are rounded up to a whole one, and the note says how many.
"""

from __future__ import annotations

from collections import defaultdict

from kohort.simulator.importers.clock import moment
from kohort.simulator.importers.imported import Imported, Part, Recorded
from kohort.simulator.importers.texts import number, rows_of, text_of

_TASKS = (
    *("job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu", "plan_mem"),
    *("plan_gpu", "gpu_type"),
)
_GIB = 2**30
_MIB = 2**20


def read(data: bytes) -> Imported:
    """All jobs with their times."""
    first = text_of(data).partition("\n")[0]
    if "num_gpu" in first:
        return _pods(data)
    if "job_name" not in first:
        data = ",".join(_TASKS).encode() + b"\n" + data
    return _tasks(data)


def _tasks(data: bytes) -> Imported:
    found = Imported()
    tasks: defaultdict[str, list[tuple[int, int, Part, str]]] = defaultdict(list)
    rounded = 0
    for _, row in rows_of(data, ",", ("job_name", "inst_num", "start_time", "end_time", "plan_gpu")):
        start, end = moment(row["start_time"]), moment(row["end_time"])
        if start is None or end is None or end <= start:
            found.left_out["task without times"] += 1
            continue
        percent = number(row["plan_gpu"]) or 0
        rounded += percent % 100 != 0
        requests = {}
        if cpu := number(row.get("plan_cpu")):
            requests["cpu"] = cpu * 10
        if memory := number(row.get("plan_mem")):
            requests["memory"] = memory * _GIB
        part = Part(max(1, number(row["inst_num"]) or 1), -(-percent // 100), requests)
        tasks[row["job_name"]].append((start, end, part, row.get("gpu_type", "")))
    for count, (_, each) in enumerate(tasks.items(), 1):
        begun, ended = min(task[0] for task in each), max(task[1] for task in each)
        parts = tuple(task[2] for task in each)
        found.jobs.append(Recorded(f"alibaba-{count}", begun, ended - begun, parts, each[0][3]))
    return _noted(found, rounded)


def _pods(data: bytes) -> Imported:
    found = Imported()
    rounded = 0
    for count, row in rows_of(data, ",", ("name", "num_gpu", "creation_time", "deletion_time")):
        start, end = moment(row["creation_time"]), moment(row["deletion_time"])
        if start is None or end is None or end <= start:
            found.left_out["pod without times"] += 1
            continue
        gpus = number(row["num_gpu"]) or 0
        milli = number(row.get("gpu_milli")) or 0
        if gpus and 0 < milli < 1000:
            rounded += 1
        requests = {}
        if cpu := number(row.get("cpu_milli")):
            requests["cpu"] = cpu
        if memory := number(row.get("memory_mib")):
            requests["memory"] = memory * _MIB
        part = Part(1, gpus, requests)
        found.jobs.append(Recorded(f"alibaba-{count - 1}", start, end - start, (part,), row.get("qos", "")))
    return _noted(found, rounded)


def _noted(found: Imported, rounded: int) -> Imported:
    if rounded:
        found.notes.append(f"{rounded} requests for a part of a GPU were rounded up to a whole one")
    return found
