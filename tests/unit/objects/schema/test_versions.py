"""Which version of Kueue has which kinds, fields and limits."""

from __future__ import annotations

import pytest

from kohort.objects.schema import KUEUE_MINORS, is_namespaced, kinds, served, table_for

V2 = "kueue.x-k8s.io/v1beta2"


def limit(kind, *path, kueue, api=V2):
    node = table_for(api, kind, kueue)
    for name in path:
        node = node.fields[name]
    return node


@pytest.mark.parametrize(
    ("kueue", "pod_sets"), [("0.15.2", 8), ("0.16.9", 8), ("0.17.1", 8), ("0.18.6", 10), ("0.19.1", 18)]
)
def test_pod_sets_of_a_workload(kueue, pod_sets):
    for api in (V2, "kueue.x-k8s.io/v1beta1"):
        assert limit("Workload", "spec", "podSets", kueue=kueue, api=api).max_items == pod_sets


@pytest.mark.parametrize(("kueue", "clusters"), [("0.15", 10), ("0.16", 20), ("0.17", 20), ("0.19", 20)])
def test_clusters_of_a_multikueue_config(kueue, clusters):
    assert limit("MultiKueueConfig", "spec", "clusters", kueue=kueue).max_items == clusters


def test_fields_that_came_later():
    for kueue, expected in (("0.17.1", False), ("0.18.6", True), ("0.19.1", True)):
        spec = limit("ClusterQueue", "spec", kueue=kueue)
        assert ("concurrentAdmissionPolicy" in spec.fields) is expected
        assert ("quotaManagement" in limit("MultiKueueConfig", "spec", kueue=kueue).fields) is expected
    for kueue, expected in (("0.16.9", False), ("0.17.1", True)):
        assert ("preemptionGates" in limit("Workload", "spec", kueue=kueue).fields) is expected


def test_a_set_became_an_ordered_list_with_a_rule():
    assert limit("MultiKueueConfig", "spec", "clusters", kueue="0.18.6").list_type == "set"
    assert limit("MultiKueueConfig", "spec", "clusters", kueue="0.19.1").list_type == ""


def test_pod_templates_follow_the_kubernetes_of_each_version():
    def spec(kueue):
        pod_sets = limit("Workload", "spec", "podSets", kueue=kueue)
        return pod_sets.items.fields["template"].fields["spec"].fields

    assert "workloadRef" in spec("0.17.1")
    assert "workloadRef" not in spec("0.15.2")
    assert "schedulingGroup" in spec("0.19.1")
    assert len(spec("0.19.1")["containers"].items.fields) > 20


def test_unknown_kinds_and_versions_have_no_table():
    assert table_for("kueue.x-k8s.io/v1alpha1", "Cohort", "0.19.1") is None
    assert table_for(V2, "clusterqueue", "0.19.1") is None
    assert table_for(V2, "ClusterQueue", "0.14.8") is None
    assert table_for(V2, "ClusterQueue", "") is None
    assert table_for("batch/v1", "Job", "0.19.1") is None


def test_versions_are_read_with_and_without_patch_and_v():
    table = table_for(V2, "ClusterQueue", "v0.19.1")
    assert table is table_for(V2, "ClusterQueue", "0.19")
    assert table is not table_for(V2, "ClusterQueue", "0.18.6")


@pytest.mark.parametrize("kueue", KUEUE_MINORS)
def test_kinds_and_served_versions(kueue):
    assert kinds(kueue) == (
        "AdmissionCheck",
        "AppWrapper",
        "ClusterQueue",
        "Cohort",
        "LocalQueue",
        "MultiKueueCluster",
        "MultiKueueConfig",
        "ProvisioningRequestConfig",
        "ResourceFlavor",
        "Topology",
        "Workload",
        "WorkloadPriorityClass",
    )
    assert served("ClusterQueue", kueue) == ("v1beta1", "v1beta2")
    assert served("AppWrapper", kueue) == ("v1beta2",)
    assert served("Job", kueue) == ()


def test_scope():
    assert is_namespaced(V2, "LocalQueue") is True
    assert is_namespaced(V2, "ClusterQueue") is False
    assert is_namespaced("batch/v1", "Job") is None


def test_the_old_api_has_its_own_names(judge):
    old = {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue", "spec": {"cohortName": "a"}}
    assert [path for path, _, _ in judge(old)] == ["spec.cohortName"]
    old["spec"] = {"cohort": "a", "flavorFungibility": {"whenCanBorrow": "Borrow"}}
    assert judge(old) == []
