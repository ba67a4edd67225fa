"""Order, form and numbers, on small inputs after public reports: every clause, with file and line."""

from __future__ import annotations

import re

import pytest
from lint_case import SHARED, Case, answers, fixed

from kohort.compiler.scalar import text_scalar
from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.objects.quantity import Quantity
from kohort.source.tree import MemoryTree

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


@answers("11", 0)
def test_11_quantities_read_exactly_and_stay_as_written():
    assert Quantity.parse("1k").units() == 1000
    assert Quantity.parse("500Ti").units() == 549755813888000
    case = Case("11")
    assert "UNT604" not in {f.code for f in case.findings}
    assert fixed(case) == case.files


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
