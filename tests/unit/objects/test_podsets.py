from __future__ import annotations

import pytest

from kohort.objects.podsets import podsets, requests


def template(cpu="1"):
    return {"spec": {"containers": [{"name": "m", "resources": {"requests": {"cpu": cpu}}}]}}


def obj(api_version, kind, spec, **metadata):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "j", **metadata}, "spec": spec}


def shape(answer):
    return [(ps.name, ps.count, ps.path) for ps in answer.found]


def job(**spec):
    return obj("batch/v1", "Job", {"template": template(), **spec})


MAIN = ("spec", "template")


@pytest.mark.parametrize(
    ("given", "expected", "workloads"),
    [
        ({"apiVersion": "v1", "kind": "Pod", **template()}, [("main", 1, ())], 1),
        (obj("apps/v1", "Deployment", {"replicas": 3, "template": template()}), [("main", 3, MAIN)], 3),
        (obj("apps/v1", "Deployment", {"template": template()}), [("main", 1, MAIN)], 1),
        (obj("apps/v1", "StatefulSet", {"replicas": 3, "template": template()}), [("main", 3, MAIN)], 1),
        (job(), [("main", 1, MAIN)], 1),
        (job(parallelism=4), [("main", 4, MAIN)], 1),
        (job(parallelism=4, completions=2), [("main", 2, MAIN)], 1),
        (job(parallelism=2, completions=8), [("main", 2, MAIN)], 1),
        (job(completions=8), [("main", 1, MAIN)], 1),
        (job(parallelism=0), [("main", 0, MAIN)], 1),
    ],
)
def test_plain_kinds(given, expected, workloads):
    answer = podsets(given)
    assert (shape(answer), answer.workloads, answer.inferable, answer.reasons) == (
        expected,
        workloads,
        True,
        (),
    )


def test_partial_admission_of_a_job():
    given = job(parallelism=4)
    given["metadata"]["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "2"}
    assert podsets(given).found[0].min_count == 2
    given["metadata"]["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "two"}
    assert podsets(given).found[0].min_count is None


def test_job_set():
    def replicated(name, replicas, **spec):
        return {"name": name, "replicas": replicas, "template": {"spec": {"template": template(), **spec}}}

    jobs = [replicated("Driver", 1), replicated("workers", 3, parallelism=4, completions=2)]
    answer = podsets(obj("jobset.x-k8s.io/v1alpha2", "JobSet", {"replicatedJobs": jobs}))
    inside = ("template", "spec", "template")
    assert shape(answer) == [
        ("driver", 1, ("spec", "replicatedJobs", 0, *inside)),
        ("workers", 6, ("spec", "replicatedJobs", 1, *inside)),
    ]


@pytest.mark.parametrize(
    ("api_version", "kind", "field", "roles", "order"),
    [
        ("kubeflow.org/v1", "PyTorchJob", "pytorchReplicaSpecs", ["Worker", "Master"], ["master", "worker"]),
        (
            "kubeflow.org/v1", "TFJob", "tfReplicaSpecs",
            ["Worker", "Evaluator", "PS", "Chief"], ["chief", "ps", "worker", "evaluator"],
        ),
        ("kubeflow.org/v1", "XGBoostJob", "xgbReplicaSpecs", ["Master"], ["master"]),
        ("kubeflow.org/v1", "PaddleJob", "paddleReplicaSpecs", ["Worker"], ["worker"]),
        ("kubeflow.org/v1", "JAXJob", "jaxReplicaSpecs", ["Worker"], ["worker"]),
        ("kubeflow.org/v2beta1", "MPIJob", "mpiReplicaSpecs", ["Worker", "Launcher"], ["launcher", "worker"]),
        ("kubeflow.org/v1", "MPIJob", "mpiReplicaSpecs", ["Worker", "Launcher"], ["launcher", "worker"]),
    ],
)  # fmt: skip
def test_kubeflow_jobs(api_version, kind, field, roles, order):
    replicas = {role: {"replicas": n + 2, "template": template()} for n, role in enumerate(roles)}
    answer = podsets(obj(api_version, kind, {field: replicas}))
    assert [ps.name for ps in answer.found] == order
    for ps in answer.found:
        role = ps.path[2]
        assert (ps.name, ps.path) == (role.lower(), ("spec", field, role, "template"))
        assert ps.count == roles.index(role) + 2


def test_replicas_of_a_kubeflow_role_default_to_one():
    answer = podsets(
        obj("kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": {"Master": {"template": template()}}})
    )
    assert [(ps.name, ps.count) for ps in answer.found] == [("master", 1)]


def ray(**more):
    groups = [
        {"groupName": "Big", "replicas": 2, "numOfHosts": 4, "template": template("8")},
        {"groupName": "idle", "template": template("8")},
    ]
    return {"headGroupSpec": {"template": template("1")}, "workerGroupSpecs": groups, **more}


def test_ray_cluster_counts_hosts_and_defaults_workers_to_none():
    answer = podsets(obj("ray.io/v1", "RayCluster", ray()))
    assert shape(answer) == [
        ("head", 1, ("spec", "headGroupSpec", "template")),
        ("big", 8, ("spec", "workerGroupSpecs", 0, "template")),
        ("idle", 0, ("spec", "workerGroupSpecs", 1, "template")),
    ]


def head_requests(answer):
    return {name: amount.plain() for name, amount in requests(answer.found[0]).items()}


def test_ray_adds_containers_to_the_head_pod():
    plain = obj("ray.io/v1", "RayCluster", ray())
    assert head_requests(podsets(plain)) == {"cpu": "1"}
    scaled = obj("ray.io/v1", "RayCluster", ray(enableInTreeAutoscaling=True))
    assert head_requests(podsets(scaled)) == {"cpu": "1500m", "memory": "512Mi"}
    own = {"resources": {"limits": {"cpu": "2"}}}
    tuned = obj("ray.io/v1", "RayCluster", ray(enableInTreeAutoscaling=True, autoscalerOptions=own))
    assert head_requests(podsets(tuned)) == {"cpu": "3"}
    tolerant = obj("ray.io/v1", "RayCluster", ray(), annotations={"ray.io/ft-enabled": "True"})
    assert head_requests(podsets(tolerant)) == {"cpu": "1", "memory": "256Mi"}
    assert scaled["spec"]["headGroupSpec"]["template"] == template("1")


def test_ray_job_submitters():
    given = obj("ray.io/v1", "RayJob", {"rayClusterSpec": ray()})
    answer = podsets(given)
    assert [ps.name for ps in answer.found] == ["head", "big", "idle", "submitter"]
    assert {k: q.plain() for k, q in requests(answer.found[-1]).items()} == {"cpu": "500m", "memory": "200Mi"}
    given["spec"]["submitterPodTemplate"] = template("3")
    assert {k: q.plain() for k, q in requests(podsets(given).found[-1]).items()} == {"cpu": "3"}
    given["spec"]["submissionMode"] = "SidecarMode"
    assert [ps.name for ps in podsets(given).found] == ["head", "big", "idle"]
    assert head_requests(podsets(given)) == {"cpu": "1500m", "memory": "200Mi"}
    given["spec"]["submissionMode"] = "HTTPMode"
    assert head_requests(podsets(given)) == {"cpu": "1"}
    assert podsets(given).found[0].path == ("spec", "rayClusterSpec", "headGroupSpec", "template")


def test_ray_service():
    answer = podsets(obj("ray.io/v1", "RayService", {"rayClusterConfig": ray()}))
    assert [(ps.name, ps.count) for ps in answer.found] == [("head", 1), ("big", 8), ("idle", 0)]


def test_leader_worker_set_is_one_workload_per_replica():
    spec = {"replicas": 2, "leaderWorkerTemplate": {"size": 3, "workerTemplate": template()}}
    answer = podsets(obj("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", spec))
    assert ([(ps.name, ps.count) for ps in answer.found], answer.workloads) == ([("main", 6)], 2)
    spec["leaderWorkerTemplate"]["leaderTemplate"] = template()
    answer = podsets(obj("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", spec))
    assert ([(ps.name, ps.count) for ps in answer.found], answer.workloads) == (
        [("leader", 2), ("worker", 4)],
        2,
    )


def test_a_workload_states_its_pod_sets():
    sets = [{"name": "main", "count": 3, "minCount": 1, "template": template()}, {"template": template()}]
    answer = podsets(obj("kueue.x-k8s.io/v1beta2", "Workload", {"podSets": sets}))
    assert [(ps.name, ps.count, ps.min_count) for ps in answer.found] == [("main", 3, 1), ("main", 1, None)]


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("trainer.kubeflow.org/v1alpha1", "TrainJob"),
        ("sparkoperator.k8s.io/v1beta2", "SparkApplication"),
        ("example.com/v1", "Job"),
        ("v1", "ConfigMap"),
        (None, None),
    ],
)
def test_kinds_that_do_not_show_their_pods(api_version, kind):
    answer = podsets(obj(api_version, kind, {"template": template()}))
    assert (answer.found, answer.inferable) == ((), False)
    assert answer.reasons == (f"the pods of kind {kind or ''!a} cannot be read from the object",)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (job(template=None), "spec.template has no pod template with a spec"),
        (job(parallelism="4"), "spec.parallelism is no count of pods; counted as 1"),
        (job(parallelism=-1), "spec.parallelism is no count of pods; counted as 1"),
        (job(parallelism=True), "spec.parallelism is no count of pods; counted as 1"),
        ({"apiVersion": "v1", "kind": "Pod"}, "the object has no pod template with a spec"),
        (
            obj("ray.io/v1", "RayJob", {}),
            "spec.rayClusterSpec.headGroupSpec.template has no pod template with a spec",
        ),
    ],
)
def test_malformed_objects_give_a_reason(given, reason):
    answer = podsets(given)
    assert answer.reasons == (reason,)
    assert answer.inferable


def test_what_is_no_object_gives_nothing():
    for value in (None, [], "x", 3):
        assert podsets(value).reasons == ("it is not an object",)
