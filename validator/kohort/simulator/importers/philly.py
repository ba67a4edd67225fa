"""Microsoft's Philly traces: `cluster_job_log`, a JSON list of jobs with their attempts.

Source: the published form: `jobid`, `vc`, `user`, `submitted_time`, `attempts[].start_time`, `.end_time` and
`.detail[]` with `gpus` per machine. Times of attempts add up; the sizes are those of the first attempt that has any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kohort.objects.kube import mappings
from kohort.simulator.importers.clock import moment
from kohort.simulator.importers.imported import Imported, Part, Recorded, TraceError
from kohort.simulator.importers.texts import json_of


def read(data: bytes) -> Imported:
    """All jobs that ran."""
    value = json_of(data)
    if not isinstance(value, list):
        raise TraceError("line 1: not a list of jobs")
    found = Imported()
    for number, entry in enumerate(value, 1):
        if not isinstance(entry, Mapping):
            found.left_out["not a job"] += 1
            continue
        attempts = [each for _, each in mappings(entry.get("attempts"))]
        length = sum(_length(each) for each in attempts)
        submitted = moment(entry.get("submitted_time"))
        parts = next((parts for each in attempts if (parts := _parts(each))), ())
        if submitted is None or length <= 0 or not parts:
            found.left_out["never ran" if submitted is not None else "no time of submission"] += 1
            continue
        queue, user = str(entry.get("vc") or ""), str(entry.get("user") or "")
        found.jobs.append(Recorded(f"philly-{number}", submitted, length, parts, queue, user))
    return found


def _length(attempt: Mapping[str, Any]) -> int:
    start, end = moment(attempt.get("start_time")), moment(attempt.get("end_time"))
    return max(0, end - start) if start is not None and end is not None else 0


def _parts(attempt: Mapping[str, Any]) -> tuple[Part, ...]:
    """One pod per machine; machines with equal numbers of GPUs are one part."""
    sizes: Counter[int] = Counter()
    for _, machine in mappings(attempt.get("detail")):
        gpus = machine.get("gpus")
        if isinstance(gpus, list):
            sizes[len(gpus)] += 1
    return tuple(Part(pods, gpus) for gpus, pods in sorted(sizes.items(), reverse=True))
