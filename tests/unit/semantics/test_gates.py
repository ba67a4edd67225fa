"""Which version has which behaviour: the last release without it and the first with it, one pair per release line."""

from __future__ import annotations

import pytest

from kohort.semantics.gates import GATES, gate

# After the changelogs and the defaults compiled into each release line of Kueue.
SINCE = [
    ("TopologyAwareScheduling", "0.13.9", "0.14.0"),
    ("AdmissionFairSharing", "0.14.9", "0.15.0"),
    ("AdmissionGatedBy", "0.18.9", "0.19.0"),
    ("FairSharingPreemptWithinNominal", "0.14.9", "0.15.0"),
    ("FairSharingPrioritizeNonBorrowing", "0.14.9", "0.15.0"),
    ("FlavorFungibilityPreserveScanProgress", "0.17.9", "0.18.0"),
    ("SchedulingEquivalenceHashing", "0.17.9", "0.18.0"),
    ("QuotaCheckStrategy", "0.18.9", "0.19.0"),
    ("UnadmittedWorkloadsObservability", "0.19.9", "0.20.0"),
    ("RecomputeAssignmentUponPreemptionTargetsOverlap", "0.19.9", "0.20.0"),
    ("TASRecomputeAssignmentWithinSchedulingCycle", "0.16.9", "0.17.0"),
    ("TASProfileMixed", "0.14.9", "0.15.0"),
    ("TASHandleOverlappingFlavors", "0.17.9", "0.18.0"),
    ("zero requests of uncovered resources are ignored", "0.16.9", "0.17.0"),
    ("no-candidate flavors rank below viable ones", "0.17.9", "0.18.5"),
    ("no-candidate flavors rank below viable ones", "0.18.4", "0.18.5"),
    ("no-candidate flavors rank below viable ones", "0.19.0", "0.19.1"),
    ("no-candidate flavors rank below viable ones", "0.19.0", "0.20.0"),
    ("affinity is judged on the flavor's own keys", "0.17.5", "0.17.6"),
    ("affinity is judged on the flavor's own keys", "0.18.1", "0.18.2"),
    ("affinity is judged on the flavor's own keys", "0.16.9", "0.19.0"),
    ("preference words mean what they say", "0.16.1", "0.16.2"),
    ("preference words mean what they say", "0.15.9", "0.17.0"),
    ("waitForPodsReady is on by default", "0.18.9", "0.19.0"),
]
ALWAYS = ["PartialAdmission", "FlavorFungibility", "PrioritySortingWithinCohort", "LendingLimit"]


@pytest.mark.parametrize(("name", "without", "having"), SINCE)
def test_it_begins_with_a_release(name, without, having):
    assert (gate(name, without), gate(name, having)) == (False, True)


@pytest.mark.parametrize("name", ALWAYS)
def test_it_was_always_there(name):
    assert gate(name, "0.13.0")


def test_the_rest_is_off_by_default_in_every_version():
    for name in GATES.keys() - {name for name, *_ in SINCE} - set(ALWAYS):
        assert not any(gate(name, f"0.{minor}.9") for minor in range(13, 21)), name
