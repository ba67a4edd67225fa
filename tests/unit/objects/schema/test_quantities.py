"""Quantities: the schema's pattern, and what Kueue's webhooks make of them."""

from __future__ import annotations

import pytest


def with_quota(queue, value):
    queue["spec"]["resourceGroups"][0]["flavors"][1]["resources"][0]["nominalQuota"] = value
    return queue


PLACE = "spec.resourceGroups[0].flavors[1].resources[0].nominalQuota"


@pytest.mark.parametrize(
    "value", [5, "5", "1500m", ".5", "5.", "1e3", "1E", "1Gi", "+5", " 5 ", 1.5, "e3", "-", 2.0]
)
def test_a_cluster_queue_takes_what_its_webhook_can_read(queue, judge, value):
    assert judge(with_quota(queue, value)) == []


@pytest.mark.parametrize("value", ["", "5 Gi", "1K", "5GB", "1,000", "0x10", "NaN", "1e1.5", "٣"])
def test_texts_that_no_kind_takes(queue, judge, value):
    for api in ("ClusterQueue", "Cohort"):
        queue["kind"] = api
        spec = with_quota(queue, value)["spec"]
        queue["spec"] = {"resourceGroups": spec["resourceGroups"]}
        assert [(path, reason) for path, reason, _ in judge(queue)] == [(PLACE, "quantity")]


@pytest.mark.parametrize("value", [True, [], {}, ["5"]])
def test_values_that_are_no_scalar_number(queue, judge, value):
    assert [(path, reason) for path, reason, _ in judge(with_quota(queue, value))] == [(PLACE, "wrong-type")]


@pytest.mark.parametrize(("value", "reason"), [(1.5, "wrong-type"), (" 5", "quantity"), ("e3", "quantity")])
def test_a_cohort_has_no_webhook_that_rewrites(queue, judge, value, reason):
    resource_groups = with_quota(queue, value)["spec"]["resourceGroups"]
    cohort = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Cohort",
        "spec": {"resourceGroups": resource_groups},
    }
    assert [(path, why) for path, why, _ in judge(cohort)] == [(PLACE, reason)]


def test_a_missing_quota_is_zero_in_a_cluster_queue_and_missing_in_a_cohort(queue, judge):
    resource = queue["spec"]["resourceGroups"][0]["flavors"][1]["resources"][0]
    del resource["nominalQuota"]
    assert judge(queue) == []
    resource["nominalQuota"] = None
    assert judge(queue) == []
    cohort = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Cohort",
        "spec": {"resourceGroups": queue["spec"]["resourceGroups"]},
    }
    assert judge(cohort) == [(PLACE, "required", "is required")]


def test_a_local_queue_is_judged_by_the_pattern_alone(judge):
    local = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "LocalQueue",
        "spec": {"clusterQueue": "a", "fairSharing": {"weight": "1e1.5"}},
    }
    assert judge(local) == []
    local["spec"]["fairSharing"]["weight"] = "heavy"
    assert [(path, reason) for path, reason, _ in judge(local)] == [("spec.fairSharing.weight", "quantity")]


def test_the_message_names_the_unit(queue, judge):
    ((_, _, message),) = judge(with_quota(queue, "5GB"))
    assert message.startswith('"5GB" is not a quantity')
    assert "GB" in message


@pytest.mark.parametrize(
    ("value", "reason"), [(1.5, "wrong-type"), (" 5", "quantity"), ("-", "quantity"), (None, "required")]
)
def test_a_queue_that_has_the_finalizer_is_not_rewritten(queue, judge, value, reason):
    with_quota(queue, value)
    assert judge(queue) == []
    queue["metadata"]["finalizers"] = ["kueue.x-k8s.io/resource-in-use"]
    assert [(path, why) for path, why, _ in judge(queue)] == [(PLACE, reason)]
    assert judge(queue, "0.15.2") == []


def test_a_workload_is_read_but_not_rewritten(judge):
    def workload(cpu):
        container = {"name": "c", "resources": {"requests": {"cpu": cpu}}}
        pod_sets = [{"template": {"spec": {"containers": [container]}}}]
        return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "spec": {"podSets": pod_sets}}

    place = "spec.podSets[0].template.spec.containers[0].resources.requests.cpu"
    assert judge(workload("1500m")) == []
    assert judge(workload(5)) == []
    assert [(path, why) for path, why, _ in judge(workload(1.5))] == [(place, "wrong-type")]
    assert [(path, why) for path, why, _ in judge(workload(" 5"))] == [(place, "quantity")]
    assert [(path, why) for path, why, _ in judge(workload("1e1.5"))] == [(place, "quantity")]
    assert judge(workload(1.5), "0.15.2") == []
