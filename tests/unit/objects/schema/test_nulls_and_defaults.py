"""What the server does with null and with absent fields before it judges."""

from __future__ import annotations

import copy

from kohort.objects.schema import apply_defaults, table_for


def defaulted(obj, kueue="0.19.1"):
    return apply_defaults(obj, table_for(obj["apiVersion"], obj["kind"], kueue))


def test_null_counts_as_absent(queue, judge):
    queue["spec"]["cohortName"] = None
    queue["spec"]["stopPolicy"] = None
    queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["borrowingLimit"] = None
    queue["spec"]["namespaceSelector"]["matchLabels"]["team"] = None
    assert judge(queue) == []


def test_null_for_a_required_field_is_a_missing_field(queue, judge):
    queue["spec"]["resourceGroups"][0]["flavors"] = None
    assert judge(queue) == [("spec.resourceGroups[0].flavors", "required", "is required")]


def test_null_in_a_list_stays_and_is_wrong(queue, judge):
    queue["spec"]["resourceGroups"][0]["coveredResources"][1] = None
    queue["spec"]["resourceGroups"].append(None)
    assert judge(queue) == [
        ("spec.resourceGroups[0].coveredResources[1]", "null", "must be text, not null"),
        ("spec.resourceGroups[1]", "null", "must be a mapping, not null"),
    ]


def test_defaults_of_a_cluster_queue(queue):
    before = copy.deepcopy(queue)
    queue["spec"]["stopPolicy"] = None
    queue["spec"]["cohortName"] = None
    spec = defaulted(queue)["spec"]
    assert spec["stopPolicy"] == "None"
    assert "cohortName" not in spec
    assert spec["queueingStrategy"] == "BestEffortFIFO"
    assert spec["flavorFungibility"] == {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"}
    assert spec["preemption"] == {
        "reclaimWithinCohort": "Any",
        "borrowWithinCohort": {"maxPriorityThreshold": 5, "policy": "Never"},
        "withinClusterQueue": "Never",
    }
    assert spec["resourceGroups"] == before["spec"]["resourceGroups"]


def test_defaults_are_a_new_object(queue):
    before = copy.deepcopy(queue)
    out = defaulted(queue)
    out["spec"]["resourceGroups"][0]["coveredResources"].append("memory")
    out["metadata"]["name"] = "other"
    out["spec"]["flavorFungibility"]["whenCanBorrow"] = "x"
    assert queue == before
    assert defaulted(queue)["spec"]["flavorFungibility"]["whenCanBorrow"] == "MayStopSearch"


def test_the_webhook_gives_its_kinds_a_spec_and_a_quota(queue):
    bare = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "a"}}
    assert defaulted(bare)["spec"]["stopPolicy"] == "None"
    del queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"]
    resources = defaulted(queue)["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
    assert resources[0] == {"name": "cpu", "borrowingLimit": "0", "nominalQuota": "0"}


def test_other_kinds_get_no_spec():
    bare = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "a"}}
    assert "spec" not in defaulted(bare)


def test_the_weight_appears_only_with_fair_sharing(queue):
    del queue["spec"]["fairSharing"]
    assert "fairSharing" not in defaulted(queue)["spec"]
    queue["spec"]["fairSharing"] = {}
    assert defaulted(queue)["spec"]["fairSharing"] == {"weight": 1}


def test_wrong_values_survive_defaulting(queue):
    queue["spec"]["preemption"] = "none"
    queue["spec"]["resourceGroups"][0]["flavors"].append(None)
    spec = defaulted(queue)["spec"]
    assert spec["preemption"] == "none"
    assert spec["resourceGroups"][0]["flavors"][-1] is None
