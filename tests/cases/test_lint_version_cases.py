"""What depends on Kueue's version, on small inputs after public reports: every clause, with file and line."""

from __future__ import annotations

import pytest
from lint_case import SHARED, Case, answers

from kohort.diagnostics import Severity

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


@answers("16", 0, 1)
def test_16_zero_request_depends_on_the_version():
    for version in ("0.17.0", "0.17.1", "0.18.6", "0.19.1"):
        assert Case("16", kueue=version).findings == ()
    case = Case("16", kueue="0.16.9")
    assert case.errors == [
        (
            "workload.yaml",
            22,
            "Job team-a/w: zero request for uncovered resource nvidia.com/roce_gdr: Kueue 0.16.9 keeps it pending",
        )
    ]
    assert "resource nvidia.com/roce_gdr unavailable in ClusterQueue" in case.only("WKL653").help[0]


@pytest.mark.parametrize("version", ["0.15.2", "0.17.1", "0.17.5", "0.18.1"])
@answers("21", 0)
def test_21_label_keys_of_all_flavors_on_older_kueue(version):
    case = Case("21", kueue=version)
    assert case.errors == [
        (
            "workload.yaml",
            22,
            (
                "Job team-a/w asks 1 cpu, and no flavor of ClusterQueue c can ever give it: flavor plain doesn't match node "
                "affinity (the pod wants team.example/dedicated=yes, the flavor has no label team.example/dedicated); flavor "
                "labelled: insufficient quota (0 cpu at most)"
            ),
        )
    ]


@pytest.mark.parametrize("version", ["0.17.6", "0.18.2", "0.19.0", "0.19.1"])
def test_21_own_label_keys_since_then(version):
    case = Case("21", kueue=version)
    assert case.errors == []
    assert case.warnings == [
        (
            "input.yaml",
            34,
            "ClusterQueue c: flavor labelled can never be used: nominalQuota 0 and no cohort to borrow from",
        )
    ]


@answers("31", 0)
def test_31_v1alpha1_cohort():
    case = Case("31")
    assert case.errors == [
        (
            "input.yaml",
            1,
            "Cohort research: kueue.x-k8s.io/v1alpha1 is not served by Kueue 0.19.1 (served: v1beta1, v1beta2)",
        )
    ]
    assert case.only("KUE209").help == (
        "write kueue.x-k8s.io/v1beta2",
        'spec.parent is now spec.parentName: "organization"',
    )


@answers("32", 0, 1, 2)
def test_32_cohort_fields_of_the_other_version():
    case = Case("32")
    assert case.errors == [
        ("input.yaml", 12, 'ClusterQueue a: spec.cohort: unknown field "cohort"'),
        ("input.yaml", 27, 'ClusterQueue b: spec.cohortName: unknown field "cohortName"'),
    ]
    helps = {f.subject: f.help for f in case.findings if f.code == "KUE201"}
    assert "v1beta2 calls it spec.cohortName" in helps["ClusterQueue a"]
    assert "v1beta1 calls it spec.cohort" in helps["ClusterQueue b"]
    assert case.warnings == [
        (
            "input.yaml",
            22,
            "ClusterQueue b: kueue.x-k8s.io/v1beta1 is deprecated (v1beta2 served from v0.15.0, storage version from v0.16.0)",
        )
    ]


@answers("34", 0, 1)
def test_34_v1alpha2_queue():
    case = Case("34")
    assert case.errors == [
        (
            "input.yaml",
            1,
            "ResourceFlavor default: kueue.x-k8s.io/v1alpha2 is not served by Kueue 0.19.1 (served: v1beta1, v1beta2)",
        ),
        (
            "input.yaml",
            6,
            "ClusterQueue cluster-total: kueue.x-k8s.io/v1alpha2 is not served by Kueue 0.19.1 (served: v1beta1, v1beta2)",
        ),
    ]
    assert (
        "spec.resources is now spec.resourceGroups: cpu of flavor default has nominalQuota 9, borrowingLimit 3 (max − min)"
        in next(f for f in case.findings if f.subject == "ClusterQueue cluster-total").help
    )
    assert case.outcome.report.fails(Severity.ERROR)
