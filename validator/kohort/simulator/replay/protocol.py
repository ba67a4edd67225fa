"""What the judge needs of a model: a machine that takes objects and moments, and a view of where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from kohort.objects.kube import KubeObject
from kohort.simulator.events import Event
from kohort.simulator.view import View


class Machine(Protocol):
    """A model of Kueue with a clock; the simulator's `Machine` is one."""

    def apply(self, obj: KubeObject, at: int) -> None:
        """Create or replace an object at a moment in milliseconds.

        A Workload's `spec` counts as a whole; of its `status` only `admissionChecks` (states by name; others stay) and
        `reclaimablePods` are read, where given.
        """

    def remove(self, kind: str, namespace: str, name: str, at: int) -> None:
        """Delete an object, a Workload included."""

    def finish(self, workload: str, at: int) -> None:
        """Let a Workload's job finish."""

    def advance(self, at: int) -> None:
        """Let time pass up to a moment."""

    def prefer(self, keys: Iterable[str]) -> None:
        """Let chance fall on these workloads from now on, and say in `View.any_of` what it decided."""

    def settle(self) -> Sequence[Event]:
        """Run until nothing changes any more; what happened, in order."""

    def view(self) -> View:
        """Return where everything stands."""
