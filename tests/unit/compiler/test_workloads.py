import pytest

TEMPLATE = """
# file: workloads/templates/job.yaml
apiVersion: kohort.dev/v1alpha1
kind: WorkloadTemplate
metadata: {name: job}
spec:
  description: a job
  parameters:
  - {name: gpus, type: integer, description: GPUs, default: 1, maximum: 8}
  body:
    apiVersion: workload.codeflare.dev/v1beta2
    kind: AppWrapper
    metadata: {name: ignored, labels: {own: "1"}, annotations: {note: "${name} in ${namespace}"}}
    spec:
      cpu: {product: [gpus, cpuPerAccelerator]}
      of: {"${accelerator}": {when: gpus, then: {param: gpus}}}
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


def test_a_workload_is_named_by_its_run_and_queued_by_labels(compile_repo):
    result = compile_repo(more=TEMPLATE + WORK)
    assert result.codes == []
    obj = result.get("AppWrapper", "fit-3", "blue")
    assert obj.labels() == {
        "app.kubernetes.io/managed-by": "kohort",
        "own": "1",
        "kohort.dev/team": "blue",
        "kueue.x-k8s.io/queue-name": "train",
        "kueue.x-k8s.io/priority-class": "normal",
    }
    assert obj.annotations()["note"] == "fit-3 in blue"
    assert obj.annotations()["argocd.argoproj.io/sync-wave"] == "10"
    assert obj.get("spec") == {"cpu": "40", "of": {"example.com/gpu": 4}}
    assert "status" not in obj.data
    assert "suspend" not in obj.data["spec"]
    assert [p for p in result.files if "workloads" in p] == [
        "clusters/lab/manifests/workloads/blue/workloads.yaml"
    ]


def test_fields_point_at_the_value_that_decides_them(compile_repo):
    obj = compile_repo(more=TEMPLATE + WORK).get("AppWrapper", "fit-3", "blue")
    value = ("teams/blue/work.yaml", ("spec", "values", "gpus"))
    for path in (("spec", "cpu"), ("spec", "of", "example.com/gpu")):
        origin = obj.at(*path)
        assert (origin.file, origin.path) == value
    assert obj.provenance.arithmetic(("spec", "cpu")) == (
        "4 gpus × 10 cpuPerAccelerator ((100 − 20 cpu) ÷ 8 GPUs per node = 10) = 40"
    )
    assert obj.at("metadata", "labels", "kueue.x-k8s.io/queue-name").path == ("spec", "queue")
    assert obj.at("metadata", "labels", "own").file == "workloads/templates/job.yaml"
    default = compile_repo(more=TEMPLATE + WORK.replace("{gpus: 4}", "{}")).get("AppWrapper", "fit-3", "blue")
    assert default.at("spec", "cpu").path == ("spec", "parameters", 0, "default")


@pytest.mark.parametrize(
    ("change", "code", "message", "path"),
    [
        (
            ("template: job", "template: jbo"),
            "CMP106",
            "Workload fit: jbo is no template; did you mean `job`?",
            ("spec", "template"),
        ),
        (
            ("queue: train", "queue: trains"),
            "CMP106",
            "Workload fit: trains is no queue of team blue on cluster lab; did you mean `train`?",
            ("spec", "queue"),
        ),
        (
            ("queue: train", "queue: train, namespace: red"),
            "CMP106",
            "Workload fit: red is no namespace that may use queue train",
            ("spec", "namespace"),
        ),
        (
            ("{name: fit}", "{name: a-name-of-49-characters-with-its-run-it-is-two-mor}"),
            "CMP106",
            (
                "Workload a-name-of-49-characters-with-its-run-it-is-two-mor: "
                "a-name-of-49-characters-with-its-run-it-is-two-mor-3 is no name for work: it has 52 characters"
            ),
            ("metadata", "name"),
        ),
        (
            ("{name: fit}", "{name: 2fit}"),
            "CMP106",
            "Workload 2fit: 2fit-3 is no name for work: it starts with '2'; it must start with a letter",
            ("metadata", "name"),
        ),
        (
            ("gpus: 4", "gpus: 9"),
            "SRC142",
            "Workload fit: gpus: `9` is above 8",
            ("spec", "values", "gpus"),
        ),
        (
            ("cluster: lab", "cluster: lba"),
            "CMP106",
            "workload fit: there is no cluster lba; did you mean `lab`?",
            ("spec", "cluster"),
        ),
        (
            ("teams/blue/work.yaml", "teams/bleu/work.yaml"),
            "CMP106",
            "workload fit: there is no team bleu; did you mean `blue`?",
            ("spec", "team"),
        ),
    ],
)
def test_what_does_not_fit_is_a_finding(compile_repo, change, code, message, path):
    result = compile_repo(more=TEMPLATE + WORK.replace(*change))
    assert [(f.code, f.message) for f in result.bundle.findings] == [(code, message)]
    origin = result.bundle.findings[0].primary.origin
    assert (origin.file.rpartition("/")[2], origin.path) == ("work.yaml", path)
    assert "AppWrapper" not in {o.kind for some in result.files.values() for o in some}


def test_accelerators_on_a_queue_without_any(compile_repo, base_text):
    cpu_only = base_text.replace(
        "{flavor: big, gpus: 8, borrow: 4, lend: none}, {flavor: cpu", "{flavor: cpu"
    )
    result = compile_repo(cpu_only, more=TEMPLATE + WORK)
    assert [f.message for f in result.bundle.findings] == [
        (
            "Workload fit: template job needs `accelerator`, but queue train on cluster lab has no accelerators "
            "(flavor cpu)"
        )
    ]
    assert result.bundle.findings[0].primary.origin.path == ("spec", "values", "gpus")
    none = compile_repo(
        cpu_only,
        more=TEMPLATE.replace("cpu: {product", "x: 1\n      cpu: {product") + WORK.replace("4}", "0}"),
    )
    assert none.get("AppWrapper", "fit-3", "blue").get("spec") == {"x": 1}


def test_the_least_of_all_flavors_comes_with_an_accelerator(compile_repo, base_text):
    """A pod may land on any flavor of its queue, so what it asks for by default fits all of them."""
    more = "\n# file: queues/small.yaml\napiVersion: kohort.dev/v1alpha1\nkind: Flavor\nmetadata: {name: small}\nspec: {}\n"
    pool = "  - {name: small, flavor: small, nodes: 1, accelerator: example.com/gpu, labels: {pool: small}, perNode: {cpu: 16, memory: 64Gi, example.com/gpu: 2, pods: 99}}\n  slack:"
    text = base_text.replace("  slack:", pool).replace("{flavor: cpu, nodes: 1}", "{flavor: small, gpus: 1}")
    obj = compile_repo(text, more=more + TEMPLATE + WORK).get("AppWrapper", "fit-3", "blue")
    assert obj.get("spec", "cpu") == "32"
