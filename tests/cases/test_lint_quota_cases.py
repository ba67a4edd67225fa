"""Quota that cannot be used as meant, on small inputs after public reports: every clause, with file and line."""

from __future__ import annotations

import re

import pytest
from lint_case import SHARED, Case, answers

from kohort.objects.quantity import Quantity

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


@answers("15", 1)
def test_15_limit_range_injects_an_uncovered_resource():
    case = Case("15")
    assert case.errors == [
        (
            "input.yaml",
            49,
            "LimitRange ci/default injects ephemeral-storage, not covered by ClusterQueue ci (reached from LocalQueue ci/main)",
        )
    ]
    assert ("workload.yaml", 4, "Job ci/step takes it and stays pending") in case.related("WKL652")
    assert (
        'pending: "couldn\'t assign flavors to pod set main: resource ephemeral-storage unavailable in ClusterQueue"'
        in case.only("WKL652").help
    )


@answers("18", 0, 1, 2)
def test_18_jobs_without_covered_requests():
    case = Case("18")
    assert case.warnings == [
        (
            "workloads.yaml",
            13,
            (
                "Job team-a/no-requests requests nothing that ClusterQueue gpu-clusterqueue covers: it is admitted without a "
                "flavor, so no nodeSelector is added"
            ),
        )
    ]
    assert case.errors == [
        (
            "workloads.yaml",
            38,
            "Job team-a/gpu-only requests nvidia.com/gpu, which ClusterQueue gpu-clusterqueue does not cover",
        )
    ]
    assert "resource nvidia.com/gpu unavailable in ClusterQueue" in case.only("WKL651").help[0]


def test_18_with_pods_covered_the_job_is_counted():
    def edit(text):
        text = text.replace('["cpu", "memory"]', '["cpu", "memory", "pods"]')
        return text.replace(
            "nominalQuota: 36Gi", "nominalQuota: 36Gi\n      - name: pods\n        nominalQuota: 10"
        )

    assert Case("18", edit=edit).warnings == []


@answers("25", 1)
def test_25_flavor_that_the_borrower_does_not_list():
    case = Case("25")
    assert case.errors == []
    assert case.notes == [
        (
            "input.yaml",
            26,
            "cohort org has flavor topo that base-queue cannot use; add it with nominalQuota 0 to allow borrowing",
        )
    ]
    assert case.related("QTA508") == [("input.yaml", 44, "ClusterQueue topo-queue has it")]


@answers("35", 0, 1, 2)
def test_35_never_reclaim_but_borrow():
    case = Case("35")
    rule = "reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never"
    assert case.errors == [
        (
            "input.yaml",
            14,
            f"ClusterQueue a: spec.preemption: {rule} (reclaimWithinCohort is Never, borrowWithinCohort.policy is LowerPriority)",
        ),
        (
            "input.yaml",
            33,
            (
                f"ClusterQueue b: spec.preemption: {rule} (reclaimWithinCohort is left out and defaults to Never, "
                "borrowWithinCohort.policy is LowerPriority)"
            ),
        ),
    ]
    fair = (
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
        "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}\n"
    )
    reclaims = Case(
        "35",
        more=fair,
        edit=lambda text: text.replace("reclaimWithinCohort: Never", "reclaimWithinCohort: Any").replace(
            "preemption:\n    borrow", "preemption:\n    reclaimWithinCohort: Any\n    borrow"
        ),
    )
    assert reclaims.errors == []
    assert [m for _, _, m in reclaims.warnings if "fair sharing" in m] == [
        "ClusterQueue a: borrowWithinCohort LowerPriority has no effect: fair sharing is on",
        "ClusterQueue b: borrowWithinCohort LowerPriority has no effect: fair sharing is on",
    ]


@answers("38", 1)
def test_38_namespace_selector_missing():
    case = Case("38")
    assert case.errors == [
        (
            "input.yaml",
            18,
            "LocalQueue team-a/q -> ClusterQueue spot-cq whose namespaceSelector is absent (selects no namespace)",
        )
    ]
    assert case.warnings == []
    assert case.related("QTA501") == [("input.yaml", 49, "LocalQueue team-a/q leads here")]


def test_38_without_local_queue_it_only_lends():
    def edit(text):
        return re.sub(
            r"---\napiVersion: \S+\nkind: LocalQueue\nmetadata:\n  name: q\n(  .*\n|spec:\n)+", "", text
        )

    case = Case("38", edit=edit)
    assert "QTA501" not in {f.code for f in case.findings}
    assert [f.code for f in case.findings if f.subject == "ClusterQueue spot-cq"] == []


def test_38_null_is_absent_and_empty_is_everything():
    null = Case(
        "38",
        edit=lambda text: text.replace(
            "name: spot-cq\nspec:\n", "name: spot-cq\nspec:\n  namespaceSelector: null\n"
        ),
    )
    assert null.errors[0][1:] == (
        19,
        "LocalQueue team-a/q -> ClusterQueue spot-cq whose namespaceSelector is null (selects no namespace)",
    )
    everything = Case(
        "38",
        edit=lambda text: text.replace(
            "name: spot-cq\nspec:\n", "name: spot-cq\nspec:\n  namespaceSelector: {}\n"
        ),
    )
    assert everything.errors == []


@answers("57", 0)
def test_57_one_job_fits_and_the_other_never_does():
    case = Case("57")
    assert [(file, line) for file, line, _ in case.errors] == [("workloads.yaml", 41)]
    assert "2000381018112 bytes" in case.errors[0][2]
    assert "2000000000000 bytes" in case.errors[0][2]
    assert Quantity.parse("1862Gi").units() == 1999307276288 < Quantity.parse("2000G").units()
    assert (
        "input.yaml",
        19,
        "ClusterQueue blue: memory nominalQuota 2000G is 1862.6 GiB (2,000,000,000,000 bytes), beside 2113411288Ki on node w1",
    ) in case.notes
