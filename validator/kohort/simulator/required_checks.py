"""Which admission checks a work has to pass.

Source: Kueue 0.19.1 `pkg/workload` (AdmissionChecksForWorkload): without an assignment those that apply to every flavor of the
queue, with one those that apply to a flavor it got.
"""

from __future__ import annotations

from kohort.objects.kueue import ClusterQueue
from kohort.semantics.work import Work


def required(work: Work, spec: ClusterQueue) -> set[str]:
    """Names of the checks."""
    if work.assignment is None:
        every = set(spec.flavors)
        return {name for name, flavors in spec.checks if not flavors or set(flavors) >= every}
    given = {choice.flavor for podset in work.assignment.podsets for choice in podset.flavors.values()}
    return {name for name, flavors in spec.checks if given & (set(flavors) if flavors else set(spec.flavors))}


def all_ready(work: Work) -> bool:
    """Whether all checks that the work carries are Ready."""
    return all(said == "Ready" for said in work.checks.values())
