"""What fills in and bounds the requests of pods: the LimitRanges of each namespace, and RuntimeClasses.

`pod_requests` and `pod_bounds` take both as one list, since Kueue reads them at the same moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from kohort.objects.kube import KubeObject


class Adjusting:
    """The LimitRanges and RuntimeClasses among a cluster's objects."""

    def __init__(self, objects: Iterable[KubeObject]) -> None:
        self._ranges: defaultdict[str, list[Any]] = defaultdict(list)
        self._runtimes: list[Any] = []
        for obj in objects:
            if obj.kind == "LimitRange":
                self._ranges[obj.namespace].append(obj.data)
            elif obj.kind == "RuntimeClass":
                self._runtimes.append(obj.data)

    def of(self, namespace: str) -> list[Any]:
        """The values of those that concern pods of a namespace."""
        return [*self._ranges.get(namespace, ()), *self._runtimes]
