"""Stories of the other files again with feature gates switched, as older and newer versions of Kueue have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import fair_sharing
import flavor_choice
import partial_admission
import preempting
import queueing
import reclaiming

from kohort.lab.recording.story import Story

OLDER = {
    "SchedulingEquivalenceHashing": False,
    "PartialAdmission": False,
    "PrioritySortingWithinCohort": False,
}
NEWER = {
    "RecomputeAssignmentUponPreemptionTargetsOverlap": True,
    "PrioritizePreemptorWorkloads": True,
    "UnadmittedWorkloadsObservability": True,
}
ONE_FLAVOR = {"FlavorFungibility": False, "FlavorFungibilityPreserveScanProgress": False}
OLDER_FAIR = {"FairSharingPreemptWithinNominal": False, "FairSharingPrioritizeNonBorrowing": False}


def again(word: str, gates: dict[str, bool], stories: Iterable[Story], *names: str) -> Iterator[Story]:
    for story in stories:
        if any(name in story.name for name in names):
            yield story.under(word, {"featureGates": gates})


def scenarios() -> Iterator[Story]:
    yield from again(
        "older", OLDER, queueing.scenarios(), "twin", "order", "several-borrowers", "priority-then-age"
    )
    yield from again("older", OLDER, partial_admission.scenarios(), "largest", "second-flavor")
    yield from again("older", OLDER, preempting.scenarios(), "keeps-its-place", "sticky", "newest")
    yield from again("older", OLDER, reclaiming.scenarios(), "borrow-within-cohort", "chain")
    yield from again(
        "newer",
        NEWER,
        reclaiming.scenarios(),
        "overlap",
        "chain",
        "several-queues",
        "tutorial",
        "three-levels",
    )
    yield from again("newer", NEWER, preempting.scenarios(), "sticky", "fill-back", "keeps-its-place")
    yield from again("newer", NEWER, queueing.scenarios(), "reserves", "order", "strict")
    yield from again("newer", NEWER, flavor_choice.scenarios(), "uncovered", "missing", "taint", "selector")
    yield from again("one-flavor", ONE_FLAVOR, flavor_choice.scenarios(), "flavor-")
    both = (story for story in fair_sharing.scenarios() if not story.name.endswith(("-final", "-initial")))
    yield from again(
        "older-fair",
        OLDER_FAIR,
        both,
        "within-nominal",
        "tournament",
        "large-jobs",
        "cohort-weights",
        "share-sums",
    )
