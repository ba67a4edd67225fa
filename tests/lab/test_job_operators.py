"""The optional operators: a JobSet and a TrainJob that name a queue get a Workload of Kueue, and run when it is admitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from shipped import KUEUE, Object, wait_for

from kohort.lab.controlplane import ControlPlane
from kohort.lab.kwok import node

pytestmark = [pytest.mark.lab, pytest.mark.long]
API = "kueue.x-k8s.io/v1beta2"
GPU = "nvidia.com/gpu"
QUEUE = {"kueue.x-k8s.io/queue-name": "queue"}
JOBSETS = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets"
TRAINJOBS = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs"
PODS = "/api/v1/namespaces/default/pods"


@pytest.fixture(scope="module")
def lab(need: Callable[..., None]) -> Iterator[ControlPlane]:
    """Two nodes and a queue of eight GPUs each."""
    need("etcd", "kubernetes", "kueue", "kwok", "jobset", "trainer")
    with ControlPlane(("operators", "controllers", "scheduler", "kueue", "kwok")) as running:
        capacity = {"cpu": "64", "memory": "512Gi", GPU: "8"}
        running.nodes.add(node(f"node-{number}", capacity) for number in range(2))
        quota = {"name": GPU, "nominalQuota": "8"}
        group = {"coveredResources": [GPU], "flavors": [{"name": "any", "resources": [quota]}]}
        running.create(
            [
                {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": "any"}},
                {
                    "apiVersion": API,
                    "kind": "ClusterQueue",
                    "metadata": {"name": "all"},
                    "spec": {"namespaceSelector": {}, "resourceGroups": [group]},
                },
                {
                    "apiVersion": API,
                    "kind": "LocalQueue",
                    "metadata": {"name": "queue", "namespace": "default"},
                    "spec": {"clusterQueue": "all"},
                },
            ]
        )
        yield running


@pytest.fixture(autouse=True)
def empty(lab: ControlPlane) -> Iterator[None]:
    yield
    for path in (TRAINJOBS, JOBSETS):
        lab.client.must("DELETE", path, parameters={"propagationPolicy": "Background"})
    wait_for(lambda: lab.client.must("GET", PODS)["items"], [], 60)
    wait_for(lambda: workloads(lab), {}, 30)


def workloads(lab: ControlPlane) -> dict[str, dict[str, Any]]:
    """What Kueue counts for each owner: admitted or not, and pods and GPUs of each pod set."""
    found = {}
    for each in lab.client.must("GET", f"{KUEUE}/namespaces/default/workloads")["items"]:
        owner = each["metadata"]["ownerReferences"][0]
        conditions = {c["type"]: c["status"] for c in (each.get("status") or {}).get("conditions") or ()}
        sets = {}
        for pods in each["spec"]["podSets"]:
            (container,) = pods["template"]["spec"]["containers"]
            sets[pods["name"]] = (pods["count"], container["resources"]["requests"][GPU])
        found[f"{owner['kind']} {owner['name']}"] = {
            "admitted": conditions.get("Admitted") == "True",
            "sets": sets,
        }
    return found


def running(lab: ControlPlane) -> list[str]:
    """Node of each pod that runs."""
    items = lab.client.must("GET", PODS)["items"]
    return sorted(each["spec"]["nodeName"] for each in items if each["status"].get("phase") == "Running")


def container(gpus: int) -> Object:
    amount = {GPU: str(gpus)}
    return {
        "name": "work",
        "image": "lab.invalid/work:1",
        "resources": {"requests": amount, "limits": amount},
    }


def jobset(name: str, gpus: int) -> Object:
    """Two groups of two pods."""
    job = {
        "parallelism": 2,
        "completions": 2,
        "template": {"spec": {"restartPolicy": "Never", "containers": [container(gpus)]}},
    }
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": name, "namespace": "default", "labels": QUEUE},
        "spec": {"replicatedJobs": [{"name": "workers", "replicas": 2, "template": {"spec": job}}]},
    }


def test_a_jobset_runs_when_its_workload_is_admitted(lab: ControlPlane) -> None:
    lab.create([jobset("first", 2)])
    wait_for(lambda: len(running(lab)), 4, 60)
    assert workloads(lab) == {"JobSet first": {"admitted": True, "sets": {"workers": (4, "2")}}}
    lab.create([jobset("second", 2)])
    wait_for(lambda: workloads(lab).get("JobSet second", {}).get("admitted"), False, 20)
    assert lab.client.must("GET", f"{JOBSETS}/second")["spec"]["suspend"] is True
    assert len(running(lab)) == 4
    lab.client.must("DELETE", f"{JOBSETS}/first", parameters={"propagationPolicy": "Background"})
    wait_for(lambda: workloads(lab).get("JobSet second", {}).get("admitted"), True, 30)
    wait_for(lambda: len(running(lab)), 4, 30)


def test_a_trainjob_runs_when_its_workload_is_admitted(lab: ControlPlane) -> None:
    """Its pods come from a JobSet that Trainer makes; Kueue counts them once, for the TrainJob."""
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "train", "namespace": "default", "labels": QUEUE},
        "spec": {
            "runtimeRef": {"name": "torch-distributed"},
            "trainer": {"numNodes": 2, "resourcesPerNode": {"requests": {GPU: "4"}, "limits": {GPU: "4"}}},
        },
    }
    # For some seconds after its start the webhook does not know the runtime yet.
    wait_for(lambda: lab.request("POST", TRAINJOBS, job, {"dryRun": "All"}).body.get("message"), None, 60)
    lab.create([job])
    wait_for(lambda: len(running(lab)), 2, 60)
    assert workloads(lab) == {"TrainJob train": {"admitted": True, "sets": {"node": (2, "4")}}}
    (pod, _) = lab.client.must("GET", PODS)["items"]
    names = {each["name"] for each in pod["spec"]["containers"][0]["env"]}
    assert {"PET_NNODES", "PET_NODE_RANK", "PET_MASTER_ADDR"} <= names
