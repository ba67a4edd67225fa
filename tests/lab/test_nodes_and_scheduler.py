"""Fake nodes and what happens to them; the second scheduler packs and holds gangs together."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from smaller_gang import lower

from kohort.lab.apply import Applier
from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError
from kohort.lab.kwok import node
from kohort.lab.organisation import load
from kohort.lab.patience import stretched
from kohort.lab.work import pods

pytestmark = [pytest.mark.lab, pytest.mark.slow]
GPU = "nvidia.com/gpu"
ROOT = Path(__file__).parents[2]
PODS = "/api/v1/namespaces/default/pods"
JOBS = "/apis/batch/v1/namespaces/default/jobs"
SECOND = "scheduler-plugins-scheduler"


@pytest.fixture(scope="module")
def lab(need: Callable[..., None]) -> Iterator[ControlPlane]:
    need("etcd", "kubernetes", "kwok", "schedulerplugins")
    compiled = load(ROOT, "pokprod")
    parts = ("controllers", "scheduler", "second-scheduler", "kwok")
    with ControlPlane(parts, settings=compiled.settings) as running:
        running.nodes.add(compiled.nodes)
        yield running


@pytest.fixture(autouse=True)
def empty(lab: ControlPlane) -> Iterator[None]:
    yield
    lab.client.must("DELETE", JOBS, parameters={"propagationPolicy": "Background"})
    lab.client.must("DELETE", PODS)
    wait(lambda: not lab.client.must("GET", PODS)["items"], 60)


def wait(holds: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + stretched(seconds)
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def run(lab: ControlPlane, name: str, count: int, gpus: int, **options: Any) -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": "default"}}
    lab.create([{**job, "spec": pods(count, {"cpu": "1", GPU: str(gpus)}, **options)}])


def bound(lab: ControlPlane) -> list[str]:
    items = lab.client.must("GET", PODS)["items"]
    return [each["spec"]["nodeName"] for each in items if each["spec"].get("nodeName")]


def test_the_inventorys_nodes_stand_as_declared(lab: ControlPlane) -> None:
    items = lab.client.must("GET", "/api/v1/nodes")["items"]
    assert [each["metadata"]["name"] for each in items] == [f"pokprod-worker-{i}" for i in range(3)]
    for each in items:
        assert each["status"]["allocatable"] == {
            "cpu": "216", "memory": "2046302424Ki", GPU: "8", "pods": "200",
        }  # fmt: skip
        assert each["metadata"]["labels"]["autopilot.ibm.com/gpuhealth"] == "PASS"


def test_small_pods_are_packed_onto_one_node(lab: ControlPlane) -> None:
    for number in range(8):
        run(lab, f"small-{number}", 1, 1, scheduler=SECOND)
    assert wait(lambda: len(bound(lab)) == 8, 60)
    assert list(Counter(bound(lab)).values()) == [8]


def test_a_gang_starts_whole_or_not_at_all(lab: ControlPlane) -> None:
    group = {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "PodGroup",
        "metadata": {"name": "gang", "namespace": "default"},
        "spec": {"minMember": 4},
    }
    lab.create([group])
    run(lab, "gang", 4, 8, scheduler=SECOND, labels={"scheduling.x-k8s.io/pod-group": "gang"})
    assert wait(lambda: len(lab.client.must("GET", PODS)["items"]) == 4, 30)
    time.sleep(4)
    assert bound(lab) == []
    lower(lab.client, Applier(lab.client).path(group), 3, lambda: len(bound(lab)) == 3, 30)


def test_pods_end_as_their_annotations_say(lab: ControlPlane) -> None:
    run(lab, "good", 1, 1, seconds=1)
    run(lab, "bad", 1, 1, seconds=1, exit_code=3)

    def phases() -> dict[str, str]:
        items = lab.client.must("GET", PODS)["items"]
        return {each["metadata"]["labels"]["job-name"]: each["status"]["phase"] for each in items}

    assert wait(lambda: phases() == {"good": "Succeeded", "bad": "Failed"}, 40), phases()


def test_a_cordoned_node_gets_no_pods_and_keeps_its_own(lab: ControlPlane) -> None:
    run(lab, "before", 1, 8, scheduler=SECOND)
    assert wait(lambda: len(bound(lab)) == 1, 30)
    name = bound(lab)[0]
    lab.nodes.cordon(name)
    run(lab, "after", 3, 8, scheduler=SECOND)
    assert wait(lambda: len(bound(lab)) == 3, 30)
    time.sleep(2)
    assert len(bound(lab)) == 3
    assert Counter(bound(lab))[name] == 1
    lab.nodes.uncordon(name)


def test_a_node_that_is_not_ready_is_tainted_until_it_is_ready(lab: ControlPlane) -> None:
    name = "pokprod-worker-1"
    lab.nodes.not_ready(name)

    def taints() -> set[str]:
        spec = lab.client.must("GET", f"/api/v1/nodes/{name}")["spec"]
        return {f"{each['key']}:{each['effect']}" for each in spec.get("taints", ())}

    assert wait(lambda: "node.kubernetes.io/not-ready:NoSchedule" in taints(), 30)
    time.sleep(2)  # kwok must leave it alone
    assert "node.kubernetes.io/not-ready:NoSchedule" in taints()
    lab.nodes.ready(name)
    assert taints() == set()


def test_a_lost_device_is_no_longer_allocatable(lab: ControlPlane) -> None:
    name = "pokprod-worker-2"
    lab.nodes.lose_device(name, GPU, 3)
    status = lab.client.must("GET", f"/api/v1/nodes/{name}")["status"]
    assert (status["capacity"][GPU], status["allocatable"][GPU]) == ("8", "5")
    with pytest.raises(LabError, match=f"node {name} has 5 of {GPU}, so it cannot lose 6"):
        lab.nodes.lose_device(name, GPU, 6)
    lab.nodes.change(load(ROOT, "pokprod").nodes[2])
    assert lab.client.must("GET", f"/api/v1/nodes/{name}")["status"]["allocatable"][GPU] == "8"


def test_nodes_come_labelled_and_go(lab: ControlPlane) -> None:
    assert lab.nodes.add([node("extra", {"cpu": "1"}, {"zone": "a"})]) == ["extra"]
    lab.nodes.label("extra", "zone", "b")
    lab.nodes.label("extra", "kubernetes.io/hostname", None)
    labels = lab.client.must("GET", "/api/v1/nodes/extra")["metadata"]["labels"]
    assert labels["zone"] == "b"
    assert "kubernetes.io/hostname" not in labels
    with pytest.raises(LabError, match=r'nodes "extra" already exists'):
        lab.nodes.add([node("extra", {"cpu": "1"})])
    lab.nodes.delete("extra")
    assert "extra" not in lab.nodes.names()


def test_a_restarted_server_still_knows_everything(lab: ControlPlane) -> None:
    before = lab.nodes.names()
    lab.process("apiserver").kill()
    assert not lab.process("apiserver").runs
    assert lab.restart("apiserver") < 60
    assert lab.nodes.names() == before
    with pytest.raises(LabError, match="no process named 'kueue'; there are etcd, apiserver"):
        lab.restart("kueue")
