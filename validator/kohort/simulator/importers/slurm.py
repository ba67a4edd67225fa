r"""Slurm's accounting: `sacct -a -X -P -o JobID,User,Account,Partition,Submit,Start,End,ElapsedRaw,NNodes,AllocTRES,State`.

Source: sacct's parsable output (`-P`: columns by `|`, a header). Steps (`12.batch`) are left out, as are jobs that never
ran. GPUs are `gres/gpu` of AllocTRES (ReqTRES where it is empty), spread evenly over the nodes.
"""

from __future__ import annotations

import re

from kohort.simulator.importers.clock import elapsed, moment
from kohort.simulator.importers.imported import Imported, Part, Recorded
from kohort.simulator.importers.texts import number, rows_of

_MEMORY = re.compile(r"([0-9.]+)([KMGT]?)[nc]?")
_UNITS = {"": 20, "K": 10, "M": 20, "G": 30, "T": 40}
_NEVER = ("PENDING", "RUNNING", "SUSPENDED", "REQUEUED")


def read(data: bytes) -> Imported:
    """All jobs."""
    found = Imported()
    for _, row in rows_of(data, "|", ("JobID", "Submit", "State")):
        name = row["JobID"]
        if "." in name:
            found.left_out["step of a job"] += 1
            continue
        state = row["State"].split(" ")[0]
        if state in _NEVER:
            found.left_out[f"state {state}"] += 1
            continue
        submitted, length = moment(row["Submit"]), _length(row)
        if submitted is None or not length:
            found.left_out["never ran" if submitted is not None else "no time of submission"] += 1
            continue
        found.jobs.append(
            Recorded(
                f"slurm-{re.sub(r'[^0-9a-z]+', '-', name.lower()).strip('-')}",
                submitted,
                length,
                (_part(row),),
                row.get("Partition", ""),
                row.get("User", "") or row.get("Account", ""),
                number(row.get("Priority")) or 0,
            )
        )
    return found


def _length(row: dict[str, str]) -> int | None:
    raw = number(row.get("ElapsedRaw"))
    if raw is not None:
        return raw * 1000
    if row.get("Elapsed"):
        return elapsed(row["Elapsed"])
    start, end = moment(row.get("Start")), moment(row.get("End"))
    return max(0, end - start) if start is not None and end is not None else None


def _part(row: dict[str, str]) -> Part:
    given = row.get("AllocTRES") or row.get("ReqTRES") or ""
    tres = dict(entry.partition("=")[::2] for entry in given.split(",") if "=" in entry)
    nodes = max(1, number(row.get("NNodes")) or number(tres.get("node")) or 1)
    gpus = number(tres.get("gres/gpu")) or 0
    cores = number(tres.get("cpu")) or number(row.get("NCPUS")) or 0
    requests = {"cpu": -(-cores * 1000 // nodes)} if cores else {}
    memory = _MEMORY.fullmatch(tres.get("mem", ""))
    if memory is not None:
        requests["memory"] = int(float(memory[1]) * 2 ** _UNITS[memory[2]]) // nodes
    return Part(nodes, -(-gpus // nodes), requests)
