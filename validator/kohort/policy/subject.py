"""What a policy is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.dataclass import dataclass
from kohort.objects.kube import KubeObject
from kohort.spans import Origin, Path


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing to be judged.

    `name` is how people name it (`team blue`, `ClusterQueue blue`). `variables` are what the expressions see beside
    those that all share. `origin` is its declaration's root; for an object its provenance finds the field.
    """

    name: str
    variables: Mapping[str, Any]
    origin: Origin
    obj: KubeObject | None = None
    clusters: tuple[str, ...] = ()

    def at(self, path: Path) -> Origin:
        """Where a field of it stands."""
        return self.obj.at(*path) if self.obj is not None else self.origin.child(*path)
