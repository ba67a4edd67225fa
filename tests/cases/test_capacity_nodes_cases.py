"""Which nodes carry quota, on small inputs after public reports: every number, name, file and line."""

from __future__ import annotations

import pytest
from capacity_case import GPU, SHARED, Case, table

from kohort.diagnostics import Severity

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


def test_01_quota_over_physical():
    case = Case("01", "input.yaml", "nodes.yaml")
    found = case.only("CAP901")
    assert found.message == (
        "flavor h100, resource nvidia.com/gpu: sum of nominalQuota 24 > healthy allocatable 16 (excess 8), "
        "across ClusterQueues [train]"
    )
    assert case.line(found) == ("input.yaml", 21)
    assert found.subject == "ClusterQueue train"
    assert found.field == "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"
    assert table(found) == [
        ("+", "24", "ClusterQueue train"),
        ("=", "24", "GPUs promised as nominalQuota"),
        ("+", "16", "on nodes that match the flavor's labels"),
        ("=", "16", "healthy allocatable"),
        (">", "8", "GPUs too much"),
    ]
    assert case.errors() == ["CAP901"]
    assert case.outcome.report.fails(Severity.ERROR)


def test_02_allocatable_not_capacity():
    case = Case("02", "input.yaml", "workloads.yaml", "nodes.yaml")
    found = case.only("CAP901")
    assert "sum of nominalQuota 8 > healthy allocatable 4 (excess 4)" in found.message
    assert "excluded: gpu-a (4 of 8 GPUs not allocatable)" in found.message
    assert ("-", "4", "gpu-a: capacity 8, allocatable 4") in table(found)
    assert case.line(found) == ("input.yaml", 35)
    assert case.errors() == ["CAP901"]


def test_02_fits_with_quota_of_four():
    def edit(name, text):
        return text.replace("nominalQuota: 8", "nominalQuota: 4") if name == "input.yaml" else text

    assert Case("02", "input.yaml", "workloads.yaml", "nodes.yaml", edit=edit).errors() == []


def test_03_cordoned_and_not_ready():
    case = Case("03", "input.yaml", "nodes.yaml")
    supply = case.assessment.supplies["h100"]
    assert supply.healthy[GPU] == 8
    assert supply.total[GPU] == 24
    assert supply.lost[GPU] == 16
    assert [str(e) for e in supply.excluded] == [
        "gpu-cordoned (spec.unschedulable)",
        "gpu-notready (Ready=Unknown)",
    ]
    found = case.only("CAP901")
    assert found.message == (
        "flavor h100, resource nvidia.com/gpu: sum of nominalQuota 16 > healthy allocatable 8 (excess 8), "
        "across ClusterQueues [train]; excluded: gpu-cordoned (spec.unschedulable), gpu-notready (Ready=Unknown)"
    )
    assert ("+", "24", "on nodes that match the flavor's labels") in table(found)
    assert ("-", "8", "gpu-cordoned (spec.unschedulable)") in table(found)
    assert found.help[0] == "all of it would fit if the 16 GPUs that do not count came back"
    assert case.line(found) == ("input.yaml", 21)
    assert case.errors() == ["CAP901"]


def test_06_sum_over_nodes_and_unassigned():
    case = Case("06", "input.yaml", "nodes.yaml")
    assert [f.message for f in case.code("CAP911")] == [
        "flavor nvidia-rtx-3090: hardware 16 (sum of 2 nodes), quota 8 -> 8 GPUs unassigned",
        "flavor nvidia-a100: 4 GPUs, no quota",
    ]
    assert [f.severity for f in case.code("CAP911")] == [Severity.INFO] * 2
    assert [case.line(f) for f in case.code("CAP911")] == [("input.yaml", 4), ("input.yaml", 12)]
    assert not [code for code in case.errors() if code.startswith("CAP")]


def test_08_tolerations_only_flavors():
    case = Case("08", "input.yaml", "nodes.yaml")
    warned = case.code("CAP906")
    assert [f.message for f in warned] == [
        f"ResourceFlavor {name} has no nodeLabels: it matches all nodes; only the taints keep jobs apart"
        for name in ("v100-flavor", "a100-flavor")
    ]
    assert [f.severity for f in warned] == [Severity.WARNING] * 2
    assert [f.help[0] for f in warned] == [
        f"add spec.nodeLabels {{nvidia.com/gpu.product: {product}}}, which exactly its nodes carry"
        for product in ("Tesla-V100-PCIE-32GB", "NVIDIA-A100-SXM4-40GB")
    ]
    assert case.assessment.supplies["v100-flavor"].healthy[GPU] == 1
    assert case.assessment.supplies["a100-flavor"].healthy[GPU] == 4
    found = case.only("CAP901")
    assert (
        "flavor v100-flavor, resource nvidia.com/gpu: sum of nominalQuota 5 > healthy allocatable 1 (excess 4)"
        in found.message
    )
    assert (
        "excluded: a1 (taint nvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB:NoSchedule not tolerated)"
        in found.message
    )
    assert case.line(found) == ("input.yaml", 29)
    assert case.errors() == ["CAP901"]


def test_09_untolerated_taint():
    case = Case("09", "input.yaml", "nodes.yaml")
    found = case.only("CAP905")
    assert found.message == (
        "flavor h100, resource nvidia.com/gpu, nominal 16 > usable 0 (excess 16): n1, n2 carry "
        "nvidia.com/gpu=present:NoSchedule, which the flavor does not tolerate; they count only for pods that bring the "
        "toleration"
    )
    assert found.help == (
        "add spec.tolerations [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}] to the flavor",
        "PreferNoSchedule taints do not reduce capacity",
    )
    edit = found.fix.edits[0]
    assert (edit.action, edit.origin.path) == ("insert", ("spec",))
    assert edit.text == "tolerations:\n- {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}"
    assert found.primary.origin.file == "input.yaml"
    assert case.errors() == ["CAP905"]


@pytest.mark.parametrize("change", ["tolerate", "prefer"])
def test_09_tolerated_or_preferred_taints_do_not_reduce(change):
    def edit(name, text):
        if change == "prefer":
            return text.replace("effect: NoSchedule", "effect: PreferNoSchedule")
        added = "spec:\n  tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]\n  nodeLabels:"
        return text.replace("spec:\n  nodeLabels:", added)

    case = Case("09", "input.yaml", "nodes.yaml", edit=edit)
    assert case.errors() == []
    assert case.assessment.supplies["h100"].healthy[GPU] == 16


def test_50_node_without_topology_label():
    case = Case("50", "input.yaml", "nodes.yaml")
    found = case.only("CAP907")
    assert found.message == (
        "flavor tas: n2 lacks oci.oraclecloud.com/rdma.hpc_island_id and is invisible to topology-aware scheduling: "
        "usable 8 < nominal 16 of nvidia.com/gpu"
    )
    assert found.severity is Severity.ERROR
    assert case.line(found) == ("nodes.yaml", 26)
    assert [code for code in case.errors() if code.startswith("CAP")] == ["CAP907"]


def test_50_is_a_warning_where_quota_does_not_count_on_the_node():
    def edit(name, text):
        return text.replace("nominalQuota: 16", "nominalQuota: 8")

    found = Case("50", "input.yaml", "nodes.yaml", edit=edit).only("CAP907")
    assert found.severity is Severity.WARNING
    assert found.message.endswith("is invisible to topology-aware scheduling")


def test_06_missing_flavor_is_named_with_kueues_condition():
    case = Case("06", "input.yaml", "nodes.yaml")
    found = case.only("REF401")
    assert found.message == (
        'ClusterQueue cluster-total references missing ResourceFlavor "nvidia-100" (did you mean "nvidia-a100"?)'
    )
    assert any(
        'Active=False, reason FlavorNotFound, "Can\'t admit new workloads: references missing ResourceFlavor(s): nvidia-100."'
        in text
        for text in found.help
    )
    assert case.line(found) == ("input.yaml", 30)
    assert case.errors() == ["REF401"]


def test_50_topology_rules_of_form_and_reference():
    case = Case("50", "input.yaml", "nodes.yaml")
    said = {f.message: case.line(f)[1] for f in case.findings if f.severity is Severity.ERROR}
    assert said == {
        "Topology bad: the kubernetes.io/hostname label can only be used at the lowest level of topology": 17,
        "ResourceFlavor tas-nolabels: at least one nodeLabel is required when topology is set": 34,
        'ResourceFlavor tas-missing: there is no Topology "nope"': 43,
        case.only("CAP907").message: 26,
    }
