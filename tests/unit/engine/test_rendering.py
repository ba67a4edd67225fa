"""Shipped templates as a team renders them; the objects are judged beside the compiled cluster.

After a wanted change: KOHORT_UPDATE_GOLDENS=1 pytest tests/unit/engine/test_rendering.py, and read the diff.
"""

import os
from pathlib import Path

import pytest
import yaml

from kohort.compiler.build import build
from kohort.compiler.emit import render_files
from kohort.diagnostics import Severity
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.engine.rendering import find_template, parameters_text, render_workload
from kohort.engine.repository import check_repository, load_repository
from kohort.engine.request import ChoiceError, Request
from kohort.source.tree import MemoryTree, WorkDir

GOLDEN = Path(__file__).parents[2] / "golden" / "templates"
JOB = ("image=example.com/job:1", "command=run --fast")
TRAIN = ("image=example.com/train:1", "program=train.py --epochs 10")
CASES = {
    "batch-job-one-pod": Request("batch-job", "blue", sets=JOB),
    "batch-job-gang": Request(
        "batch-job",
        "blue",
        name="sweep",
        priority="urgent",
        namespace="blue-dev",
        sets=(*JOB, "pods=4", "gpusPerPod=2", "retries=0", "stopGrace=0", "retryPause=0s", "dataClaim=set"),
    ),
    "batch-job-without-gpus": Request(
        "batch-job",
        "blue",
        queue="prepare",
        sets=(*JOB, "gpusPerPod=0", "envSecret=keys", "envConfigMap=settings"),
    ),
    "pytorch-fsdp-one-pod": Request(
        "pytorch-fsdp", "blue", sets=(*TRAIN, "withRdma=true", "sharedMemory=64Gi")
    ),
    "pytorch-fsdp-gang": Request(
        "pytorch-fsdp",
        "blue",
        name="fit-2",
        sets=(
            *TRAIN,
            "pods=2",
            "gpusPerPod=4",
            "withRdma=true",
            "lockMemory=true",
            "checkpointClaim=weights",
            "envSecret=keys",
            "envConfigMap=nccl",
            "pullSecret=registry",
            "setup=pip install -r more.txt\ncd /src",
            "cpusPerPod=7500m",
        ),
    ),
}


def render(root, request):
    return render_workload(root, request, Settings())


def messages(rendering):
    return [f.message for f in rendering.outcome.report.findings]


@pytest.mark.parametrize("name", CASES)
def test_golden(repository, name):
    rendering = render(repository, CASES[name])
    assert messages(rendering) == []
    golden = GOLDEN / f"{name}.yaml"
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        golden.write_text(rendering.text)
    assert rendering.text == golden.read_text()


@pytest.mark.parametrize("name", CASES)
def test_what_is_rendered_is_clean_beside_the_compiled_cluster(repository, name):
    """As a user would: `kohort render … | kohort check -` with the compiled manifests and nodes."""
    files = render_files(build(load_repository(WorkDir(repository), Settings()).repo))
    platform = {path: data for path, data in files.items() if path.startswith("clusters/lab/manifests")}
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n", "labels": {"pool": "big"}},
        "status": {
            "allocatable": {
                "cpu": "80", "memory": "800Gi", "pods": "80", "example.com/gpu": "8", "example.com/rdma_shared": "8"
            },
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }  # fmt: skip
    nodes = []
    for number in range(5):
        labels = {"pool": "big" if number < 3 else "plain"}
        one = {**node, "metadata": {"name": f"n{number}", "labels": labels}}
        nodes.append(one)
    tree = MemoryTree(
        {
            **platform,
            "nodes.yaml": yaml.safe_dump_all(nodes).encode(),
            "-": render(repository, CASES[name]).text.encode(),
        }
    )
    report = check_plain([tree], Settings()).report
    shown = [(f.code, f.message) for f in report.findings if f.severity is not Severity.INFO]
    assert [entry for entry in shown if "AppWrapper" in entry[1]] == []
    assert report.objects > 10


def job_of(rendering):
    obj = next(yaml.safe_load_all(rendering.text))
    return obj["spec"]["components"][-1]["template"]["spec"]


def test_zeros_reach_the_object(repository):
    rendering = render(repository, CASES["batch-job-gang"])
    obj = next(yaml.safe_load_all(rendering.text))
    notes = obj["metadata"]["annotations"]
    assert notes["workload.codeflare.dev.appwrapper/retryLimit"] == "0"
    assert notes["workload.codeflare.dev.appwrapper/retryPausePeriodDuration"] == "0s"
    assert job_of(rendering)["template"]["spec"]["terminationGracePeriodSeconds"] == 0


def test_a_single_pod_has_neither_gang_nor_worker_nor_rdma(repository):
    text = render(repository, CASES["pytorch-fsdp-one-pod"]).text
    assert "PodGroup" not in text
    assert "pod-group" not in text
    assert "Worker" not in text
    assert "rdma" not in text


def test_secrets_and_configmaps_are_both_kept(repository):
    pod = job_of(render(repository, CASES["pytorch-fsdp-gang"]))["pytorchReplicaSpecs"]["Worker"]["template"][
        "spec"
    ]
    assert pod["containers"][0]["envFrom"] == [
        {"secretRef": {"name": "keys"}},
        {"configMapRef": {"name": "nccl"}},
    ]
    assert [e["name"] for e in pod["containers"][0]["env"]] == ["CHECKPOINT_DIR"]  # nothing of NCCL's own
    assert pod["containers"][0]["resources"]["requests"]["example.com/rdma_shared"] == 4


def test_values_from_a_file_lose_to_set_and_findings_point_into_it(repository):
    text = b"# about this run\nimage: example.com/job:1\ncommand: run\npods: 2\ngpusPerPod: 65\n"
    rendering = render(repository, Request("batch-job", "blue", values=("v.yaml", text)))
    (finding,) = rendering.outcome.report.findings
    assert (finding.code, finding.message) == ("SRC142", "work batch-job: gpusPerPod: `65` is above 64")
    span = rendering.outcome.places.span(finding.primary.origin)
    assert (finding.primary.origin.file, span.line, span.column) == ("v.yaml", 5, 13)
    assert rendering.text == ""
    fixed = render(repository, Request("batch-job", "blue", values=("v.yaml", text), sets=("gpusPerPod=1",)))
    assert messages(fixed) == []
    assert job_of(fixed)["parallelism"] == 2


@pytest.mark.parametrize("text", [b"pods: [\n", b"pods: 1\npods: 2\n", b"\xff"])
def test_a_file_that_cannot_be_read_is_all_that_is_said(repository, text):
    rendering = render(repository, Request("batch-job", "blue", values=("v.yaml", text)))
    (finding,) = rendering.outcome.report.findings
    assert finding.code.startswith("YAM")
    assert finding.primary.origin.file == "v.yaml"
    assert rendering.text == ""


def test_an_object_that_could_never_start_is_not_printed(repository):
    rendering = render(repository, Request("batch-job", "blue", sets=(*JOB, "gpusPerPod=9")))
    assert rendering.text == ""
    (finding,) = rendering.outcome.report.findings
    assert finding.code == "CAP908"
    assert finding.primary.origin.file == "--set gpusPerPod"
    never = render(repository, Request("batch-job", "blue", sets=(*JOB, "gpusPerPod=8", "pods=3")))
    assert [f.code for f in never.outcome.report.findings] == ["CAP909"]


def test_one_misspelt_name_is_one_finding(repository):
    rendering = render(repository, Request("batch-job", "blue", sets=("imge=x", JOB[1])))
    assert messages(rendering) == [
        "work batch-job: template batch-job has no parameter `imge`; did you mean `image`?"
    ]
    assert rendering.incomplete
    missing = render(repository, Request("batch-job", "blue", sets=(JOB[1],)))
    assert messages(missing) == ["work batch-job: parameter image of template batch-job needs a value"]


def test_a_broken_template_is_shown_where_it_stands(repository):
    path = repository / "workloads" / "templates" / "batch-job.yaml"
    path.write_text(path.read_text().replace("default: 3\n", "default: 300\n"))
    rendering = render(repository, Request("batch-job", "blue", sets=JOB))
    (finding,) = rendering.outcome.report.findings
    assert finding.message == "WorkloadTemplate batch-job: parameter retries: the default `300` is above 100"
    line = path.read_text().splitlines()[rendering.outcome.places.span(finding.primary.origin).line - 1]
    assert line.strip() == "default: 300"


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (
            Request("batch-jobs", "blue"),
            "there is no template batch-jobs; did you mean batch-job? (there are: batch-job, pytorch-fsdp)",
        ),
        (Request("batch-job", "bleu"), "there is no team bleu; did you mean blue? (there are: blue)"),
        (
            Request("batch-job", "blue", cluster="lob"),
            "there is no cluster lob; did you mean lab? (there are: lab)",
        ),
        (
            Request("batch-job", "blue", queue="trian"),
            "there is no queue of team blue trian; did you mean train? (there are: prepare, train)",
        ),
        (Request("batch-job", "blue", sets=("image",)), "--set image: write NAME=VALUE"),
        (
            Request("batch-job", "blue", values=("v.yaml", b"a: 1\n---\nb: 2\n")),
            "v.yaml holds 2 documents; write one mapping of names to values",
        ),
        (
            Request("batch-job", "blue", values=("v.yaml", b"- a\n")),
            "v.yaml holds no mapping of names to values: not Kubernetes YAML: the document is a list",
        ),
        (
            Request("batch-job", "blue", queue="train", cluster="far"),
            "there is no cluster far (there are: lab)",
        ),
    ],
)
def test_names_that_are_not_there(repository, request_, message):
    with pytest.raises(ChoiceError) as caught:
        render(repository, request_)
    assert str(caught.value) == message


def test_names_of_objects_leave_room_for_what_jobs_add(repository):
    rendering = render(repository, Request("batch-job", "blue", name="a" * 51, sets=JOB))
    assert messages(rendering) == [f"work {'a' * 51}: {'a' * 51} is no name for work: it has 51 characters"]
    assert render(repository, Request("batch-job", "blue", name="a" * 50, sets=JOB)).text


def test_parameters_are_listed_with_all_that_bounds_them(repository):
    text = parameters_text(find_template(repository, "batch-job"))
    assert "  pods          integer, default 1, from 1 to 4096\n                Number of pods.\n" in text
    assert "  image         string, required\n" in text
    assert "  warmup        duration, default 10m, from 60 to 86400 seconds\n" in text
    with pytest.raises(ChoiceError):
        find_template(repository, "none")


def test_shipped_workloads_are_compiled_and_clean():
    outcome, bundle = check_repository(WorkDir(Path(__file__).parents[3]), Settings())
    work = {
        name: sorted(o.name for o in built.cluster.objects if o.kind == "AppWrapper")
        for name, built in bundle.clusters.items()
    }
    assert work == {"pokprod": ["mnist-1"], "vela": ["forecast-3", "regrid-1"]}
    assert [f.message for f in outcome.report.findings if f.severity is not Severity.INFO] == []
