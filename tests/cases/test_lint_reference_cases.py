"""What names what, on small inputs after public reports: every clause of the right answer, with file and line."""

from __future__ import annotations

import pytest
from lint_case import SHARED, Case, answers

from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.source.tree import MemoryTree

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


@answers("06", 0)
def test_06_flavor_typo():
    case = Case("06")
    assert case.errors == [
        (
            "input.yaml",
            30,
            'ClusterQueue cluster-total references missing ResourceFlavor "nvidia-100" (did you mean "nvidia-a100"?)',
        )
    ]
    assert case.only("REF401").help[0] == (
        "Kueue shows Active=False, reason FlavorNotFound, \"Can't admit new workloads: references missing "
        'ResourceFlavor(s): nvidia-100."'
    )
    assert case.warnings == []  # nvidia-a100 is unused only because of the typing error
    fix = case.only("REF401").fix
    assert [(edit.action, edit.text) for edit in fix.edits] == [("replace", "nvidia-a100")]
    assert not fix.safe


@answers("12", 0, 1)
def test_12_elastic_flavor_and_missing_parameters():
    case = Case("12")
    assert case.errors == []
    assert [m for _, _, m in case.notes if m.startswith("elastic flavor dws-h100")]
    assert (
        'AdmissionCheck dws-prov points to ProvisioningRequestConfig "dws-config"; no object of that kind was given'
        in case.gaps()
    )


@answers("14", 0, 3)
def test_14_unused_flavor():
    case = Case("14")
    assert ("input.yaml", 12, "ResourceFlavor h100-mig-1g10gb is used by no ClusterQueue") in case.warnings
    assert [f.code for f in case.findings if f.severity is Severity.ERROR] == ["CAP901"]


@answers("29", 0, 1)
def test_29_cohort_cycle():
    case = Case("29")
    assert case.errors == [
        ("input.yaml", 12, "Cohort cycle root -> leaf -> mid -> root; ClusterQueue a inactive")
    ]
    assert any("CohortCycleDetected" in line for line in case.only("REF408").help)
    assert case.related("REF408") == [
        ("input.yaml", 26, "parent of leaf"),
        ("input.yaml", 19, "parent of mid"),
    ]
    own = Case("29", edit=lambda text: text.replace("parentName: leaf", "parentName: root"))
    assert own.errors == [("input.yaml", 12, "Cohort cycle root -> root; ClusterQueue a inactive")]


def test_29_a_loop_of_a_thousand_terminates():
    docs = [
        f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {{name: c{i}}}\nspec: {{parentName: c{(i + 1) % 1000}}}\n"
        for i in range(1000)
    ]
    report = check_plain([MemoryTree({"a.yaml": "---\n".join(docs).encode()})], Settings()).report
    assert [f.code for f in report.findings] == ["REF408"]
    assert report.findings[0].message.startswith("Cohort cycle c0 -> c1 -> ")
    assert report.findings[0].message.endswith(" -> c0")


@answers("40", 0)
def test_40_missing_local_queue():
    case = Case("40")
    assert case.errors == [
        (
            "workload.yaml",
            7,
            "workload mintmaker/run: LocalQueue pipelines-queue doesn't exist in namespace mintmaker (exists in: tenant-a)",
        )
    ]
    assert case.related("REF416") == [("input.yaml", 38, "in namespace tenant-a")]


@answers("41", 0, 1)
def test_41_local_queues_to_inactive_and_missing_queues():
    case = Case("41")
    assert case.errors == [
        (
            "input.yaml",
            22,
            (
                'ClusterQueue team-a references missing ResourceFlavor "default" (did you mean "default-flavor"?), '
                '"spot" (did you mean "spot-flavor"?)'
            ),
        ),
        (
            "input.yaml",
            45,
            'LocalQueue team-b/q -> ClusterQueue "team-bb" not found (did you mean "team-a"?)',
        ),
    ]
    assert (
        '"Can\'t admit new workloads: references missing ResourceFlavor(s): default,spot."'
        in case.only("REF401").help[0]
    )
    assert case.related("REF401") == [
        ("input.yaml", 26, "spot does not exist either"),
        ("input.yaml", 37, "LocalQueue team-a/q is inactive with it (ClusterQueueIsInactive)"),
    ]


@answers("42", 0)
def test_42_local_queue_without_namespace():
    case = Case("42")
    assert case.errors == []
    assert case.warnings == [
        (
            "input.yaml",
            23,
            "LocalQueue pipelines-queue has no namespace: it lands wherever the applying tool points",
        )
    ]


@answers("44", 0, 1)
def test_44_queue_name_as_annotation():
    case = Case("44")
    assert case.errors == [
        (
            "workload.yaml",
            7,
            "Job default/job-1: kueue.x-k8s.io/queue-name is an annotation; it must be a label - the job is not queued",
        ),
        ("workload.yaml", 20, "Job default/job-1 requests memory, which ClusterQueue a does not cover"),
    ]


@answers("45", 0)
def test_45_missing_priority_class():
    case = Case("45")
    assert case.errors == [
        (
            "workload.yaml",
            8,
            'Job team-a/w: WorkloadPriorityClass "low" not found (did you mean "low-priority"?)',
        )
    ]
    assert case.only("REF417").help == (
        "no Workload is created; no fallback to pod PriorityClass or default",
    )
