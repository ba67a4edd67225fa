"""Each component is killed in the middle of the demo and started again: no admitted work is lost, no quota leaks.

What is seen meanwhile is asserted too, since it is what an administrator sees.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from shipped import KUEUE, wait_for
from tutorial import PREFIX, Tutorial

from kohort.lab.controlplane import ControlPlane
from kohort.lab.failure import LabError

pytestmark = [pytest.mark.lab, pytest.mark.slow, pytest.mark.timeout(900)]
FULL = ["Running"] * 3 + ["Suspended"]
PENDING = "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/blue/pendingworkloads"


@pytest.fixture
def stage(demo: ControlPlane) -> Iterator[Tutorial]:
    """Blue uses the whole cluster with three jobs of eight GPUs, and a fourth waits."""
    tutorial = Tutorial(demo)
    tutorial.clear()
    tutorial.fill(count=3)
    tutorial.submit("blue", "waiting", 2, 4)
    wait_for(lambda: sorted(tutorial.phases("blue").values()), FULL, 30)
    wait_for(lambda: len(tutorial.nodes_of("blue")), 6, 30)
    yield tutorial
    tutorial.clear()


def picture(stage: Tutorial) -> dict[str, Any]:
    """Everything that must outlive a fault: pods by identity, admissions by time, usage."""
    workloads = stage.plane.client.must("GET", f"{KUEUE}/namespaces/blue/workloads")["items"]
    admitted = {
        each["metadata"]["name"]: condition["lastTransitionTime"]
        for each in workloads
        for condition in (each.get("status") or {}).get("conditions") or ()
        if condition["type"] == "Admitted" and condition["status"] == "True"
    }
    pods = {each["metadata"]["uid"]: each["spec"].get("nodeName") for each in stage.pods("blue")}
    return {"pods": pods, "admitted": admitted, "usage": stage.usage("blue")[:2]}


def held(stage: Tutorial) -> int:
    """GPUs of the pods that run, which no leak of quota may differ from."""
    return 4 * len([each for each in stage.pods("blue") if each["status"].get("phase") == "Running"])


def works(stage: Tutorial) -> None:
    """After the fault: what ends makes room for what waits, and usage is what runs."""
    stage.delete("blue", "normal-1")
    stage.until("blue", {"waiting": "Running"}, 60)
    wait_for(lambda: len(stage.nodes_of("blue")), 6, 30)
    wait_for(lambda: (stage.usage("blue")[0], held(stage)), (24, 24), 30)


def seen(stage: Tutorial) -> dict[str, Any] | None:
    """The picture, or None for as long as the server cannot give it."""
    try:
        return picture(stage)
    except (LabError, OSError):
        return None


def crash(plane: ControlPlane, name: str) -> None:
    plane.process(name).kill()
    assert not plane.process(name).runs


@pytest.mark.parametrize(
    "name", ["kueue", "appwrapper", "scheduler", "second-scheduler", "controllers", "kwok"]
)
def test_a_crash_loses_no_admitted_work(stage: Tutorial, name: str) -> None:
    plane = stage.plane
    if name not in plane.processes():
        pytest.skip(f"{name} does not run here")
    before = picture(stage)
    assert before["usage"] == (24, 16)
    crash(plane, name)
    stage.stays(lambda: picture(stage), before, 3)
    plane.restart(name)
    stage.stays(lambda: picture(stage), before, 8)
    works(stage)


@pytest.mark.long
def test_pods_that_came_while_kwok_was_away_run_when_it_is_back(stage: Tutorial) -> None:
    """It plays the kubelets: what is scheduled meanwhile stays Pending, and starts within seconds afterwards."""
    plane = stage.plane
    crash(plane, "kwok")
    stage.delete("blue", "normal-1")
    # Without a kubelet nobody ends the pods of the old job either.
    gone = {"gracePeriodSeconds": "0"}
    for pod in stage.pods("blue", "normal-1"):
        path = f"/api/v1/namespaces/blue/pods/{pod['metadata']['name']}"
        plane.request("DELETE", path, None, gone)
    wait_for(lambda: stage.nodes_of("blue", "waiting").count(""), 0, 30)
    wait_for(lambda: len(stage.pods("blue", "waiting")), 2, 30)
    stage.stays(lambda: {p["status"].get("phase") for p in stage.pods("blue", "waiting")}, {"Pending"}, 2)
    plane.restart("kwok")
    wait_for(lambda: {p["status"].get("phase") for p in stage.pods("blue", "waiting")}, {"Running"}, 15)
    wait_for(lambda: (stage.usage("blue")[0], held(stage)), (24, 24), 30)


@pytest.mark.long
def test_a_node_that_is_not_ready_is_so_for_longer_than_kubernetes_has_patience(stage: Tutorial) -> None:
    """A node that said nothing for 50 s would be Unknown, not NotReady."""
    name = stage.nodes_of("blue", "normal-1")[0]
    path = f"/api/v1/nodes/{name}"

    def ready() -> str:
        conditions = stage.plane.client.must("GET", path)["status"]["conditions"]
        return str(next(each["status"] for each in conditions if each["type"] == "Ready"))

    stage.plane.nodes.not_ready(name)
    try:
        stage.stays(ready, "False", 65)
    finally:
        stage.plane.nodes.ready(name)


@pytest.mark.long
def test_work_submitted_while_kueue_is_away_is_refused_and_nothing_is_admitted(stage: Tutorial) -> None:
    """Kueue's webhooks are of the failing kind: without it nobody can submit, with words that say why."""
    plane = stage.plane
    crash(plane, "kueue")
    try:
        each = {
            "apiVersion": "workload.codeflare.dev/v1beta2",
            "kind": "AppWrapper",
            "metadata": {"name": "late", "namespace": "blue"},
            "spec": {"components": []},
        }
        answer = plane.client.request("POST", stage.path("blue"), each)
        assert answer.code == 500
        assert "failed calling webhook" in answer.body["message"]
        assert plane.request("GET", PENDING).code == 503
        # What ends meanwhile keeps its quota until Kueue is back: no one is admitted twice.
        stage.delete("blue", "normal-1")
        stage.stays(lambda: stage.phases("blue")["waiting"], "Suspended", 4)
    finally:
        plane.restart("kueue")
    wait_for(lambda: plane.request("GET", PENDING).code, 200, 40)
    stage.until("blue", {"waiting": "Running"}, 60)
    wait_for(lambda: (stage.usage("blue")[0], held(stage)), (24, 24), 30)


@pytest.mark.long
def test_kueue_dies_in_the_middle_of_a_preemption(stage: Tutorial) -> None:
    plane = stage.plane
    stage.submit("blue", "important", 2, 4, priority="high-priority")
    wait_for(lambda: len(stage.preempted("blue")), 1, 15)
    crash(plane, "kueue")
    time.sleep(1)
    plane.restart("kueue")
    stage.until("blue", {"important": "Running"}, 60)
    wait_for(lambda: sorted(stage.phases("blue").values()), ["Running"] * 3 + ["Suspended"] * 2, 30)
    assert len(stage.preempted("blue")) == 1
    wait_for(lambda: (stage.usage("blue")[0], held(stage)), (24, 24), 30)


@pytest.mark.long
def test_appwrapper_dies_while_it_suspends_a_job(stage: Tutorial) -> None:
    """Kueue has already given the quota away; the pods go when AppWrapper is back, and only then others start."""
    plane = stage.plane
    crash(plane, "appwrapper")
    # Submitting needs AppWrapper's webhook, so room is asked for through a Workload that is preempted by hand.
    victim = stage.workload("blue", "normal-3")["metadata"]["name"]
    change = {"spec": {"active": False}}
    path = f"{KUEUE}/namespaces/blue/workloads/{victim}"
    plane.client.must("PATCH", path, change, content_type="application/merge-patch+json")
    time.sleep(3)
    assert held(stage) == 24
    plane.restart("appwrapper")
    stage.until("blue", {"normal-3": "Suspended", "waiting": "Running"}, 60)
    wait_for(lambda: (stage.usage("blue")[0], held(stage)), (24, 24), 30)


def test_the_api_server_crashes_and_everyone_finds_it_again(stage: Tutorial) -> None:
    plane = stage.plane
    before = picture(stage)
    crash(plane, "apiserver")
    time.sleep(3)
    plane.restart("apiserver")
    # It is ready before it has every custom kind again: "storage is (re)initializing" (429) meanwhile.
    wait_for(lambda: seen(stage), before, 30)
    stage.stays(lambda: picture(stage), before, 8)
    for name, process in plane.processes().items():
        if (
            not process.runs
        ):  # leader-less controllers end when they cannot renew; a kubelet would start them again
            plane.restart(name)
    works(stage)


@pytest.mark.long
def test_a_retry_outlives_the_crash_of_appwrapper(stage: Tutorial) -> None:
    """The count of resets is in the object, so a restart neither forgets nor repeats one."""
    plane = stage.plane
    stage.delete("blue", "normal-1")
    stage.until("blue", {"waiting": "Running"}, 60)
    stage.delete("blue", "normal-2")
    notes = {f"{PREFIX}/retryLimit": "1", f"{PREFIX}/retryPausePeriodDuration": "4s", f"{PREFIX}/failureGracePeriodDuration": "0s"}  # fmt: skip
    stage.submit("blue", "failing", 1, 1, seconds=0, exit_code=1, annotations=notes)

    def resets() -> int:
        status = plane.client.must("GET", stage.path("blue", "failing")).get("status") or {}
        return int(status.get("resettingCount", 0))

    wait_for(resets, 1, 90)
    crash(plane, "appwrapper")
    time.sleep(1)
    plane.restart("appwrapper")
    stage.until("blue", {"failing": "Failed"}, 120)
    assert resets() == 1
    wait_for(lambda: stage.usage("blue")[0], held(stage), 30)
