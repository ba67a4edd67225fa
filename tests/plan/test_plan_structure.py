"""Differences of objects: by identity, blind to order where it says nothing, alert where it does."""

from __future__ import annotations

import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.planner.structure.diff import differences
from kohort.planner.structure.normal import normal

QUEUE = {
    "spec": {
        "cohortName": "research",
        "resourceGroups": [
            {
                "coveredResources": ["cpu", "nvidia.com/gpu"],
                "flavors": [
                    {
                        "name": "h100",
                        "resources": [
                            {"name": "cpu", "nominalQuota": "80"},
                            {"name": "nvidia.com/gpu", "nominalQuota": "8"},
                        ],
                    },
                    {
                        "name": "a100",
                        "resources": [
                            {"name": "cpu", "nominalQuota": "20"},
                            {"name": "nvidia.com/gpu", "nominalQuota": "2"},
                        ],
                    },
                ],
            },
            {"coveredResources": ["licences"], "flavors": [{"name": "any", "resources": []}]},
        ],
        "namespaceSelector": {"matchExpressions": [{"key": "k", "operator": "In", "values": ["a", "b"]}]},
    }
}
GROUP = "spec.resourceGroups[cpu,nvidia.com/gpu]"


def edited(edit):
    value = copy.deepcopy(QUEUE)
    edit(value["spec"])
    return value


def told(edit):
    return [(d.path, d.how, d.before, d.after) for d in differences(QUEUE, edited(edit))]


def test_equal_values_differ_in_nothing():
    assert list(differences(QUEUE, copy.deepcopy(QUEUE))) == []


def test_a_number_deep_inside_is_named_by_what_identifies_it():
    def edit(spec):
        spec["resourceGroups"][0]["flavors"][1]["resources"][1]["nominalQuota"] = "3"

    (found,) = differences(QUEUE, edited(edit))
    assert found.path == f"{GROUP}.flavors[a100].resources[nvidia.com/gpu].nominalQuota"
    assert found.pattern == "spec.resourceGroups[*].flavors[*].resources[*].nominalQuota"
    assert found.after_path == ("spec", "resourceGroups", 0, "flavors", 1, "resources", 1, "nominalQuota")


@pytest.mark.parametrize(("old", "new"), [("8", 8), ("8", "8000m"), ("1Gi", "1024Mi"), ("0", None)])
def test_amounts_are_compared_as_amounts(old, new):
    before, after = ({"spec": {"nominalQuota": value}} for value in (old, new))
    assert bool(list(differences(before, after))) == (new is None)


def test_other_texts_are_compared_as_they_are():
    assert [d.path for d in differences({"spec": {"size": "8"}}, {"spec": {"size": 8}})] == ["spec.size"]
    assert [d.path for d in differences({"a": 1}, {"a": True})] == ["a"]
    assert [d.path for d in differences({"a": [1]}, {"a": [True]})] != []


def test_order_of_groups_resources_and_sets_says_nothing():
    def edit(spec):
        spec["resourceGroups"].reverse()
        spec["resourceGroups"][1]["flavors"][0]["resources"].reverse()
        spec["namespaceSelector"]["matchExpressions"][0]["values"].reverse()

    assert told(edit) == []


def test_order_of_flavors_and_covered_resources_does():
    def flavors(spec):
        spec["resourceGroups"][0]["flavors"].reverse()

    def covered(spec):
        spec["resourceGroups"][0]["coveredResources"].reverse()

    assert told(flavors) == [(f"{GROUP}.flavors", "reordered", ["h100", "a100"], ["a100", "h100"])]
    assert [(path, how) for path, how, *_ in told(covered)] == [
        ("spec.resourceGroups[cpu,nvidia.com/gpu].coveredResources", "reordered")
    ]


def test_an_item_that_goes_and_one_that_comes_are_no_reordering():
    def edit(spec):
        flavors = spec["resourceGroups"][0]["flavors"]
        flavors[0] = {"name": "b200", "resources": []}

    assert [(path, how) for path, how, *_ in told(edit)] == [
        (f"{GROUP}.flavors[b200]", "added"),
        (f"{GROUP}.flavors[h100]", "removed"),
    ]


def test_a_group_that_covers_more_is_still_the_same_group():
    def edit(spec):
        spec["resourceGroups"][0]["coveredResources"].append("memory")
        spec["resourceGroups"][0]["flavors"][0]["resources"].append({"name": "memory", "nominalQuota": "1Ti"})

    assert [(path, how) for path, how, *_ in told(edit)] == [
        ("spec.resourceGroups[cpu,memory,nvidia.com/gpu].coveredResources[memory]", "added"),
        ("spec.resourceGroups[cpu,memory,nvidia.com/gpu].flavors[h100].resources[memory]", "added"),
    ]


def test_items_that_look_alike_are_counted():
    before = {"spec": {"tolerations": [{"key": "a"}, {"key": "a"}]}}
    after = {"spec": {"tolerations": [{"key": "a"}]}}
    assert [(d.path, d.how) for d in differences(before, after)] == [("spec.tolerations[key=a#2]", "removed")]


def test_unknown_lists_of_names_are_matched_by_name_and_their_order_counts():
    one, other = {"name": "one", "v": 1}, {"name": "other", "v": 2}
    found = list(differences({"things": [one, other]}, {"things": [other, {**one, "v": 9}]}))
    assert [(d.path, d.how) for d in found] == [("things", "reordered"), ("things[one].v", "changed")]


def test_depth_is_no_danger():
    before, after = {"leaf": 1}, {"leaf": 2}
    for _ in range(5000):
        before, after = {"x": before}, {"x": after}
    (found,) = differences(before, after)
    assert found.path.endswith(".leaf")


def obj(data):
    metadata = data.get("metadata", {})
    return KubeObject(data["apiVersion"], data["kind"], metadata.get("name", ""), "", data, Typed("f.yaml"))


def test_what_the_server_writes_is_no_difference():
    typed = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "q"},
        "spec": {
            "namespaceSelector": {},
            "resourceGroups": [
                {
                    "coveredResources": ["cpu"],
                    "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "1000m"}]}],
                }
            ],
        },
    }
    stored = copy.deepcopy(typed)
    stored["metadata"] |= {
        "uid": "x",
        "resourceVersion": "1",
        "generation": 3,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "managedFields": [{}],
        "finalizers": ["kueue.x-k8s.io/resource-in-use"],
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
    }
    stored["status"] = {"pendingWorkloads": 3}
    stored["spec"] |= {"queueingStrategy": "BestEffortFIFO", "stopPolicy": "None"}
    stored["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"] = "1"
    assert list(differences(normal(obj(typed), "0.19.1"), normal(obj(stored), "0.19.1"))) == []


def test_the_old_version_of_the_api_is_the_same_object():
    new = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "q"},
        "spec": {"cohortName": "c", "namespaceSelector": {}},
    }
    old = {**new, "apiVersion": "kueue.x-k8s.io/v1beta1", "spec": {"cohort": "c", "namespaceSelector": {}}}
    assert list(differences(normal(obj(old), "0.19.1"), normal(obj(new), "0.19.1"))) == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "1", "1000m"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["name", "spec", "flavors", "x", "values", "nominalQuota"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.sampled_from(["spec", "metadata", "data"]), VALUES, max_size=3)


# the machine may be busy: what is judged is the answer, not the time
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@CALM
@given(OBJECTS)
def test_nothing_differs_from_itself(value):
    assert list(differences(value, copy.deepcopy(value))) == []


@CALM
@given(OBJECTS, OBJECTS)
def test_both_directions_tell_the_same_changes(one, other):
    there = sorted((d.pattern, d.how) for d in differences(one, other))
    back = sorted(
        (d.pattern, {"added": "removed", "removed": "added"}.get(d.how, d.how))
        for d in differences(other, one)
    )
    assert there == back


@pytest.mark.parametrize("field", ["verbs", "resources", "apiGroups"])
def test_a_role_says_the_same_with_its_verbs_in_another_order(field):
    rule = {
        "apiGroups": ["batch", "kubeflow.org"],
        "resources": ["jobs", "pods"],
        "verbs": ["get", "list", "watch"],
    }
    other = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
    turned = {**rule, field: rule[field][::-1]}
    assert list(differences({"rules": [rule, other]}, {"rules": [other, turned]})) == []
    assert list(differences({"rules": [rule]}, {"rules": [{**rule, field: rule[field][:1]}]})) != []


def in_spec(before, after):
    return [(d.path, d.how) for d in differences({"spec": before}, {"spec": after})]


def test_a_weight_is_an_amount_and_other_texts_are_not():
    assert in_spec({"fairSharing": {"weight": "1"}}, {"fairSharing": {"weight": "1000m"}}) == []
    assert in_spec({"level": "1"}, {"level": "1000m"}) == [("spec.level", "changed")]


@pytest.mark.parametrize(
    ("field", "items", "name"),
    [
        (
            "nodeTaints",
            [
                {"key": "k", "effect": "NoSchedule", "value": "a"},
                {"key": "k", "effect": "NoExecute", "value": "b"},
            ],
            "k NoSchedule",
        ),
        (
            "matchExpressions",
            [{"key": "k", "operator": "NotIn", "value": ["a"]}, {"key": "k", "operator": "Exists"}],
            "k NotIn",
        ),
    ],
)
def test_items_that_share_a_key_are_told_apart_by_what_else_they_say(field, items, name):
    assert in_spec({field: items}, {field: items[::-1]}) == []
    assert in_spec({field: items}, {field: items[1:]}) == [(f"spec.{field}[{name}]", "removed")]


def test_the_longest_pattern_says_how_a_list_is_read():
    """`admissionChecks` of a strategy are rules with names, those of a queue only names."""
    strategy = [
        {"admissionChecksStrategy": {"admissionChecks": [{"name": "a", "onFlavors": some}]}}
        for some in (["x"], ["x", "y"])
    ]
    assert in_spec(*strategy) == [("spec.admissionChecksStrategy.admissionChecks[a].onFlavors[y]", "added")]
    assert in_spec({"admissionChecks": ["a", "b"]}, {"admissionChecks": ["b", "a"]}) == []


def test_the_order_of_variables_of_a_container_says_something():
    one, other = {"name": "A", "value": "1"}, {"name": "B", "value": "$(A)"}
    assert in_spec({"env": [one, other]}, {"env": [other, one]}) == [("spec.env", "reordered")]
    assert in_spec({"volumes": [one, other]}, {"volumes": [other, one]}) == []
