"""Kueue's own Workloads, as `kubectl get workloads -A -o json` (or yaml) gives them.

Source: the Workload API, v1beta1 and v1beta2. A job runs from its Admitted to its Finished condition; what has not
finished has no known length and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.objects.intake import take_in
from kohort.objects.kube import KubeObject, mappings
from kohort.objects.podset import PodSet
from kohort.objects.podsets import requests
from kohort.semantics.amount import kueue_request
from kohort.simulator.importers.clock import moment
from kohort.simulator.importers.imported import Imported, Part, Recorded, TraceError
from kohort.source.reader import read_file


def read(data: bytes) -> Imported:
    """All finished workloads."""
    file = read_file("trace", data)
    intake = take_in([file])
    works = [obj for obj in intake.objects if obj.kind == "Workload"]
    if not works:
        said = f": {file.findings[0].message}" if file.findings else ""
        raise TraceError(f"no Workload objects{said}")
    found = Imported()
    for obj in works:
        times = dict(_conditions(obj))
        admitted, finished = times.get("Admitted", times.get("QuotaReserved")), times.get("Finished")
        created = moment(obj.get("metadata", "creationTimestamp"))
        if admitted is None or finished is None or created is None:
            found.left_out["never ran" if admitted is None else "not finished"] += 1
            continue
        priority = obj.get("spec", "priority")
        found.jobs.append(
            Recorded(
                obj.name,
                created,
                max(1000, finished - admitted),
                tuple(_parts(obj)),
                f"{obj.namespace}/{obj.get('spec', 'queueName') or ''}",
                obj.namespace,
                priority if isinstance(priority, int) and not isinstance(priority, bool) else 0,
                "as requested",
            )
        )
    return found


def _conditions(obj: KubeObject) -> Iterator[tuple[str, int]]:
    """When each condition that is True turned so; finished workloads keep their Admitted."""
    for _, condition in mappings(obj.get("status", "conditions")):
        at = moment(condition.get("lastTransitionTime"))
        kind = condition.get("type")
        if isinstance(kind, str) and at is not None and condition.get("status") == "True":
            yield kind, at


def _parts(obj: KubeObject) -> Iterator[Part]:
    for _, each in mappings(obj.get("spec", "podSets")):
        count, template = each.get("count"), each.get("template")
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            continue
        values: Mapping[str, Any] = template if isinstance(template, Mapping) else {}
        podset = PodSet(str(each.get("name") or "main"), count, values, ("spec",))
        asks = {name: kueue_request(q, name) for name, q in requests(podset).items()}
        yield Part(count, 0, asks)
