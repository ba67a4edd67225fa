"""Whether promises fit, on small inputs after public reports: every number, name, file and line."""

from __future__ import annotations

import pytest
from capacity_case import GPU, SHARED, Case, table

from kohort.diagnostics import Severity
from kohort.objects.quantity import Quantity
from kohort.rules.references.unchecked import unchecked

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")


def test_04_slack_absorbs_one_node():
    case = Case("04", "input.yaml", "nodes-1.yaml")
    supply = case.assessment.supplies["default-flavor"]
    assert (supply.total[GPU], supply.lost[GPU], supply.healthy[GPU]) == (24, 8, 16)
    assert [str(e) for e in supply.excluded] == ["w3 (autopilot.ibm.com/gpuhealth=EVICT)"]
    assert [n.node.name for n in supply.nodes] == ["w1", "w2"]
    assert case.errors() == []
    found = case.only("CAP903")
    assert found.severity is Severity.WARNING
    assert found.message == (
        "slack queue slack-cluster-queue, flavor default-flavor: lends 8 GPUs but may lend only 0 of 8; "
        "lost: w3 (autopilot.ibm.com/gpuhealth=EVICT)"
    )
    assert found.primary.text == "set lendingLimit: 0"
    assert [(e.action, e.text) for e in found.fix.edits] == [("insert", 'lendingLimit: "0"')]
    assert found.fix.safe is False
    assert case.line(found) == ("input.yaml", 49)
    assert case.code("CAP912") == []


def test_04_with_lending_zero_is_quiet():
    def edit(name, text):
        if name != "input.yaml":
            return text
        head, slack = text.split("  name: slack-cluster-queue")
        slack = slack.replace("nominalQuota: 8", "nominalQuota: 8\n        lendingLimit: 0")
        return f"{head}  name: slack-cluster-queue{slack}"

    assert Case("04", "input.yaml", "nodes-1.yaml", edit=edit).code("CAP903") == []


def test_04_deficit_beyond_slack():
    case = Case("04", "input.yaml", "nodes-2.yaml")
    found = case.only("CAP902")
    assert "quota deficit 8 GPUs; slack can absorb 8 of 16" in found.message
    assert (
        "guarantees of 16 > healthy allocatable 8 of 24 GPUs, across ClusterQueues [blue, red]"
        in found.message
    )
    assert "w2 (autopilot.ibm.com/gpuhealth=TESTING), w3 (autopilot.ibm.com/gpuhealth=EVICT)" in found.message
    assert case.line(found) == ("input.yaml", 50)
    assert table(found) == [
        ("+", "8", "ClusterQueue blue"),
        ("+", "8", "ClusterQueue red"),
        ("=", "16", "GPUs promised as nominalQuota"),
        ("+", "24", "on nodes that match the flavor's labels"),
        ("-", "8", "w2 (autopilot.ibm.com/gpuhealth=TESTING)"),
        ("-", "8", "w3 (autopilot.ibm.com/gpuhealth=EVICT)"),
        ("=", "8", "healthy allocatable"),
        (">", "8", "GPUs too much"),
    ]
    assert case.errors() == ["CAP902"]
    assert case.code("CAP903") == []


def test_04_node_without_label_counts_and_is_named():
    def edit(name, text):
        return text.replace("    autopilot.ibm.com/gpuhealth: PASS\n", "") if name == "nodes-1.yaml" else text

    case = Case("04", "input.yaml", "nodes-1.yaml", edit=edit)
    assert case.assessment.supplies["default-flavor"].healthy[GPU] == 16
    found = case.only("CAP912")
    assert found.message == (
        "w1 is not monitored: no label autopilot.ibm.com/gpuhealth, which nodes of the same kind carry; counted as healthy"
    )
    assert found.severity is Severity.INFO
    assert found.primary.origin.file == "nodes-1.yaml"


def test_11_virtual_resources_are_information():
    case = Case("11", "input.yaml", "nodes.yaml")
    named = ["tekton.dev/pipelineruns", "ci-token", "linux-amd64", "localhost"]
    assert [f.message.split(" ")[0] for f in case.code("CAP913")] == named
    assert all("advertised by no node: treated as virtual" in f.message for f in case.code("CAP913"))
    assert {f.severity for f in case.code("CAP913")} == {Severity.INFO}
    assert Quantity.parse("1k").units() == 1000
    assert Quantity.parse("500Ti").units() == 549755813888000
    assert [Quantity.parse(t).canonical() for t in ("1k", "300", "500Ti")] == ["1k", "300", "500Ti"]
    found = case.only("CAP901")
    assert (
        "sum of nominalQuota 1000 cpu / 500Ti memory > healthy allocatable 64 cpu / 256Gi memory"
        in found.message
    )
    assert case.errors() == ["CAP901"]
    assert found.help[-1] == (
        'if it is meant: annotate the ResourceFlavor with `kohort.dev/unbounded: "RESOURCE,…"` (or `"*"`)'
    )


@pytest.mark.parametrize("marked", ["cpu,memory", "*", " memory , cpu"])
def test_11_unbounded_on_purpose_passes(marked):
    def edit(name, text):
        note = f'  name: default-flavor\n  annotations: {{kohort.dev/unbounded: "{marked}"}}\n'
        return text.replace("  name: default-flavor\n", note, 1)

    case = Case("11", "input.yaml", "nodes.yaml", edit=edit)
    assert case.errors() == []
    assert (
        "cpu 1000 promised, 64 healthy; memory 500Ti promised, 256Gi healthy" in case.only("CAP916").message
    )


def test_11_unbounded_for_one_resource_leaves_the_other():
    def edit(name, text):
        note = '  name: default-flavor\n  annotations: {kohort.dev/unbounded: "cpu"}\n'
        return text.replace("  name: default-flavor\n", note, 1)

    found = Case("11", "input.yaml", "nodes.yaml", edit=edit).only("CAP901")
    assert "resource memory: sum of nominalQuota 500Ti > healthy allocatable 256Gi" in found.message


def test_12_elastic_behind_provisioning():
    case = Case("12", "input.yaml", "nodes.yaml")
    assert not [code for code in case.errors() if code.startswith("CAP")]
    found = case.only("CAP914")
    assert found.severity is Severity.INFO
    assert found.message.startswith(
        "elastic flavor dws-h100: AdmissionCheck dws-prov provisions nodes on demand"
    )
    assert case.line(found) == ("input.yaml", 4)


def test_14_cpu_over_mig_exact():
    case = Case("14", "input.yaml", "nodes.yaml")
    found = case.only("CAP901")
    assert found.message == (
        "cohort tree ml-org, flavor h100-mig-3g40gb, resource cpu: sum of nominalQuota 96 > healthy allocatable 95210m "
        "(excess 790m), across ClusterQueues [shared-cq, team-a-cq, team-b-cq]"
    )
    assert [(t.sign, t.amount) for t in found.terms][:4] == [
        ("+", "48"),
        ("+", "24"),
        ("+", "24"),
        ("=", "96"),
    ]
    assert case.line(found) == ("input.yaml", 74)
    promises, supply = case.assessment.promises, case.assessment.supplies["h100-mig-3g40gb"]
    for resource, units in (("nvidia.com/mig-3g.40gb", 16), ("nvidia.com/mig-1g.10gb", 8)):
        assert promises.sum_of("h100-mig-3g40gb", resource) == units == supply.healthy[resource]
    assert case.errors() == ["CAP901"]


def test_24_cohort_quota_adds_to_members():
    case = Case("24", "input.yaml", "workloads.yaml", "nodes.yaml")
    found = case.only("CAP901")
    assert found.message == (
        "cohort tree team-ab, flavor default-flavor: sum of nominalQuota 8 cpu / 8Gi memory > healthy allocatable "
        "4 cpu / 4Gi memory (excess 4 cpu / 4Gi memory), across ClusterQueues [team-a-cq, team-b-cq] and Cohorts [team-ab]"
    )
    assert found.help[0].startswith(
        "the nominalQuota of Cohort team-ab equals the sum of its members: a cohort's quota is additional, not a cap"
    )
    assert case.line(found) == ("input.yaml", 18)
    assert case.errors() == ["CAP901"]
    assert case.code("CAP915") == []  # one defect, one finding
    tree = case.assessment.tree
    assert tree.cohorts["team-ab"].subtree(("default-flavor", "cpu")) == 8000


def test_24_without_nodes_the_hint_stands_alone():
    case = Case("24", "input.yaml")
    found = case.only("CAP915")
    assert found.severity is Severity.WARNING
    assert "promises 8 cpu of flavor default-flavor" in found.message
    assert case.errors() == []


def test_28_lending_zero_against_borrowing_zero():
    case = Case("28", "input.yaml", "workloads.yaml")
    jobs = {job.queue: job for job in case.assessment.largest_jobs}
    assert {name: job.borrowing for name, job in jobs.items()} == {"prod": 16, "dev": 8, "ci": 4}
    assert jobs["prod"].guaranteed == 8  # never lent
    assert jobs["dev"].guaranteed == 0  # lent and never reclaimed
    assert [f.message for f in case.code("CAP909")] == [
        "Job dev/d asks 12 GPUs, but ClusterQueue dev can never have more than 8 GPUs of flavor h100: it waits for ever",
        "Job ci/c asks 6 GPUs, but ClusterQueue ci can never have more than 4 GPUs of flavor h100: it waits for ever",
    ]
    assert [case.line(f) for f in case.code("CAP909")] == [("workloads.yaml", 20), ("workloads.yaml", 41)]
    assert table(case.code("CAP909")[0]) == [
        ("+", "4", "nominalQuota of ClusterQueue dev"),
        ("+", "4", "at most to borrow when all others are idle"),
        ("=", "8", "the most it can ever have"),
        ("<", "12", "asked"),
    ]
    assert case.errors() == ["CAP909", "CAP909"]


def test_57_decimal_against_binary_is_exact():
    case = Case("57", "input.yaml", "workloads.yaml", "nodes.yaml")
    assert case.assessment.supplies["default-flavor"].healthy["memory"] == 2164133158912 == 2113411288 * 1024
    assert case.assessment.promises.sum_of("default-flavor", "memory") == 2000000000000
    assert case.code("CAP901") == []
    found = case.only("CAP909")
    assert found.message == (
        "Job blue/too-big asks 1863Gi memory (2000381018112 bytes), but ClusterQueue blue can never have more than "
        "2T memory (2000000000000 bytes) of flavor default-flavor: it waits for ever"
    )
    assert found.primary.origin.path[-1] == "memory"
    assert [ask.of("memory") for ask in case.assessment.asks] == [1999307276288, 2000381018112]
    assert case.errors() == ["CAP909"]


def test_14_unused_flavor():
    found = Case("14", "input.yaml", "nodes.yaml").only("REF411")
    assert found.message == "ResourceFlavor h100-mig-1g10gb is used by no ClusterQueue"
    assert found.severity is Severity.WARNING


def test_12_parameters_are_named_as_not_checked():
    case = Case("12", "input.yaml", "nodes.yaml")
    gaps = [f"{gap.what}: {gap.why}" for gap in unchecked(case.assessment.cluster)]
    assert any("dws-config" in gap and "ProvisioningRequestConfig" in gap for gap in gaps), gaps
    assert case.errors() == []
