"""SenseTime's Helios traces: `cluster_log.csv` with one line per job.

Source: the published columns `job_id`, `user`, `vc`, `gpu_num`, `cpu_num`, `node_num`, `state`, `submit_time`,
`start_time`, `end_time`, `duration` (seconds).
"""

from __future__ import annotations

from kohort.simulator.importers.clock import moment
from kohort.simulator.importers.imported import Imported, Part, Recorded
from kohort.simulator.importers.texts import number, rows_of


def read(data: bytes) -> Imported:
    """All jobs that ran."""
    found = Imported()
    for _, row in rows_of(data, ",", ("job_id", "gpu_num", "submit_time", "duration")):
        submitted, length = moment(row["submit_time"]), number(row["duration"])
        if submitted is None or not length or length < 0:
            found.left_out["never ran" if submitted is not None else "no time of submission"] += 1
            continue
        nodes = max(1, number(row.get("node_num")) or 1)
        gpus, cores = max(0, number(row["gpu_num"]) or 0), number(row.get("cpu_num")) or 0
        requests = {"cpu": -(-cores * 1000 // nodes)} if cores > 0 else {}
        found.jobs.append(
            Recorded(
                f"helios-{row['job_id']}",
                submitted,
                length * 1000,
                (Part(nodes, -(-gpus // nodes), requests),),
                row.get("vc", ""),
                row.get("user", ""),
            )
        )
    return found
