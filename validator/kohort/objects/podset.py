"""The pod sets of a workload as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kohort.dataclass import dataclass

if TYPE_CHECKING:
    from kohort.spans import Path

_MAX_INT32: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class PodSet:
    """Pods of one shape.

    Attributes:
        name: as Kueue names it in the Workload (lower case; "main" for kinds with a single set).
        count: how many pods the whole object has of this shape.
        template: mapping with `metadata` and `spec` of one pod; a copy with what controllers add, if any.
        path: where the template stands in the object.
        min_count: the count to which partial admission may shrink it, if declared.
    """

    name: str
    count: int
    template: Mapping[str, Any]
    path: Path
    min_count: int | None = None


@dataclass(frozen=True, slots=True)
class PodSets:
    """The answer about one object.

    Attributes:
        found: the pod sets that could be read.
        inferable: whether the kind shows its pods at all.
        reasons: in words, what could not be read; empty when `found` is complete.
        workloads: of how many equal Kueue Workloads the counts are the sum (replicas of a LeaderWorkerSet
            or Deployment, whose groups are admitted one by one); 1 for everything admitted as a whole.
    """

    found: tuple[PodSet, ...]
    inferable: bool
    reasons: tuple[str, ...] = ()
    workloads: int = 1


class Reader:
    """Collects pod sets of one object, and reasons for those that cannot be read."""

    def __init__(self, obj: Mapping[str, Any]) -> None:
        self.obj = obj
        self.found: list[PodSet] = []
        self.reasons: list[str] = []

    def value(self, *path: str | int) -> Any:
        """Return the value at `path`, or None when a step is absent or of another shape."""
        return value_at(self.obj, path)

    def count(self, *path: str | int, default: int = 1) -> int:
        """Return the non-negative 32-bit integer at `path`; anything else is a reason and counts as `default`."""
        value = self.value(*path)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_INT32:
            self.reasons.append(f"{dotted(path)} is no count of pods; counted as {default}")
            return default
        return value

    def add(self, name: Any, count: int, *path: str | int, min_count: int | None = None) -> None:
        """Add the pod set whose template stands at `path`, or the reason why it cannot be read."""
        template = self.value(*path)
        if not isinstance(template, Mapping) or not isinstance(template.get("spec"), Mapping):
            self.reasons.append(f"{dotted(path) or 'the object'} has no pod template with a spec")
            return
        self.found.append(PodSet(str(name).lower(), count, template, path, min_count))

    def result(self, workloads: int = 1) -> PodSets:
        """Return what was collected."""
        return PodSets(tuple(self.found), inferable=True, reasons=tuple(self.reasons), workloads=workloads)


def value_at(value: Any, path: Path) -> Any:
    """Return the value at `path` below `value`, or None when a step is absent or of another shape."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(value, (list, tuple)) or not 0 <= step < len(value):
                return None
            value = value[step]
        elif type(value) is dict or isinstance(value, Mapping):  # the abstract check costs ten times as much
            value = value.get(step)
        else:
            return None
    return value


def length(value: Any) -> int:
    """Return the number of items of a list, 0 for anything else."""
    return len(value) if isinstance(value, (list, tuple)) else 0


def dotted(path: Path) -> str:
    """Return a path as `spec.groups[1].template`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
