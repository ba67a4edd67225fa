"""Lint answers on small inputs after public reports: every clause of the right answer, with file and line."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from open import CAPACITY, OPEN

from kohort.compiler.scalar import text_scalar
from kohort.diagnostics import Severity
from kohort.engine.fixing import fix_files
from kohort.engine.outcome import Settings, silent
from kohort.engine.plain import check_plain
from kohort.engine.reading import TreeSet, read_all
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.objects.quantity import Quantity
from kohort.rules.references.unchecked import unchecked
from kohort.source.tree import MemoryTree

SHARED = Path(__file__).parents[3] / "shared" / "cases"
CASES = "06 11 12 14 15 16 18 21 25 29 31 32 34 35 38 40 41 42 44 45 47 48 51 54 55 57 59 60 80".split()  # noqa: SIM905

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")

ASSERTED: dict[str, set[int]] = defaultdict(set)


def answers(case, *clauses):
    """Note which clauses of a case's answer a test asserts."""
    ASSERTED[case].update(clauses)
    return lambda test: test


class Case:
    """One judged case: its findings as (severity, file, line, message)."""

    def __init__(self, number, *, kueue="0.19.1", more="", edit=lambda text: text):
        folder = next(SHARED.glob(f"{number}-*"))
        self.files = {p.name: edit(p.read_text()).encode() for p in sorted(folder.glob("*.yaml"))}
        if more:
            self.files["more.yaml"] = more.encode()
        self.outcome = check_plain([MemoryTree(self.files)], Settings(kueue=kueue))
        self.findings = self.outcome.report.findings

    def said(self, severity):
        """(file, line, message) of every finding of a severity, in order."""
        return [(*self.place(f), f.message) for f in self.findings if f.severity is severity]

    @property
    def errors(self):
        return self.said(Severity.ERROR)

    @property
    def warnings(self):
        return self.said(Severity.WARNING)

    @property
    def notes(self):
        return self.said(Severity.INFO)

    def place(self, finding):
        return finding.primary.origin.file, self.outcome.places.span(finding.primary.origin).line

    def only(self, code):
        found = [f for f in self.findings if f.code == code]
        assert len(found) == 1, [f"{f.code} {f.message}" for f in self.findings]
        return found[0]

    def related(self, code):
        return [
            (place.origin.file, self.outcome.places.span(place.origin).line, place.text)
            for place in self.only(code).related
        ]

    def gaps(self):
        cluster = Cluster(take_in(read_all(TreeSet([MemoryTree(self.files)]), silent)).objects)
        return [f"{gap.what}; {gap.why}" for gap in unchecked(cluster)]


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


@answers("11", 0)
def test_11_quantities_read_exactly_and_stay_as_written():
    assert Quantity.parse("1k").units() == 1000
    assert Quantity.parse("500Ti").units() == 549755813888000
    case = Case("11")
    assert "UNT604" not in {f.code for f in case.findings}
    assert fixed(case) == case.files


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


@answers("47", 0, 1)
def test_47_order_and_count():
    case = Case("47")
    assert [(line, message.partition(" (expected")[0]) for _, line, message in case.errors] == [
        (
            26,
            'ClusterQueue order: flavor "default-flavor": Invalid value "nvidia.com/gpu": must match the name in coveredResources',
        ),
        (
            28,
            'ClusterQueue order: flavor "default-flavor": Invalid value "memory": must match the name in coveredResources',
        ),
        (
            42,
            (
                'ClusterQueue count: flavor "f2" lists 1 resources but the group covers 2: flavors must have the same number of '
                "resources as the coveredResources"
            ),
        ),
    ]
    assert [f.field for f in case.findings if f.code == "KUE212"] == [
        "spec.resourceGroups[0].flavors[0].resources[1].name",
        "spec.resourceGroups[0].flavors[0].resources[2].name",
    ]
    assert case.warnings == []


@answers("48", 0, 1)
def test_48_duplicates_across_groups():
    case = Case("48")
    assert [(f.field, case.place(f)[1]) for f in case.findings if f.severity is Severity.ERROR] == [
        ("spec.resourceGroups[1].coveredResources[1]", 28),
        ("spec.resourceGroups[1].flavors[0].name", 30),
    ]
    assert [message.partition(":")[2].strip()[:20] for _, _, message in case.errors] == [
        'Duplicate value "cpu',
        'Duplicate value "f1"',
    ]


@answers("51", 0, 1, 2, 3, 4)
def test_51_bad_tolerations():
    case = Case("51")
    words = [
        "a value must be empty when 'operator' is 'Exists'",
        "operator must be Exists when 'key' is empty",
        "supported toleration values: 'Equal'(default), 'Exists'",
        "supported taint effect values: 'NoSchedule', 'PreferNoSchedule', 'NoExecute'",
        "effect must be 'NoExecute' when 'tolerationSeconds' is set",
    ]
    assert len(case.errors) == 5
    for index, (_, line, message) in enumerate(case.errors):
        assert line == 8 + index
        assert message.startswith(f"ResourceFlavor f: spec.tolerations[{index}]: {words[index]}")


TABLE = {
    "8000m": "8", "0.5": "500m", "1.5Gi": "1536Mi", "1024Mi": "1Gi", "1000M": "1G", "2000G": "2T", "100000": "100k",
    "1000": "1k", "1500m": "1500m", "0": "0", "1e3": "1e3", "128Gi": "128Gi",
}  # fmt: skip


def fixed(case):
    """The files after all safe fixes."""
    done = fix_files(case.findings, case.files.get, unsafe=False)
    assert [failure for file in done for failure in file.failures] == []
    return {**case.files, **{file.file: file.after for file in done}}


@answers("54", 0, 2)
def test_54_stored_form_is_warned_of_and_fixed():
    case = Case("54")
    assert case.errors == []
    assert case.warnings == [
        ("input.yaml", 18, "ClusterQueue q: cpu nominalQuota 12000m is stored as 12"),
        ("input.yaml", 20, "ClusterQueue q: memory nominalQuota 3072Mi is stored as 3Gi"),
        ("input.yaml", 22, "ClusterQueue q: ephemeral-storage nominalQuota 1024Gi is stored as 1Ti"),
        ("input.yaml", 24, "ClusterQueue q: pods nominalQuota 1000 is stored as 1k"),
    ]
    quotas = re.findall(r"nominalQuota: (\S+)", fixed(case)["input.yaml"].decode())
    assert quotas == ['"12"', "3Gi", "1Ti", "1k", '"8"']


@pytest.mark.parametrize("text", TABLE)
@answers("54", 1)
def test_54_table_of_canonical_forms(text):
    case = Case("54", edit=lambda given: given.replace("12000m", f'"{text}"'))
    warned = [message for _, line, message in case.warnings if line == 18]
    stored = TABLE[text]
    assert warned == (
        [] if stored == text else [f"ClusterQueue q: cpu nominalQuota {text} is stored as {stored}"]
    )


def test_54_a_cohort_keeps_its_quantities():
    def edit(text):
        return text.replace("kind: ClusterQueue", "kind: Cohort").replace("  namespaceSelector: {}\n", "")

    assert "UNT604" not in {f.code for f in Case("54", edit=edit).findings}


@answers("55", 0)
def test_55_memory_in_milli():
    case = Case("55")
    assert case.errors == []
    assert case.warnings == [
        (
            "input.yaml",
            20,
            "ClusterQueue q: memory nominalQuota 51200m = 51.2 bytes (rounds up to 52); did you mean 51200M or 51200Mi?",
        )
    ]


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


@answers("59", 0, 1)
def test_59_number_traps():
    case = Case("59")
    assert [(line, message.partition(": ")[2]) for _, line, message in case.errors] == [
        (9, "metadata.name: must be text, not the number 1234"),
        (11, "spec.cohortName: must be text, not the number 7"),
    ]
    helps = [f.help[0] for f in case.findings if f.severity is Severity.ERROR]
    assert ['"1234" in quotes' in helps[0], '"007" in quotes' in helps[1]] == [True, True]
    traps = [(line, m.rpartition("nominalQuota: ")[2]) for _, line, m in case.warnings if "YAML 1.1" in m]
    assert traps == [
        (19, "0x10 reads as 16 in YAML 1.1; other parsers read it otherwise"),
        (21, "1_000 reads as 1000 in YAML 1.1; other parsers read it otherwise"),
        (23, "010 reads as 8 in YAML 1.1; other parsers read it otherwise"),
    ]
    asked = [f.help[0] for f in case.findings if f.code == "UNT690"]
    assert asked == [f'write a plain decimal in quotes: "{value}"' for value in (16, 1000, 8)]


@answers("60", 0, 1)
def test_60_booleans_and_numbers_as_labels():
    case = Case("60")
    found = {f.field: (case.place(f)[1], f.help[0]) for f in case.findings if f.severity is Severity.ERROR}
    assert {field.rpartition(".")[2]: line for field, (line, _) in found.items()} == {
        "gpu": 7, "country": 8, "spot": 9, "gpu-count": 10, "cuda": 11, "empty": 12,
    }  # fmt: skip
    for name, text in {
        "gpu": "on",
        "country": "NO",
        "spot": "true",
        "gpu-count": "8",
        "cuda": "12.10",
    }.items():
        assert f'write "{text}" in quotes' in found[f"spec.nodeLabels.{name}"][1]
    again = fixed(case)["input.yaml"].decode()
    assert 'gpu: "on"' in again
    assert 'country: "NO"' in again
    assert 'cuda: "12.10"' in again
    assert 'quoted: "on"' in again
    for text in ("on", "no", "true", "8", "12.10", "1e3", "~", ""):
        assert text_scalar(text) == f'"{text}"'


@answers("80", 0, 1)
def test_80_real_order_mismatch():
    case = Case("80")
    assert [(f.field, f.message.rpartition("Invalid value ")[2]) for f in case.findings] == [
        (
            f"spec.resourceGroups[0].flavors[0].resources[{index}].name",
            f'"{name}": must match the name in coveredResources (expected "{wanted}" at position {index})',
        )
        for index, name, wanted in (
            (2, "linux-arm64", "cpu"),
            (3, "cpu", "memory"),
            (4, "memory", "linux-arm64"),
        )
    ]
    assert [line for _, line, _ in case.errors] == [21, 23, 25]
    again = fixed(case)["input.yaml"].decode()
    listed = re.findall(r"- name: (\S+)\n +nominalQuota: (\S+)", again)
    assert listed == [
        ("tekton.dev/pipelineruns", '"600"'), ("ci-token", '"500"'), ("cpu", "1k"), ("memory", "500Ti"), ("linux-arm64", '"10"'),
    ]  # fmt: skip
    assert check_plain([MemoryTree({"input.yaml": again.encode()})], Settings()).report.findings == ()


@pytest.mark.parametrize("case", sorted({*CASES, *OPEN}))
def test_every_clause_is_asserted_or_listed_as_open(case):
    text = (next(SHARED.glob(f"{case}-*")) / "expected.md").read_text().partition("## Expected")[2]
    clauses = set(range(len(re.findall(r"^- ", text, re.MULTILINE))))
    known = ASSERTED[case] | set(OPEN.get(case, ())) | set(CAPACITY.get(case, ()))
    assert known >= clauses, f"clauses of case {case} that nothing asserts: {sorted(clauses - known)}"
    assert known <= clauses
