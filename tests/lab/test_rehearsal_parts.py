"""What a rehearsal and `apply` read and compare, without a server."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from kohort.compiler.waves import OPTIONS
from kohort.lab.applying import read
from kohort.lab.changes import changes, label, quota_lines
from kohort.lab.client import Answer
from kohort.lab.compiled import Compiled, surroundings, wave
from kohort.lab.failure import LabError
from kohort.lab.nodes import _fitted, read_nodes
from kohort.lab.organisation import checked_out, load
from kohort.lab.placeholders import placeholders
from kohort.lab.rehearsal import Result, read_workloads, summary
from kohort.lab.repository import Repository
from kohort.lab.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shipped() -> Compiled:
    return load(ROOT, "pokprod")


def state(*manifests: dict[str, Any], nodes: tuple[dict[str, Any], ...] = ()) -> Compiled:
    return Compiled("c", {}, manifests, (), nodes, "", Settings())


def thing(kind: str, name: str, options: str = "", **spec: Any) -> dict[str, Any]:
    annotations = {"annotations": {OPTIONS: options}} if options else {}
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **annotations}, "spec": spec}


def queue(gpus: str, **more: str) -> dict[str, Any]:
    resource = {"name": "v.example/gpu", "nominalQuota": gpus, **more}
    group = {"coveredResources": ["v.example/gpu"], "flavors": [{"name": "fast", "resources": [resource]}]}
    return thing("ClusterQueue", "q", resourceGroups=[group])


def test_what_the_shipped_cluster_gives_a_lab(shipped: Compiled) -> None:
    assert [each["metadata"]["name"] for each in shipped.nodes] == [f"pokprod-worker-{i}" for i in range(3)]
    waves = [wave(each) for each in shipped.manifests]
    assert waves == sorted(waves)
    assert shipped.settings.kueue["manageJobsWithoutQueueName"] is True
    assert not {"health", "webhook", "leaderElection", "namespace"} & set(shipped.settings.kueue)
    assert shipped.settings.appwrapper["schedulerName"] == "scheduler-plugins-scheduler"
    assert shipped.settings.scheduler["kind"] == "KubeSchedulerConfiguration"
    assert any(name.startswith("resource.customizations.health.") for name in shipped.settings.argo)
    assert [each["metadata"]["name"] for each in surroundings(shipped)] == [
        "appwrapper-system", "kueue-system", "scheduler-plugins",
    ]  # fmt: skip


def test_the_repositorys_address_is_replaced_in_every_file(shipped: Compiled) -> None:
    files = shipped.files_for("file:///somewhere")
    assert set(files) == set(shipped.files)
    assert not any(shipped.repository.encode() in content for content in files.values())
    assert b"repoURL: file:///somewhere" in files["clusters/pokprod/argocd/applications.yaml"]


def test_an_unknown_cluster_and_a_folder_without_repository_are_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="cluster named 'x'; there are: pokprod, vela"):
        load(ROOT, "x")
    with pytest.raises(LabError, match="which cluster\\? Choose with --cluster: pokprod, vela"):
        load(ROOT)
    with pytest.raises(LabError, match="is not a Kohort repository"):
        load(tmp_path)


def test_changes_are_applied_removed_and_kept_as_their_options_say() -> None:
    base = state(thing("A", "same"), thing("B", "gone"), thing("C", "held", "X=y,Prune=false"), queue("8"))
    head = state(thing("A", "same"), thing("D", "new"), queue("4"))
    found = changes(base, head)
    assert [label(each) for each in found.applied] == ["D new", "ClusterQueue q"]
    assert [label(each) for each in found.removed] == ["B gone"]
    assert [label(each) for each in found.kept] == ["C held"]
    assert not found.none
    assert changes(base, base).none


def test_nodes_come_change_and_go() -> None:
    old = state(nodes=(thing("Node", "a"), thing("Node", "b", x=1)))
    new = state(nodes=(thing("Node", "b", x=2), thing("Node", "c")))
    found = changes(old, new)
    assert found.lost_nodes == ("a",)
    assert [each["metadata"]["name"] for each in found.changed_nodes] == ["b"]
    assert [each["metadata"]["name"] for each in found.added_nodes] == ["c"]


def test_quota_is_told_by_flavor_and_resource() -> None:
    assert quota_lines(queue("8"), queue("4", lendingLimit="2")) == [
        "fast v.example/gpu lendingLimit: unset → 2",
        "fast v.example/gpu nominalQuota: 8 → 4",
    ]
    assert quota_lines(None, queue("4")) == ["fast v.example/gpu nominalQuota: unset → 4"]
    assert quota_lines(queue("8"), queue("8")) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no workloads"),
        ("a: [", "cannot read"),
        ("just text", "document 1 of .* is no Kubernetes object with a name"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}", "document 1 of .* no Kubernetes object"),
        (
            "apiVersion: v1\nkind: Pod\nmetadata: {name: x, annotations: {lab/start-after: soon}}",
            "Pod x: annotation lab/start-after is 'soon'; write seconds",
        ),
    ],
)
def test_a_bad_workloads_file_is_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "work.yaml"
    path.write_text(text)
    with pytest.raises(LabError, match=message):
        read_workloads(path)


def test_a_file_that_is_no_text_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "work.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LabError, match="cannot read"):
        read(path)
    with pytest.raises(LabError, match="cannot read nodes"):
        read_nodes(path)


def test_folders_are_read_in_order_of_name(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("apiVersion: v1\nkind: B\nmetadata: {name: b}")
    (tmp_path / "a.yml").write_text("---\n---\napiVersion: v1\nkind: A\nmetadata: {name: a}")
    (tmp_path / "note.txt").write_text("no manifest")
    assert [each["kind"] for each in read(tmp_path)] == ["A", "B"]


def test_base_and_head_may_be_folders_or_commits(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    first = repository.commit({"kohort.yaml": "one", "old": "x"})
    repository.commit({"kohort.yaml": "two", "old": None})
    with checked_out(first, repository.folder) as then, checked_out("main", repository.folder) as now:
        assert ((then / "kohort.yaml").read_text(), (now / "kohort.yaml").read_text()) == ("one", "two")
        assert not (now / "old").exists()
    with checked_out(str(tmp_path), repository.folder) as folder:
        assert folder == tmp_path
    for wrong, message in (
        ("nowhere", "neither a folder nor a commit of"),
        ("--output=x", "neither a folder nor"),
    ):
        with pytest.raises(LabError, match=message), checked_out(wrong, repository.folder):
            pass


def test_a_commit_of_the_users_hooks_and_names_stays_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    repository = Repository(tmp_path / "repo")
    commit = repository.commit({"a/b": b"x"})
    monkeypatch.delenv("GIT_DIR")
    shown = subprocess.run(
        ["git", "-C", repository.folder, "log", "-1", "--format=%H %an"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.strip() == f"{commit} Kohort lab"


def test_a_listed_node_is_fitted_for_creation() -> None:
    listed = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n", "uid": "u", "resourceVersion": "7", "labels": {"a": "b"}},
        "spec": {
            "podCIDR": "10.0.0.0/24",
            "providerID": "x",
            "unschedulable": True,
            "taints": [{"key": "own", "effect": "NoSchedule"}, {"key": "node.kubernetes.io/unschedulable"}],
        },
        "status": {
            "capacity": {"cpu": "4"},
            "allocatable": {"cpu": "3", "pods": "50"},
            "conditions": [{"type": "Ready", "status": "False"}],
            "images": [],
        },
    }
    node, ready = _fitted(listed)
    assert not ready
    assert node["metadata"] == {"name": "n", "labels": {"a": "b"}}
    assert node["spec"] == {"taints": [{"key": "own", "effect": "NoSchedule"}], "unschedulable": True}
    assert node["status"] == {
        "capacity": {"cpu": "4", "pods": "110"},
        "allocatable": {"cpu": "3", "pods": "50"},
    }


def test_nodes_are_read_from_a_listing(tmp_path: Path) -> None:
    path = tmp_path / "nodes.yaml"
    path.write_text(
        "kind: List\nitems: [{kind: Node, metadata: {name: a}}]\n---\nkind: Node\nmetadata: {name: b}"
    )
    assert [each["metadata"]["name"] for each in read_nodes(path)] == ["a", "b"]
    path.write_text("kind: List\nitems: [{kind: Pod, metadata: {name: a}}]")
    with pytest.raises(LabError, match="holds something that is no Node"):
        read_nodes(path)


def test_the_summary_names_what_was_lost_and_what_started() -> None:
    result = Result(
        before={"a": "running", "b": "running", "c": "waiting"},
        after={"a": "running", "b": "suspended", "c": "running"},
        suspended={"b": "for c (InCohortReclamation)"},
        started=("c",),
        refused=("cannot apply Cohort x: 422 no",),
    )
    assert summary(result) == [
        "refused: cannot apply Cohort x: 422 no",
        "b lost its quota: for c (InCohortReclamation)",
        "c runs now",
        "1 of 2 that ran still run; 0 wait",
    ]


class Knows:
    """A server that knows Jobs and AppWrappers."""

    def request(self, method: str, path: str) -> Answer:
        found = {"/apis/batch/v1": ["Job"], "/apis/workload.codeflare.dev/v1beta2": ["AppWrapper"]}.get(path)
        body = {"resources": [{"kind": kind} for kind in found or ()]}
        return Answer(200 if found else 404, body)


def test_kinds_without_an_operator_get_a_definition_that_takes_any_field() -> None:
    def of(version: str, kind: str, **spec: Any) -> dict[str, Any]:
        return {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": spec}

    wrapped = [
        {"template": of("kubeflow.org/v1", "PyTorchJob")},
        {"template": of("batch/v1", "Job")},
        {},
        None,
    ]
    manifests = [
        of("workload.codeflare.dev/v1beta2", "AppWrapper", components=wrapped),
        of("v1", "Pod"),
        of("ray.io/v1", "RayJob"),
        of("ray.io/v1alpha1", "RayJob", components="odd"),
    ]
    made = {each["metadata"]["name"]: each["spec"] for each in placeholders(Knows(), manifests)}  # type: ignore[arg-type]
    assert list(made) == ["pytorchjobs.kubeflow.org", "rayjobs.ray.io"]
    assert made["rayjobs.ray.io"]["names"]["listKind"] == "RayJobList"
    versions = [(each["name"], each["storage"]) for each in made["rayjobs.ray.io"]["versions"]]
    assert versions == [("v1", True), ("v1alpha1", False)]
