from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kohort.objects.appwrapper import Part, declared_parts, inferred_parts, parse_path
from kohort.objects.podsets import podsets, requests

CASE = Path(__file__).parents[4] / "shared" / "cases" / "78-appwrapper-podsets" / "input.yaml"
TEMPLATE = {"spec": {"containers": [{"name": "m", "resources": {"limits": {"example.com/gpu": 4}}}]}}


def wrapper(*components, name="Team-Job"):
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": name},
        "spec": {"components": list(components)},
    }


def wrapped(api_version, kind, spec, *pod_sets):
    return {"podSets": list(pod_sets), "template": {"apiVersion": api_version, "kind": kind, "spec": spec}}


JOB = wrapped("batch/v1", "Job", {"parallelism": 4, "completions": 4, "template": TEMPLATE})
CONFIG = wrapped("v1", "ConfigMap", {})


def test_pod_sets_are_numbered_over_all_components():
    pytorch = {role: {"replicas": n, "template": TEMPLATE} for role, n in (("Worker", 3), ("Master", 1))}
    answer = podsets(wrapper(wrapped("kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": pytorch}), JOB))
    inside = ("spec", "components")
    assert [(ps.name, ps.count, ps.path) for ps in answer.found] == [
        ("team-job-0", 1, (*inside, 0, "template", "spec", "pytorchReplicaSpecs", "Master", "template")),
        ("team-job-1", 3, (*inside, 0, "template", "spec", "pytorchReplicaSpecs", "Worker", "template")),
        ("team-job-2", 4, (*inside, 1, "template", "spec", "template")),
    ]
    assert (answer.inferable, answer.reasons) == (True, ())
    assert {k: q.plain() for k, q in requests(answer.found[2]).items()} == {"example.com/gpu": "4"}


def test_declared_pod_sets_win_over_inference():
    declared = {**JOB, "podSets": [{"path": "template.spec.template", "replicas": 2}]}
    assert [ps.count for ps in podsets(wrapper(declared)).found] == [2]
    assert declared_parts(declared) == ([Part(("spec", "template"), 2)], [])
    assert inferred_parts(declared["template"]) == ([Part(("spec", "template"), 4)], [])


def test_a_wrapped_kind_that_is_not_inferred_must_be_declared():
    spec = {"mpiReplicaSpecs": {"Worker": {"replicas": 2, "template": TEMPLATE}}}
    answer = podsets(wrapper(wrapped("kubeflow.org/v2beta1", "MPIJob", spec)))
    assert (answer.found, answer.inferable) == ((), False)
    assert answer.reasons == (
        "components[0]: pods of kind 'MPIJob' are not inferred; declare podSets if it has any",
    )
    declared = {"path": "template.spec.mpiReplicaSpecs.Worker.template", "replicas": 2}
    answer = podsets(wrapper(wrapped("kubeflow.org/v2beta1", "MPIJob", spec, declared)))
    assert [(ps.name, ps.count) for ps in answer.found] == [("team-job-0", 2)]


def test_a_component_of_an_unknown_kind_makes_the_answer_incomplete():
    answer = podsets(wrapper(wrapped("example.com/v1", "ConfigMap", {}), JOB))
    assert [ps.name for ps in answer.found] == ["team-job-0"]
    assert not answer.inferable
    assert answer.reasons == (
        "components[0]: pods of kind 'ConfigMap' are not inferred; declare podSets if it has any",
    )


@pytest.mark.parametrize(
    ("version", "kind"),
    [("v1", "ConfigMap"), ("v1", "Service"), ("scheduling.x-k8s.io/v1alpha1", "PodGroup")],
)
def test_what_makes_no_pods_leaves_the_answer_whole(version, kind):
    answer = podsets(wrapper(wrapped(version, kind, {}), JOB))
    assert [ps.name for ps in answer.found] == ["team-job-0"]
    assert (answer.inferable, answer.reasons) == (True, ())
    alone = podsets(wrapper(wrapped(version, kind, {})))
    assert (alone.found, alone.inferable) == ((), False)


def test_ray_in_a_wrapper_counts_as_written():
    groups = [{"replicas": 2, "numOfHosts": 4, "template": TEMPLATE}, {"template": TEMPLATE}, {"replicas": 9}]
    cluster = {"headGroupSpec": {"template": TEMPLATE}, "workerGroupSpecs": groups}
    assert [
        p.count for p in inferred_parts({"apiVersion": "ray.io/v1", "kind": "RayCluster", "spec": cluster})[0]
    ] == [1, 2, 1]
    parts, _ = inferred_parts(
        {"apiVersion": "ray.io/v1", "kind": "RayJob", "spec": {"rayClusterSpec": cluster}}
    )
    assert parts[2] == Part(("spec", "rayClusterSpec", "workerGroupSpecs", 1, "template"), 1)


def test_job_set_in_a_wrapper():
    jobs = [
        {"replicas": 2, "template": {"spec": {"parallelism": 3, "template": TEMPLATE}}},
        {"name": "no-template"},
    ]
    given = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "spec": {"replicatedJobs": jobs}}
    path = ("spec", "replicatedJobs", 0, "template", "spec", "template")
    assert inferred_parts(given) == ([Part(path, 6)], [])
    assert inferred_parts({**given, "apiVersion": "jobset.x-k8s.io/v1alpha1"})[0] == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("template", ()),
        ("template.spec.template", ("spec", "template")),
        ("template.spec.groups[12].template", ("spec", "groups", 12, "template")),
        ("spec.template", None),
        ("template..spec", None),
        ("template.", None),
        ("template[x]", None),
        ("template[1", None),
        ("templates.spec", None),
        (None, None),
        (7, None),
    ],
)
def test_paths(text, path):
    assert parse_path(text) == path


def test_paths_that_lead_nowhere_are_named():
    broken = wrapped(
        "example.com/v1", "Trainer", {"template": TEMPLATE}, {"path": "template.spec.tmpl"}, {"path": "x"}
    )
    answer = podsets(wrapper(broken))
    assert answer.found == ()
    assert answer.reasons == (
        "components[0]: podSets[1].path 'x' is no path such as template.spec.template",
        "components[0]: template.spec.tmpl has no pod template with a spec",
    )


@pytest.mark.parametrize("components", [None, [], {}, "x"])
def test_without_components_nothing_is_found(components):
    answer = podsets({**wrapper(), "spec": {"components": components}})
    assert (answer.found, answer.inferable, answer.reasons) == ((), False, ("it has no components",))


@pytest.mark.parametrize("component", [None, {}, [], {"template": "x"}])
def test_malformed_components_give_a_reason(component):
    assert podsets(wrapper(component)).reasons == ("components[0]: it has no template",)


@pytest.mark.skipif(not CASE.exists(), reason="the shared cases are not beside the repository")
def test_the_shared_case():
    objects = list(yaml.safe_load_all(CASE.read_text(encoding="utf-8")))
    answers = {o["metadata"]["name"]: podsets(o) for o in objects}
    assert [a.inferable for a in answers.values()] == [False, True, False, False]
    wrong = next(o for o in objects if o["metadata"]["name"] == "wrong-replicas")["spec"]["components"][0]
    assert declared_parts(wrong)[0][0].count == 2
    assert inferred_parts(wrong["template"])[0][0].count == 4
