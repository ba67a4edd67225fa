"""Each emitted admission policy on a real server: what it refuses, with which words, and what must pass."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from shipped import ROOT, Object, Standing, built, manifests

from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.lab.apply import Applier
from kohort.lab.client import Answer
from kohort.policy.ask import Violation, ask
from kohort.policy.cel import Evaluator
from kohort.source.tree import WorkDir

pytestmark = [pytest.mark.lab, pytest.mark.slow]
QUEUE = "kueue.x-k8s.io/queue-name"
NAME_A_QUEUE = f"name a queue: set the label {QUEUE} to a LocalQueue of this namespace"
SCHEDULER = "scheduler-plugins-scheduler"
NAME_THE_SCHEDULER = (
    f"pods with accelerators must name the scheduler {SCHEDULER}: two schedulers on the same nodes"
)
WRAP_ONLY = "an AppWrapper may wrap only Pod, Service, apps/Deployment, apps/StatefulSet, batch/Job, "
GPU = "nvidia.com/gpu"
# Managed as a team's namespace is, but without a LocalQueue `default`, which Kueue would put on every job itself.
BARE, UNMANAGED = "bare", "outside"


@pytest.fixture(scope="module")
def ruled(organisation: Standing) -> Iterator[Standing]:
    """Two namespaces to try in, when the server has loaded every policy."""
    plane = organisation.plane
    made = {BARE: {"kohort.dev/managed": "true"}, UNMANAGED: {}}
    for name, labels in made.items():
        plane.create(
            [
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}},
                {
                    "apiVersion": "v1",
                    "kind": "ServiceAccount",
                    "metadata": {"name": "default", "namespace": name},
                },
            ]
        )
    end = time.monotonic() + 60
    waiting = [job(), pod(limits={GPU: "1"})] if organisation.cluster == "vela" else [pod(limits={GPU: "1"})]
    waiting.append(wrapper({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}))
    while any(offer(organisation, each).ok for each in waiting):
        assert time.monotonic() < end, "the policies were not in force after 60 s"
        time.sleep(0.5)
    yield organisation
    for name in made:
        plane.client.must("DELETE", f"/api/v1/namespaces/{name}")


def offer(at: Standing, each: Object, namespace: str = BARE, **who: Any) -> Answer:
    """Offer an object for creation; nothing is stored."""
    placed = {**each, "metadata": {**each["metadata"], "namespace": namespace}}
    collection = Applier(at.plane.client).collection(placed)
    return at.plane.client.request("POST", collection, placed, {"dryRun": "All"}, **who)


def said(answer: Answer) -> str:
    return str(answer.body.get("message", "")) if isinstance(answer.body, dict) else str(answer.body)


def refused(answer: Answer, policy: str, words: str) -> None:
    assert (answer.code, answer.ok) == (422, False), said(answer)
    assert f"ValidatingAdmissionPolicy '{policy}' with binding '{policy}' denied request" in said(answer)
    assert words in said(answer)


def pod(limits: Object | None = None, **spec: Any) -> Object:
    container = {"name": "c", "image": "x", **({"resources": {"limits": limits}} if limits else {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": [container], **spec},
    }


def job(**meta: Any) -> Object:
    template = {"spec": {"containers": [{"name": "c", "image": "x"}], "restartPolicy": "Never"}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j", **meta},
        "spec": {"template": template},
    }


def wrapper(*wrapped: Object, **meta: Any) -> Object:
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "w", **meta},
        "spec": {"components": [{"template": each} for each in wrapped]},
    }


_TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "x"}], "restartPolicy": "Never"}}
_REPLICA = {"replicas": 1, "template": _TEMPLATE}
WORK: dict[str, Object] = {
    "jobs": job(),
    "jobsets": {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "j"},
        "spec": {
            "replicatedJobs": [{"name": "r", "replicas": 1, "template": {"spec": {"template": _TEMPLATE}}}]
        },
    },
    "pytorchjobs": {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "j"},
        "spec": {"pytorchReplicaSpecs": {"Master": _REPLICA}},
    },
    "rayclusters": {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": "j"},
        "spec": {"headGroupSpec": {"rayStartParams": {}, "template": _TEMPLATE}},
    },
    "rayjobs": {
        "apiVersion": "ray.io/v1",
        "kind": "RayJob",
        "metadata": {"name": "j"},
        "spec": {
            "shutdownAfterJobFinishes": True,
            "entrypoint": "true",
            "rayClusterSpec": {"headGroupSpec": {"rayStartParams": {}, "template": _TEMPLATE}},
        },
    },
    "appwrappers": wrapper(job()),
}


def labelled(each: Object, value: str) -> Object:
    found = copy.deepcopy(each)
    found["metadata"]["labels"] = {QUEUE: value}
    return found


def owned(each: Object, *, controller: bool) -> Object:
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "1", "controller": controller}
    found = copy.deepcopy(each)
    found["metadata"]["ownerReferences"] = [owner]
    return found


def ruled_kinds(at: Standing) -> list[str]:
    """Resources that the compiled policy on queue names covers."""
    (policy,) = (
        each
        for each in manifests(at.cluster)
        if each["kind"] == "ValidatingAdmissionPolicy"
        and each["metadata"]["name"] == "kohort-require-queue-name"
    )
    rules = policy["spec"]["matchConstraints"]["resourceRules"]
    return sorted(name for rule in rules for name in rule["resources"])


def test_work_must_name_a_queue(ruled: Standing) -> None:
    covered = ruled_kinds(ruled)
    assert set(covered) == set(WORK) - (set() if ruled.cluster == "vela" else {"jobs"})
    for name in covered:
        each = WORK[name]
        if name == "appwrappers":  # AppWrapper's own webhook names the default queue before the policies look
            assert offer(ruled, each).ok
            continue
        refused(offer(ruled, each), "kohort-require-queue-name", NAME_A_QUEUE)
        refused(offer(ruled, owned(each, controller=False)), "kohort-require-queue-name", NAME_A_QUEUE)
        for passing in (labelled(each, "some-queue"), owned(each, controller=True)):
            assert "kohort-require-queue-name" not in said(offer(ruled, passing)), name
            assert offer(ruled, passing).ok, said(offer(ruled, passing))
        answer = offer(ruled, labelled(each, ""))
        assert not answer.ok
        assert NAME_A_QUEUE in said(answer)
        assert "kohort-require-queue-name" not in said(offer(ruled, each, UNMANAGED)), name


def test_a_default_queue_is_a_name_too(ruled: Standing) -> None:
    """Where a LocalQueue `default` exists Kueue writes its name, and nobody has to."""
    place = {"pokprod": "blue", "vela": "climate"}[ruled.cluster]
    for name in ruled_kinds(ruled):
        answer = offer(ruled, WORK[name], place)
        assert answer.ok, said(answer)
        assert answer.body["metadata"]["labels"][QUEUE] == "default"


def test_kinds_outside_the_queue_are_not_asked_for_one(ruled: Standing) -> None:
    if (
        ruled.cluster == "pokprod"
    ):  # batch/job is no framework there; members cannot create Jobs (test_access)
        assert offer(ruled, job()).ok
    assert offer(ruled, pod()).ok
    deployment: Object = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d"},
        "spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {"containers": [{"name": "c", "image": "x"}]},
            },
        },
    }
    assert offer(ruled, deployment).ok


def component(api_version: str, kind: str) -> Object:
    known = {(each["apiVersion"], each["kind"]): each for each in (*WORK.values(), pod())}
    return copy.deepcopy(
        known.get((api_version, kind), {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}})
    )


PODS_OF: Sequence[tuple[str, str]] = (
    ("batch/v1", "Job"),
    ("v1", "Pod"),
    ("kubeflow.org/v1", "PyTorchJob"),
    ("ray.io/v1", "RayCluster"),
    ("ray.io/v1", "RayJob"),
    ("jobset.x-k8s.io/v1alpha2", "JobSet"),
)
BESIDE: Sequence[tuple[str, str]] = (("v1", "Service"), ("scheduling.x-k8s.io/v1alpha1", "PodGroup"))
NEVER: Sequence[tuple[str, str]] = (
    ("v1", "Secret"),
    ("v1", "ConfigMap"),
    ("v1", "ServiceAccount"),
    ("v1", "Namespace"),
    ("v1", "PersistentVolumeClaim"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
    ("batch/v1", "CronJob"),
    ("apps/v1", "DaemonSet"),
    ("kubeflow.org/v2beta1", "MPIJob"),
    ("kueue.x-k8s.io/v1beta2", "LocalQueue"),
    ("batchx/v1", "Job"),
    ("v1", "Job"),
    ("apps/v1", "Pod"),
)


def test_an_appwrapper_may_wrap_only_what_its_controller_may_create(ruled: Standing) -> None:
    for each in PODS_OF:
        answer = offer(ruled, wrapper(component(*each)))
        assert answer.ok, f"{each}: {said(answer)}"
    for each in BESIDE:
        answer = offer(ruled, wrapper(component("batch/v1", "Job"), component(*each)))
        assert answer.ok, f"{each}: {said(answer)}"
    for each in NEVER:
        for wrapped in (wrapper(component("batch/v1", "Job"), component(*each)),):
            refused(offer(ruled, wrapped), "kohort-permit-wrapped-kinds", WRAP_ONLY)
    secret = component("v1", "Secret")
    assert offer(ruled, wrapper(component("batch/v1", "Job"), secret), UNMANAGED).ok


def devices(cluster: str) -> list[str]:
    """What counts accelerators on the cluster, as its nodes have it."""
    found = {
        name
        for each in built(cluster).cluster.nodes
        for name in each.allocatable
        if name.startswith("nvidia.com/") and name != "nvidia.com/roce_gdr"
    }
    return sorted(found)


def test_pods_with_accelerators_must_name_the_scheduler(ruled: Standing) -> None:
    policy = "kohort-require-scheduler"
    found = devices(ruled.cluster)
    assert found == ([GPU] if ruled.cluster == "pokprod" else ["nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "nvidia.com/mig-3g.40gb"])  # fmt: skip
    for name in found:
        asking = pod(limits={name: "1"})
        refused(offer(ruled, asking), policy, NAME_THE_SCHEDULER)
        for scheduler in ("default-scheduler", "other"):
            refused(
                offer(ruled, pod(limits={name: "1"}, schedulerName=scheduler)), policy, NAME_THE_SCHEDULER
            )
        assert offer(ruled, pod(limits={name: "1"}, schedulerName=SCHEDULER)).ok
        assert policy not in said(offer(ruled, asking, UNMANAGED))
        # An owner changes nothing here: a controller's pods take a device as any other pod does.
        refused(offer(ruled, owned(asking, controller=True)), policy, NAME_THE_SCHEDULER)
        refused(offer(ruled, asking, **_as("system:serviceaccount:kube-system:job-controller")), policy, NAME_THE_SCHEDULER)  # fmt: skip
    limits = {"resources": {"limits": {GPU: "1"}}}
    first = pod(initContainers=[{"name": "i", "image": "x", **limits}])
    refused(offer(ruled, first), policy, NAME_THE_SCHEDULER)
    second = pod()
    second["spec"]["containers"].append({"name": "d", "image": "x", **limits})
    refused(offer(ruled, second), policy, NAME_THE_SCHEDULER)


def _as(user: str) -> dict[str, Any]:
    return {"impersonate": user, "groups": ["system:masters", "system:authenticated"]}


def test_pods_without_accelerators_may_go_anywhere(ruled: Standing) -> None:
    for each in (
        pod(),
        pod(limits={"cpu": "1", "memory": "1Gi"}),
        pod(schedulerName="default-scheduler"),
        pod(schedulerName=SCHEDULER),
        pod(limits={"nvidia.com/roce_gdr": "1"}),
    ):
        answer = offer(ruled, each)
        assert answer.ok, said(answer)


def test_system_namespaces_are_left_alone(ruled: Standing) -> None:
    """What runs in namespaces that no team owns passes every policy."""
    plane = ruled.plane
    for namespace in ("kube-system", "kueue-system", "default"):
        plane.create([{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": namespace}}])  # fmt: skip
        for each in (pod(limits={GPU: "1"}), job()):
            answer = offer(ruled, each, namespace)
            assert answer.ok, said(answer)


RETRIES = "workload.codeflare.dev.appwrapper/retryLimit"


def retried(limit: str | None) -> Object:
    """An AppWrapper that may be retried so often; without the annotation where it is None."""
    return wrapper(job(), **({} if limit is None else {"annotations": {RETRIES: limit}}))


def judged_by_kohort(each: Object) -> list[str]:
    """What `kohort check` says of the same object by the organisation's policy, in its own words."""
    policy = load_repository(WorkDir(ROOT), Settings()).repo.policies["retry-ceiling"]
    with Evaluator() as evaluator:
        return [
            said.message
            for said in ask(policy, evaluator, (), {"object": each})
            if isinstance(said, Violation)
        ]


@pytest.mark.parametrize("limit", [None, "0", "3", "10", "007"])
def test_retries_up_to_the_ceiling_pass(ruled: Standing, limit: str | None) -> None:
    answer = offer(ruled, retried(limit))
    assert answer.ok, said(answer)
    assert judged_by_kohort(retried(limit)) == []


@pytest.mark.parametrize("limit", ["11", "100", "999", "many", "-1", "", "1000", "3.0"])
def test_whoever_edits_the_cluster_directly_meets_the_same_refusal_in_the_same_words(
    ruled: Standing, limit: str
) -> None:
    words = f"retryLimit is {limit}; at most 10 retries are allowed"
    assert judged_by_kohort(retried(limit)) == [words]
    refused(offer(ruled, retried(limit)), "kohort-policy-retry-ceiling", words)
    assert offer(ruled, retried(limit), UNMANAGED).ok


def test_the_ceiling_holds_for_a_later_edit_too(ruled: Standing) -> None:
    """The three policies on what may be created ask once; this one asks at every update."""
    plane = ruled.plane
    first = labelled(retried("3"), "some-queue")
    first["metadata"] |= {"namespace": BARE, "name": "edited"}
    first["spec"]["suspend"] = True
    plane.create([first])
    path = f"{Applier(plane.client).collection(first)}/edited"

    def edit(limit: str) -> Answer:
        body = {"metadata": {"annotations": {RETRIES: limit}}}
        merge = "application/merge-patch+json"
        return plane.client.request("PATCH", path, body, {"dryRun": "All"}, content_type=merge)

    try:
        refused(
            edit("100"), "kohort-policy-retry-ceiling", "retryLimit is 100; at most 10 retries are allowed"
        )
        assert edit("7").ok, said(edit("7"))
    finally:
        plane.client.must("DELETE", path)


def test_every_compiled_policy_is_tried_here(ruled: Standing) -> None:
    names = {each["metadata"]["name"] for each in manifests(ruled.cluster) if each["kind"] == "ValidatingAdmissionPolicy"}  # fmt: skip
    assert names == {
        "kohort-require-queue-name",
        "kohort-permit-wrapped-kinds",
        "kohort-require-scheduler",
        "kohort-policy-retry-ceiling",
    }
    for name in names:
        path = f"/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}"
        status = ruled.plane.client.must("GET", path).get("status", {})
        assert not status.get("typeChecking", {}).get("expressionWarnings"), status
