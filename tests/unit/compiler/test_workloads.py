import pytest

TEMPLATE = """
# file: workloads/templates/job.yaml
apiVersion: kohort.dev/v1alpha1
kind: WorkloadTemplate
metadata: {name: job}
spec:
  description: a job
  parameters:
  - {name: name, type: string, description: its name}
  - {name: gpus, type: integer, description: GPUs, default: 1}
  body:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: ignored, labels: {own: "1"}, annotations: {note: x}}
    spec: {components: [{template: {gpus: {param: gpus}}}]}
    status: {phase: Running}
# file: queues/p.yaml
apiVersion: kohort.dev/v1alpha1
kind: Priority
metadata: {name: normal}
spec: {value: 5, default: true}
"""
WORK = """
# file: teams/blue/work.yaml
apiVersion: kohort.dev/v1alpha1
kind: Workload
metadata: {name: fit}
spec: {template: job, cluster: lab, queue: train, run: 3, values: {gpus: 4}}
"""


def render(template, values):
    if "bad" in values:
        raise ValueError("parameter gpus: 9 is above 8")
    return {**template.body, "spec": {"values": dict(values)}}


def test_a_workload_is_named_by_its_run_and_queued_by_labels(compile_repo):
    result = compile_repo(more=TEMPLATE + WORK, render=render)
    assert result.codes == []
    obj = result.get("AppWrapper", "fit-3", "blue")
    assert obj.labels() == {
        "app.kubernetes.io/managed-by": "kohort",
        "own": "1",
        "kohort.dev/team": "blue",
        "kueue.x-k8s.io/queue-name": "train",
        "kueue.x-k8s.io/priority-class": "normal",
    }
    assert obj.annotations()["note"] == "x"
    assert obj.annotations()["argocd.argoproj.io/sync-wave"] == "10"
    assert obj.get("spec", "values") == {"name": "fit-3", "gpus": 4}
    assert "status" not in obj.data
    assert "suspend" not in obj.data["spec"]
    assert obj.at("metadata", "labels", "kueue.x-k8s.io/queue-name").path == ("spec", "queue")
    assert [p for p in result.files if "workloads" in p] == [
        "clusters/lab/manifests/workloads/blue/workloads.yaml"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("template: job", "template: jbo"), "workload fit of team blue: template jbo is not declared"),
        (
            ("queue: train", "queue: serve"),
            "workload fit of team blue: the team has no queue serve on cluster lab",
        ),
        (
            ("queue: train", "queue: train, namespace: red"),
            "workload fit of team blue: namespace red cannot use queue train",
        ),
        (("gpus: 4", "bad: 1"), "workload fit of team blue: parameter gpus: 9 is above 8"),
        (("cluster: lab", "cluster: lba"), "workload fit: there is no cluster lba; did you mean `lab`?"),
        (
            ("teams/blue/work.yaml", "teams/bleu/work.yaml"),
            "workload fit: there is no team bleu; did you mean `blue`?",
        ),
    ],
)
def test_what_does_not_fit_is_a_finding(compile_repo, change, message):
    result = compile_repo(more=TEMPLATE + WORK.replace(*change), render=render)
    assert [(f.code, f.message) for f in result.bundle.findings] == [("CMP106", message)]
    assert result.bundle.findings[0].primary.origin.file.endswith("/work.yaml")
    assert "AppWrapper" not in {o.kind for some in result.files.values() for o in some}
