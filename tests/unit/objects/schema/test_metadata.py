"""Names, labels, annotations and the other fields of metadata."""

from __future__ import annotations

import pytest

from kohort.objects.schema import Violation, check_metadata, field_path


def judged(meta, *, namespaced=False):
    found = check_metadata({"metadata": meta}, namespaced=namespaced)
    return [(field_path(violation.path), violation.reason) for violation in found]


def test_a_full_right_metadata():
    meta = {
        "name": "vision.v1",
        "namespace": "ignored",
        "labels": {"app.kubernetes.io/name": "vision", "empty": "", "null": None},
        "annotations": {"Example.COM/Note": "Any text\nat all"},
        "finalizers": ["kueue.x-k8s.io/resource-in-use", "foregroundDeletion"],
        "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "1", "controller": True}
        ],
        "creationTimestamp": None,
        "generation": -3,
        "uid": "x",
        "selfLink": "/x",
        "managedFields": [{"manager": "kubectl", "operation": "Update", "fieldsV1": {"f:spec": {}}}],
    }
    assert judged(meta) == []


@pytest.mark.parametrize("obj", [{}, {"metadata": None}, {"metadata": {}}, {"metadata": {"name": None}}])
def test_a_name_is_needed(obj):
    assert check_metadata(obj, namespaced=False) == [
        Violation(("metadata", "name"), "required", "is required", None)
    ]


def test_an_empty_name_and_no_mapping():
    assert judged({"name": ""}) == [("metadata.name", "required")]
    assert judged(["a"]) == [("metadata", "wrong-type")]
    assert judged("a") == [("metadata", "wrong-type")]


@pytest.mark.parametrize("name", ["Vision", "a_b", "a/b", "-a", "a-", "a..b", "x" * 254, "é"])
def test_names_are_subdomains(name):
    assert judged({"name": name}) == [("metadata.name", "pattern")]


def test_the_message_says_which_character():
    (violation,) = check_metadata({"metadata": {"name": "my_team"}}, namespaced=False)
    assert violation.message.startswith('"my_team" is no valid name: ')
    assert "'_' at position 3" in violation.message
    assert violation.value == "my_team"


def test_generated_names():
    assert judged({"generateName": "job-"}) == []
    assert judged({"generateName": "job-", "name": ""}) == []
    assert judged({"generateName": "Job-"}) == [("metadata.generateName", "pattern")]
    assert judged({"generateName": "-"}) == [("metadata.generateName", "pattern")]


def test_namespaces():
    assert judged({"name": "a"}, namespaced=True) == [("metadata.namespace", "required")]
    assert judged({"name": "a", "namespace": ""}, namespaced=True) == []
    assert judged({"name": "a", "namespace": "team"}, namespaced=True) == []
    assert judged({"name": "a", "namespace": "team.a"}, namespaced=True) == [
        ("metadata.namespace", "pattern")
    ]


def test_unknown_fields_at_any_depth():
    meta = {
        "name": "a",
        "label": {},
        "ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u", "id": 1}],
    }
    assert judged(meta) == [
        ("metadata.label", "unknown-field"),
        ("metadata.ownerReferences[0].id", "unknown-field"),
    ]


@pytest.mark.parametrize(
    ("meta", "path"),
    [
        ({"name": 5}, "metadata.name"),
        ({"name": "a", "labels": {"a": True}}, "metadata.labels.a"),
        ({"name": "a", "labels": ["a"]}, "metadata.labels"),
        ({"name": "a", "annotations": {"a": 1}}, "metadata.annotations.a"),
        ({"name": "a", "finalizers": "a/b"}, "metadata.finalizers"),
        ({"name": "a", "generation": "3"}, "metadata.generation"),
    ],
)
def test_wrong_types(meta, path):
    assert judged(meta) == [(path, "wrong-type")]


def test_labels_and_annotations():
    labels = {"a b": "x", "a/b/c": "x", "long": "x" * 64, "blank": "two words"}
    assert judged({"name": "a", "labels": labels}) == [
        ("metadata.labels.a b", "pattern"),
        ("metadata.labels.a/b/c", "pattern"),
        ("metadata.labels.long", "pattern"),
        ("metadata.labels.blank", "pattern"),
    ]
    assert judged({"name": "a", "annotations": {"a b": "x"}}) == [("metadata.annotations.a b", "pattern")]


def test_annotations_have_a_total_size():
    assert judged({"name": "a", "annotations": {"a": "x" * (256 * 1024 - 1)}}) == []
    (violation,) = check_metadata(
        {"metadata": {"name": "a", "annotations": {"a": "é" * 131072}}}, namespaced=False
    )
    assert violation.reason == "too-long"
    assert violation.limit == 262144
    assert "262145" in violation.message


def test_finalizers():
    assert judged({"name": "a", "finalizers": ["a b"]}) == [("metadata.finalizers[0]", "pattern")]
    assert judged({"name": "a", "finalizers": [None]}) == [("metadata.finalizers[0]", "null")]
    assert judged({"name": "a", "finalizers": ["orphan", "foregroundDeletion"]}) == [
        ("metadata.finalizers", "forbidden")
    ]


def test_owners():
    good = {"apiVersion": "v1", "kind": "Pod", "name": "n", "uid": "u", "controller": True}
    assert judged({"name": "a", "ownerReferences": [good, {**good, "controller": False}]}) == []
    assert judged({"name": "a", "ownerReferences": [good, good]}) == [
        ("metadata.ownerReferences[1].controller", "duplicate")
    ]
    assert judged({"name": "a", "ownerReferences": [{"name": "n", "apiVersion": "apps/"}]}) == [
        ("metadata.ownerReferences[0].kind", "required"),
        ("metadata.ownerReferences[0].uid", "required"),
        ("metadata.ownerReferences[0].apiVersion", "pattern"),
    ]


def test_times_are_strict():
    assert judged({"name": "a", "creationTimestamp": "2026-01-31T08:00:00Z"}) == []
    assert judged({"name": "a", "creationTimestamp": "2026-01-31t08:00:00z"}) == [
        ("metadata.creationTimestamp", "format")
    ]
    assert judged({"name": "a", "creationTimestamp": "2026-02-30T08:00:00Z"}) == [
        ("metadata.creationTimestamp", "format")
    ]


def test_a_resource_version_belongs_to_the_server():
    assert judged({"name": "a", "resourceVersion": "123"}) == [("metadata.resourceVersion", "forbidden")]
    assert judged({"name": "a", "resourceVersion": ""}) == []
    assert judged({"name": "a", "resourceVersion": "0"}) == []
