"""Each kind of violation: its place, its words and its numbers."""

from __future__ import annotations

import copy

import pytest

from kohort.objects.schema import Violation, check, table_for

NAMES = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"


def flavor(queue, index=1):
    return queue["spec"]["resourceGroups"][0]["flavors"][index]


def test_a_right_object_has_no_violation_and_is_left_alone(queue, judge):
    before = copy.deepcopy(queue)
    assert judge(queue) == []
    assert queue == before


def test_an_unknown_field_names_the_fields_known_there(queue):
    flavor(queue)["quota"] = 3
    table = table_for(queue["apiVersion"], queue["kind"], "0.19.1")
    assert check(queue, table) == [
        Violation(
            ("spec", "resourceGroups", 0, "flavors", 1, "quota"),
            "unknown-field",
            'unknown field "quota"',
            3,
            allowed=("name", "resources"),
        )
    ]


def test_unknown_fields_at_the_root_and_with_null(queue, judge):
    queue["specs"] = None
    queue["spec"]["cohort"] = None
    assert judge(queue) == [
        ("spec.cohort", "unknown-field", 'unknown field "cohort"'),
        ("specs", "unknown-field", 'unknown field "specs"'),
    ]


def test_an_enum_lists_its_words(queue):
    queue["spec"]["stopPolicy"] = "hold"
    table = table_for(queue["apiVersion"], queue["kind"], "0.19.1")
    (violation,) = check(queue, table)
    assert violation.message == 'must be one of "None", "Hold", "HoldAndDrain", not "hold"'
    assert violation.allowed == ("None", "Hold", "HoldAndDrain")
    assert violation.path == ("spec", "stopPolicy")
    assert violation.reason == "enum"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, "must be text, not true"),
        (7, "must be text, not the number 7"),
        (["a"], "must be text, not a list"),
        ({"a": 1}, "must be text, not a mapping"),
    ],
)
def test_a_wrong_type_says_what_stands_there(queue, judge, value, message):
    queue["spec"]["cohortName"] = value
    assert judge(queue) == [("spec.cohortName", "wrong-type", message)]


def test_a_list_where_a_mapping_belongs(queue, judge):
    queue["spec"]["fairSharing"] = [{"weight": 1}]
    assert judge(queue) == [
        ("spec.fairSharing", "wrong-type", "must be a mapping, not a list; remove the dash")
    ]


def test_the_object_itself_may_be_no_mapping():
    table = table_for("kueue.x-k8s.io/v1beta2", "ClusterQueue", "0.19.1")
    assert [violation.reason for violation in check([], table)] == ["wrong-type"]


def test_missing_fields_are_placed_where_they_belong(queue, judge):
    del flavor(queue)["resources"]
    queue["spec"]["admissionScope"] = {}
    assert judge(queue) == [
        ("spec.resourceGroups[0].flavors[1].resources", "required", "is required"),
        ("spec.admissionScope.admissionMode", "required", "is required"),
    ]


def test_lengths_count_code_points_and_come_before_the_pattern(queue, judge):
    flavor(queue)["name"] = "x" * 253
    assert judge(queue) == []
    flavor(queue)["name"] = "é" * 254
    place = "spec.resourceGroups[0].flavors[1].name"
    assert judge(queue) == [(place, "too-long", "must have at most 253 characters, has 254")]
    flavor(queue)["name"] = "é"
    assert judge(queue) == [(place, "pattern", f'"é" must match {NAMES}')]


@pytest.mark.parametrize("name", ["H100", "a_b", "-a", "a.", "a\n", ""])
def test_names_that_are_no_names(queue, judge, name):
    flavor(queue)["name"] = name
    assert [(path, reason) for path, reason, _ in judge(queue)] == [
        ("spec.resourceGroups[0].flavors[1].name", "pattern")
    ]


def test_too_few_and_too_many(queue, judge):
    queue["spec"]["resourceGroups"][0]["coveredResources"] = []
    flavor(queue)["resources"] = [{"name": f"r{n}", "nominalQuota": 1} for n in range(65)]
    assert judge(queue) == [
        ("spec.resourceGroups[0].coveredResources", "too-few", "must have at least 1 item, has 0"),
        ("spec.resourceGroups[0].flavors[1].resources", "too-many", "must have at most 64 items, has 65"),
    ]


def test_a_map_with_too_many_keys_counts_what_the_server_keeps(judge):
    labels = {f"k{n}": "v" for n in range(8)}
    obj = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "spec": {"nodeLabels": labels}}
    labels["dropped"] = None
    assert judge(obj) == []
    labels["ninth"] = "v"
    assert judge(obj) == [("spec.nodeLabels", "too-many", "must have at most 8 keys, has 9")]


def test_the_second_of_equal_elements_is_the_duplicate(queue, judge):
    flavor(queue)["name"] = "a100"
    queue["spec"]["resourceGroups"][0]["flavors"].append(copy.deepcopy(flavor(queue)))
    assert judge(queue) == [
        ("spec.resourceGroups[0].flavors[1]", "duplicate", 'occurs more than once: name "a100"')
    ]


def test_a_set_of_words_must_not_repeat(queue, judge):
    check_ = {"name": "budget", "onFlavors": ["a100", "h100", "a100"]}
    queue["spec"]["admissionChecksStrategy"] = {"admissionChecks": [check_]}
    assert judge(queue) == [
        (
            "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[2]",
            "duplicate",
            'occurs more than once: the text "a100"',
        )
    ]


def test_names_by_default_count_as_duplicates(judge):
    pod = {"template": {"spec": {"containers": [{"name": "c"}]}}}
    obj = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "spec": {"podSets": [pod, {**pod, "name": "main"}]},
    }
    assert judge(obj) == [("spec.podSets[1]", "duplicate", 'occurs more than once: name "main"')]
    obj["spec"]["podSets"][1]["name"] = "other"
    assert judge(obj) == []


def test_lists_named_by_two_fields_use_the_default_of_the_second(judge):
    ports = [
        {"containerPort": 80},
        {"containerPort": 80, "protocol": "UDP"},
        {"containerPort": 80, "protocol": "TCP"},
    ]
    pod = {"template": {"spec": {"containers": [{"name": "c", "ports": ports}]}}}
    obj = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "spec": {"podSets": [pod]}}
    assert judge(obj) == [
        (
            "spec.podSets[0].template.spec.containers[0].ports[2]",
            "duplicate",
            'occurs more than once: containerPort "80", protocol "TCP"',
        )
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2**31 - 1, []),
        (3.0, []),
        (-(2**31), []),
        (2**31, [("value", "format", "must fit into int32 (-2147483648 to 2147483647), is 2147483648")]),
        (1.5, [("value", "wrong-type", "must be a whole number, not the number 1.5")]),
        ("5", [("value", "wrong-type", 'must be a whole number, not the text "5"')]),
        (True, [("value", "wrong-type", "must be a whole number, not true")]),
        (10**30, [("value", "wrong-type", f"must be a whole number, not the number {10**30}")]),
        (float("nan"), [("value", "wrong-type", "must be a whole number, not the number nan")]),
    ],
)
def test_numbers(judge, value, expected):
    obj = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass", "value": value}
    assert judge(obj) == expected


def test_limits_of_numbers(judge):
    pod = {"count": -1, "minCount": 0, "template": {"spec": {"containers": [{"name": "c"}]}}}
    obj = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "spec": {"podSets": [pod]}}
    assert judge(obj) == [
        ("spec.podSets[0].count", "minimum", "must be at least 0, is -1"),
        ("spec.podSets[0].minCount", "minimum", "must be at least 1, is 0"),
    ]


def test_keys_that_are_no_text_are_written_as_json_first(judge):
    obj = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ResourceFlavor",
        "spec": {"nodeLabels": {1: "a", False: "b"}, 7: "x"},
    }
    assert judge(obj) == [("spec[7]", "unknown-field", 'unknown field "7"')]


def test_status_is_thrown_away_but_its_names_count(queue, judge):
    queue["status"] = {
        "flavorsReservation": [{"resources": []}],
        "conditions": [{"type": ""}],
        "pendingWorkloads": -1,
    }
    assert judge(queue) == []
    queue["status"]["pending"] = 1
    assert judge(queue) == [("status.pending", "unknown-field", 'unknown field "pending"')]


def test_status_types_count_only_where_the_webhook_reads_them(queue, judge):
    queue["status"] = "ready"
    assert judge(queue) == [("status", "wrong-type", 'must be a mapping, not the text "ready"')]
    local = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "LocalQueue",
        "spec": {"clusterQueue": "a"},
        "status": "ready",
    }
    assert judge(local) == []


def test_depth_does_not_break_it(queue, judge):
    deep = value = []
    for _ in range(5000):
        inner = []
        value.append(inner)
        value = inner
    queue["spec"]["cohortName"] = deep
    queue["metadata"]["labels"] = deep
    assert judge(queue) == [("spec.cohortName", "wrong-type", "must be text, not a list")]
