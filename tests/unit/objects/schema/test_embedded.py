"""Objects inside an AppWrapper."""

from __future__ import annotations

import pytest


def wrapper(template, **component):
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "spec": {"components": [{"template": template, **component}]},
    }


JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "train"},
    "spec": {"anything": {"goes": [None]}},
}
PLACE = "spec.components[0].template"


def test_the_inside_of_a_template_is_not_looked_at(judge):
    assert judge(wrapper(JOB)) == []
    assert judge(wrapper({**JOB, "metadata": None})) == []
    assert judge(wrapper({"apiVersion": "v1", "kind": "Pod"})) == []


def test_a_wrapper_knows_its_own_fields(judge):
    assert judge(wrapper(JOB, podSets=[{"replicas": 2}], podSet=[])) == [
        ("spec.components[0].podSets[0].path", "required", "is required"),
        ("spec.components[0].podSet", "unknown-field", 'unknown field "podSet"'),
    ]
    assert judge(wrapper(None)) == [("spec.components[0].template", "required", "is required")]


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        ({"apiVersion": ""}, ".apiVersion", "too-short"),
        ({"apiVersion": 1}, ".apiVersion", "wrong-type"),
        ({"apiVersion": "a/b/c"}, ".apiVersion", "pattern"),
        ({"kind": None}, ".kind", "wrong-type"),
        ({"kind": "my job"}, ".kind", "pattern"),
        ({"metadata": []}, ".metadata", "wrong-type"),
        ({"metadata": {"labels": {"a": 1}}}, ".metadata.labels.a", "wrong-type"),
        ({"metadata": {"labels": {"a b": "x"}}}, ".metadata.labels.a b", "pattern"),
        ({"metadata": {"nmae": "x"}}, ".metadata.nmae", "unknown-field"),
        ({"metadata": {"name": "a/b"}}, ".metadata.name", "pattern"),
        ({"metadata": {"name": ".."}}, ".metadata.name", "pattern"),
        ({"metadata": {"generation": -1}}, ".metadata.generation", "minimum"),
        ({"metadata": {"namespace": "A"}}, ".metadata.namespace", "pattern"),
        (
            {"metadata": {"managedFields": [{"operation": "Edit"}]}},
            ".metadata.managedFields[0].operation",
            "enum",
        ),
    ],
)
def test_type_and_metadata_of_a_template_are_judged(judge, change, path, reason):
    assert [(where, why) for where, why, _ in judge(wrapper({**JOB, **change}))] == [(PLACE + path, reason)]


@pytest.mark.parametrize("name", ["Any_Name", "A", "x" * 300])
def test_names_of_unknown_kinds_are_free(judge, name):
    assert judge(wrapper({**JOB, "metadata": {"name": name}})) == []


def test_a_missing_type_is_placed(judge):
    assert judge(wrapper({"metadata": {"name": "a"}})) == [
        (f"{PLACE}.apiVersion", "required", "is required"),
        (f"{PLACE}.kind", "required", "is required"),
    ]
