"""Short names: in a trace a workload goes by its bare name, a machine says `namespace/name`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kohort.simulator.replay.trace import FIELDS, Trace
from kohort.simulator.view import View

_OF_QUEUES = frozenset({"reservations", "notActive", "pending", "weightedShare"})


@dataclass(frozen=True, slots=True)
class Names:
    """Workloads of one trace.

    Attributes:
        full: `namespace/name` -> bare name, of workloads whose bare name is theirs alone.
    """

    full: Mapping[str, str]

    @classmethod
    def of(cls, trace: Trace) -> Names:
        """Collect the workloads that a trace submits."""
        found: dict[str, set[str]] = {}
        given = [*trace.objects, *(step.obj for step in trace.steps if step.do in ("submit", "apply"))]
        for obj in given:
            if obj.get("kind") == "Workload":
                meta = obj["metadata"]
                key = f"{meta.get('namespace', '')}/{meta['name']}"
                found.setdefault(str(meta["name"]), set()).add(key)
        return cls({key: name for name, keys in found.items() if len(keys) == 1 for key in keys})

    def short(self, key: str) -> str:
        """Return the bare name of a workload; every other key as it is."""
        return self.full.get(key, key)

    def shortened(self, view: View) -> dict[str, Any]:
        """Return the fields of a view with short names."""
        result: dict[str, Any] = {}
        for field in FIELDS:
            if field == "evictions":
                continue
            entries: Mapping[str, Any] = getattr(view, field)
            queues = field in _OF_QUEUES
            result[field] = {key if queues else self.short(key): value for key, value in entries.items()}
        return result
