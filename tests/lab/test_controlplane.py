"""The real server: it is the right one, roles are in force, it leaves nothing behind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kohort.lab import kueue
from kohort.lab.build import module_folder
from kohort.lab.client import Client
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError

pytestmark = pytest.mark.lab


def test_it_is_kubernetes_1_36_with_every_kind_of_kueue(plane: ControlPlane) -> None:
    assert plane.client.must("GET", "/version")["gitVersion"] == "v1.36.2"
    kinds = {each["kind"] for each in plane.client.must("GET", "/apis/kueue.x-k8s.io/v1beta2")["resources"]}
    assert {"ClusterQueue", "Cohort", "LocalQueue", "Workload", "Topology", "MultiKueueConfig"} <= kinds


def test_the_manager_has_only_its_own_rights(plane: ControlPlane) -> None:
    client = plane.client_of("kueue")
    try:
        assert client.request("GET", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues").code == 200
        refused = client.request("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}})
    finally:
        client.close()
    assert refused.code == 403
    assert "kueue-controller-manager" in refused.body["message"]


def test_a_stranger_is_turned_away(plane: ControlPlane) -> None:
    client = Client(plane.port("apiserver"), plane.authority.own.certificate, "no-token", plane.network)
    try:
        assert client.request("GET", "/api/v1/namespaces").code == 401
    finally:
        client.close()


def test_the_webhook_judges_and_conversion_works(plane: ControlPlane) -> None:
    queue = {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "ClusterQueue",
        "metadata": {"name": "q"},
        "spec": {"cohort": "all", "admissionChecks": ["c"]},
    }
    plane.client.must("POST", "/apis/kueue.x-k8s.io/v1beta1/clusterqueues", queue)
    new = plane.client.must("GET", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/q")
    assert new["spec"]["cohortName"] == "all"
    assert new["spec"]["admissionChecksStrategy"] == {"admissionChecks": [{"name": "c"}]}
    assert new["metadata"]["finalizers"] == ["kueue.x-k8s.io/resource-in-use"]
    plane.client.must("DELETE", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/q")


def test_a_refusal_carries_the_servers_message(plane: ControlPlane) -> None:
    with pytest.raises(
        LabError, match=r"GET /api/v1/namespaces/nowhere: 404 namespaces \"nowhere\" not found"
    ):
        plane.client.must("GET", "/api/v1/namespaces/nowhere")


def test_everything_ends_with_the_block_and_the_folder_goes(programs: None) -> None:
    with ControlPlane(["etcd"]) as small:
        process = small.process("etcd")
        folder = small.folder
        assert Path(f"/proc/{process.pid}").exists()
        assert list(small.seconds) == ["etcd"]
    assert not Path(f"/proc/{process.pid}").exists()
    assert not folder.exists()


def test_a_failure_inside_the_block_keeps_the_logs_and_names_them(programs: None) -> None:
    with pytest.raises(ZeroDivisionError) as caught, ControlPlane(["etcd"]) as small:
        _ = 1 / 0
    assert caught.value.__notes__ == [f"logs of the lab: {small.folder}"]
    assert [each.name for each in small.folder.iterdir()] == ["etcd.log"]
    (small.folder / "etcd.log").unlink()
    small.folder.rmdir()


def test_a_wrong_configuration_ends_the_start_with_kueues_own_words(programs: None) -> None:
    with pytest.raises(LabError) as caught:
        ControlPlane(kueue_configuration={"fairSharing": {}}).__enter__()
    logs = Path(caught.value.__notes__[0].removeprefix("logs of the lab: "))
    assert {each.name for each in logs.iterdir()} == {"etcd.log", "apiserver.log", "kueue.log"}
    shutil.rmtree(logs)
    assert "kueue ended with code 1 at start" in str(caught.value)
    assert "preemptionStrategies: Required value: must be specified" in str(caught.value)


def test_manifests_are_read_from_the_module(programs: None) -> None:
    module = module_folder("kueue", "sigs.k8s.io/kueue")
    assert module.name == "kueue@v0.19.1"
    found = {each["metadata"]["name"]: each for each in kueue.definitions(module, 4321, "Q0E=")}
    assert len(found) == 11
    client = found["cohorts.kueue.x-k8s.io"]["spec"]["conversion"]["webhook"]["clientConfig"]
    assert client == {
        "caBundle": "Q0E=",
        "service": {
            "name": "kueue-webhook-service",
            "namespace": "kueue-system",
            "path": "/convert",
            "port": 4321,
        },
    }
    assert "conversion" not in found["topologies.kueue.x-k8s.io"]["spec"]
    hooks = [hook for each in kueue.webhooks(module, 4321, "Q0E=") for hook in each["webhooks"]]
    assert {hook["clientConfig"]["service"]["port"] for hook in hooks} == {4321}
    assert {hook["name"] for hook in hooks if "namespaceSelector" not in hook} == {
        "mclusterqueue.kb.io", "vclusterqueue.kb.io", "vcohort.kb.io",
        "mresourceflavor.kb.io", "vresourceflavor.kb.io", "mworkload.kb.io", "vworkload.kb.io",
    }  # fmt: skip
