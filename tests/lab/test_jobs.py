"""Work that really runs: quota waves, priority, failure, and what each component has to do with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kohort.lab.controlplane import ControlPlane
from kohort.lab.patience import stretched

pytestmark = [pytest.mark.lab, pytest.mark.slow]
WRAPPERS = "/apis/workload.codeflare.dev/v1beta2/namespaces/blue/appwrappers"
KUEUE = "kueue.x-k8s.io/v1beta2"


def job(name: str, gpus: int, seconds: str | None = None, exit_code: str = "0") -> dict[str, Any]:
    notes = {"lab/exit-code": exit_code, **({"lab/run-seconds": seconds} if seconds else {})}
    pod = {
        "restartPolicy": "Never",
        "containers": [{"name": "c", "image": "x", "resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "blue"},
        "spec": {
            "parallelism": 2,
            "completions": 2,
            "backoffLimit": 0,
            "template": {"metadata": {"annotations": notes}, "spec": pod},
        },
    }


def wrapped(name: str, gpus: int, seconds: str | None = None, priority: str | None = None) -> dict[str, Any]:
    labels = {"kueue.x-k8s.io/priority-class": priority} if priority else {}
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": name, "namespace": "blue", "labels": labels},
        "spec": {"components": [{"template": job(name, gpus, seconds)}]},
    }


def wait_for(found: Callable[[], Any], wanted: Any, seconds: float) -> None:
    end = time.monotonic() + stretched(seconds)
    while (now := found()) != wanted:
        assert time.monotonic() < end, f"after {seconds} s it is still {now}, not {wanted}"
        time.sleep(0.2)


def phases(plane: ControlPlane) -> dict[str, str]:
    items = plane.client.must("GET", WRAPPERS)["items"]
    return {each["metadata"]["name"]: each.get("status", {}).get("phase", "") for each in items}


@pytest.fixture(scope="module")
def team(cluster: ControlPlane) -> ControlPlane:
    quota = [{"name": "nvidia.com/gpu", "nominalQuota": "8"}]
    group = {"coveredResources": ["nvidia.com/gpu"], "flavors": [{"name": "any", "resources": quota}]}
    cluster.create(
        [
            {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {"name": "blue", "labels": {"team": "yes"}},
            },
            {"apiVersion": KUEUE, "kind": "ResourceFlavor", "metadata": {"name": "any"}},
            {
                "apiVersion": KUEUE,
                "kind": "ClusterQueue",
                "metadata": {"name": "blue"},
                "spec": {
                    "namespaceSelector": {},
                    "resourceGroups": [group],
                    "preemption": {"withinClusterQueue": "LowerPriority"},
                },
            },
            {
                "apiVersion": KUEUE,
                "kind": "LocalQueue",
                "metadata": {"name": "default-queue", "namespace": "blue"},
                "spec": {"clusterQueue": "blue"},
            },
            {
                "apiVersion": KUEUE,
                "kind": "WorkloadPriorityClass",
                "metadata": {"name": "high"},
                "value": 100,
            },
        ]
    )

    def active() -> str:
        status = cluster.client.must("GET", f"/apis/{KUEUE}/clusterqueues/blue").get("status", {})
        return "".join(each["status"] for each in status.get("conditions", ()) if each["type"] == "Active")

    wait_for(active, "True", 20)
    return cluster


@pytest.fixture(autouse=True)
def no_work_left(team: ControlPlane) -> Iterator[None]:
    yield
    team.client.must("DELETE", WRAPPERS)
    team.client.must(
        "DELETE", "/apis/batch/v1/namespaces/blue/jobs", parameters={"propagationPolicy": "Background"}
    )
    wait_for(lambda: phases(team), {}, 60)
    wait_for(lambda: team.client.must("GET", "/api/v1/namespaces/blue/pods")["items"], [], 60)


def test_two_jobs_take_turns_when_the_quota_is_enough_for_one(team: ControlPlane) -> None:
    team.create([wrapped("first", 4, "3s")])
    wait_for(lambda: phases(team), {"first": "Running"}, 20)
    team.create([wrapped("second", 4, "3s")])
    wait_for(lambda: phases(team), {"first": "Running", "second": "Suspended"}, 3)
    wait_for(lambda: phases(team), {"first": "Succeeded", "second": "Running"}, 30)
    wait_for(lambda: phases(team), {"first": "Succeeded", "second": "Succeeded"}, 30)
    pods = team.client.must("GET", "/api/v1/namespaces/blue/pods")["items"]
    assert [each["status"]["phase"] for each in pods] == ["Succeeded"] * 4
    assert {each["spec"]["nodeName"] for each in pods} <= {"node-0", "node-1", "node-2"}


def test_an_important_job_suspends_one_of_its_own_team(team: ControlPlane) -> None:
    team.create([wrapped("normal", 4)])
    wait_for(lambda: phases(team), {"normal": "Running"}, 20)
    team.create([wrapped("important", 4, priority="high")])
    wait_for(lambda: phases(team), {"normal": "Suspended", "important": "Running"}, 30)


def test_a_job_larger_than_the_quota_never_starts(team: ControlPlane) -> None:
    team.create([wrapped("large", 5), wrapped("small", 1)])
    wait_for(lambda: phases(team), {"large": "Suspended", "small": "Running"}, 20)
    time.sleep(2)
    assert phases(team) == {"large": "Suspended", "small": "Running"}


def test_what_waits_is_listed_in_its_order_in_the_queue(team: ControlPlane) -> None:
    """Kueue's visibility API, by way of the API server."""
    team.create([wrapped("running", 4)])
    wait_for(lambda: phases(team), {"running": "Running"}, 20)
    team.create([wrapped("normal", 2), wrapped("important", 5, priority="high")])
    path = f"/apis/visibility.{KUEUE}/namespaces/blue/localqueues/default-queue/pendingworkloads"

    def waiting() -> list[tuple[str, int, int]]:
        items = team.client.must("GET", path)["items"]
        names = ("important", "normal")
        return [
            (
                next(n for n in names if n in each["metadata"]["name"]),
                each["priority"],
                each["positionInLocalQueue"],
            )
            for each in items
        ]

    wait_for(waiting, [("important", 100, 0), ("normal", 0, 1)], 20)


def test_a_plain_job_fails_with_its_pods_exit_code(team: ControlPlane) -> None:
    work = job("failing", 1, "1s", exit_code="3")
    work["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "default-queue"}
    team.create([work])

    def failed() -> bool:
        status = team.client.must("GET", "/apis/batch/v1/namespaces/blue/jobs/failing").get("status", {})
        return any(each["type"] == "Failed" for each in status.get("conditions", ()))

    wait_for(failed, True, 30)
    pods = team.client.must("GET", "/api/v1/namespaces/blue/pods")["items"]
    codes = {
        c["state"]["terminated"]["exitCode"] for each in pods for c in each["status"]["containerStatuses"]
    }
    assert 3 in codes


def test_a_nested_appwrapper_is_refused_by_its_webhook(team: ControlPlane) -> None:
    nested = wrapped("outer", 1)
    nested["spec"]["components"].append({"template": wrapped("inner", 1)})
    answer = team.request("POST", WRAPPERS, nested)
    assert answer.code == 403
    assert "Nested AppWrappers are forbidden" in answer.body["message"]
