"""Which of Kueue's behaviours a version has: the one place that knows.

Source: the gates and defaults of each line of Kueue from 0.13 to 0.19: the defaults compiled into each release line, with the
patch release where a change was back-ported. A gate's name is Kueue's own; behaviours without a gate are named in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kohort.objects.versions import version_key

Since = tuple[tuple[int, ...], ...]
"""Versions from which a behaviour holds, one per release line that got it late; later lines have it from the last on."""

_FIRST: Final[Since] = ((0,),)

GATES: Final[Mapping[str, Since]] = {
    "PartialAdmission": _FIRST,
    "FlavorFungibility": _FIRST,
    "FlavorFungibilityImplicitPreferenceDefault": (),
    "PrioritySortingWithinCohort": _FIRST,
    "LendingLimit": _FIRST,
    "TopologyAwareScheduling": ((0, 14),),
    "AdmissionFairSharing": ((0, 15),),
    "AdmissionGatedBy": ((0, 19),),
    "FairSharingPreemptWithinNominal": ((0, 15),),
    "FairSharingPrioritizeNonBorrowing": ((0, 15),),
    "FlavorFungibilityPreserveScanProgress": ((0, 18),),
    "SchedulingEquivalenceHashing": ((0, 18),),
    "QuotaCheckStrategy": ((0, 19),),
    "UnadmittedWorkloadsObservability": ((0, 20),),
    "RecomputeAssignmentUponPreemptionTargetsOverlap": ((0, 20),),
    "PrioritizePreemptorWorkloads": (),
    "SchedulerTimestampPreemptionBuffer": (),
    "TASRecomputeAssignmentWithinSchedulingCycle": ((0, 17),),
    "TASProfileMixed": ((0, 15),),
    "TASHandleOverlappingFlavors": ((0, 18),),
    "zero requests of uncovered resources are ignored": ((0, 17),),
    "no-candidate flavors rank below viable ones": ((0, 18, 5), (0, 19, 1)),
    "affinity is judged on the flavor's own keys": ((0, 17, 6), (0, 18, 2), (0, 19)),
    "preference words mean what they say": ((0, 16, 2),),
    "waitForPodsReady is on by default": ((0, 19),),
}


def gate(name: str, kueue: str) -> bool:
    """Whether Kueue of this version has the behaviour by default. `name` is a key of `GATES`."""
    have = version_key(kueue)
    lines = GATES[name]
    if not lines:
        return False
    same_line = [since for since in lines if since[:2] == have[:2]]
    if same_line:
        return have >= same_line[0]
    return have >= lines[-1]


def gates(kueue: str, overrides: Mapping[str, bool] | None = None) -> dict[str, bool]:
    """Every behaviour of a version, with the Configuration's `featureGates` on top; unknown names are left out."""
    found = {name: gate(name, kueue) for name in GATES}
    found.update({name: on for name, on in (overrides or {}).items() if name in found})
    return found
