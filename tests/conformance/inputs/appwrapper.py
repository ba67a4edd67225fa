"""Inputs for AppWrapper (controller 1.2.2, without its check of the user's own rights)."""

from __future__ import annotations

from typing import Any

from edit import NOT_A_LIST, NOT_A_MAP, NOT_A_NUMBER, NOT_TEXT, common, drop, each, put

KIND = "AppWrapper"
POD: dict[str, Any] = {
    "restartPolicy": "Never",
    "containers": [
        {"name": "main", "image": "example.com/train:1", "resources": {"limits": {"nvidia.com/gpu": "8"}}}
    ],
}
JOB: dict[str, Any] = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "train"},
    "spec": {"parallelism": 2, "completions": 2, "template": {"spec": POD}},
}
PODS = [{"path": "template.spec.template", "replicas": 2}]


def wrapper(*components: Any, **labels: str) -> dict[str, Any]:
    meta: dict[str, Any] = {"name": "train", "namespace": "default"}
    if labels:
        meta["labels"] = labels
    return {"apiVersion": "workload.codeflare.dev/v1beta2", "kind": KIND, "metadata": meta, "spec": {"components": list(components)}}  # fmt: skip


def component(template: Any, podsets: Any = None) -> dict[str, Any]:
    return {"template": template} | ({} if podsets is None else {"podSets": podsets})


def named(kind: str, version: str = "v1", **more: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, **more}


GOOD = wrapper(component(JOB, PODS))
BARE = wrapper(component(JOB))
FIRST = "spec/components/0"
SPEC = f"{FIRST}/template/spec/template/spec"


def cases() -> list[tuple[str, Any]]:
    return [*common("aw", GOOD), *shape(), *paths(), *kinds(), *pods()]


def shape() -> list[tuple[str, Any]]:
    pod = named("Pod", spec=POD)
    faults = "workload.codeflare.dev.appwrapper/"
    return [
        ("aw-bare", BARE),
        ("aw-no-spec", drop(GOOD, "spec")),
        *each("aw-spec", GOOD, "spec", NOT_A_MAP),
        ("aw-unknown-field", put(GOOD, "spec/priority", 5)),
        ("aw-suspend", put(GOOD, "spec/suspend", True)),
        ("aw-suspend-text", put(GOOD, "spec/suspend", "true")),
        ("aw-managed-by", put(GOOD, "spec/managedBy", "kueue.x-k8s.io/multikueue")),
        ("aw-managed-by-anything", put(GOOD, "spec/managedBy", "me")),
        *each("aw-components", GOOD, "spec/components", NOT_A_LIST),
        ("aw-component-empty", put(GOOD, "spec/components", [{}])),
        ("aw-component-unknown-field", put(GOOD, f"{FIRST}/name", "x")),
        *each("aw-template", GOOD, f"{FIRST}/template", NOT_A_MAP),
        ("aw-template-no-kind", drop(GOOD, f"{FIRST}/template/kind")),
        ("aw-template-no-version", drop(GOOD, f"{FIRST}/template/apiVersion")),
        ("aw-template-no-name", drop(GOOD, f"{FIRST}/template/metadata/name")),
        ("aw-template-bad-name", put(GOOD, f"{FIRST}/template/metadata/name", "My Job")),
        ("aw-template-no-metadata", drop(GOOD, f"{FIRST}/template/metadata")),
        ("aw-template-same-namespace", put(GOOD, f"{FIRST}/template/metadata/namespace", "default")),
        ("aw-template-other-namespace", put(GOOD, f"{FIRST}/template/metadata/namespace", "kube-system")),
        ("aw-template-bad-label", put(GOOD, f"{FIRST}/template/metadata/labels", {"a b": "c"})),
        ("aw-template-unknown-job-field", put(GOOD, f"{FIRST}/template/spec/replicas", 2)),
        ("aw-nested", wrapper(component({**BARE, "metadata": {"name": "inner"}}))),
        ("aw-nested-with-job", wrapper(component({**BARE, "metadata": {"name": "inner"}}), component(JOB))),
        ("aw-same-twice", wrapper(component(JOB), component(JOB))),
        ("aw-podsets-8", wrapper(*(component({**pod, "metadata": {"name": f"p{i}"}}) for i in range(8)))),
        ("aw-podsets-9", wrapper(*(component({**pod, "metadata": {"name": f"p{i}"}}) for i in range(9)))),
        ("aw-no-pods", wrapper(component(named("ConfigMap", data={})))),
        ("aw-pods-and-map", wrapper(component(named("ConfigMap", data={})), component(JOB))),
        ("aw-retry-days", put(GOOD, "metadata/annotations", {f"{faults}retryPausePeriodDuration": "1d"})),
        ("aw-retry-good", put(GOOD, "metadata/annotations", {f"{faults}retryPausePeriodDuration": "30s"})),
        ("aw-retry-limit-text", put(GOOD, "metadata/annotations", {f"{faults}retryLimit": "many"})),
        ("aw-queue", wrapper(component(JOB), **{"kueue.x-k8s.io/queue-name": "default"})),
        ("aw-queue-bad", wrapper(component(JOB), **{"kueue.x-k8s.io/queue-name": "Default"})),
        ("aw-queue-empty", wrapper(component(JOB), **{"kueue.x-k8s.io/queue-name": ""})),
        ("aw-priority", wrapper(component(JOB), **{"kueue.x-k8s.io/priority-class": "high"})),
        ("aw-priority-bad", wrapper(component(JOB), **{"kueue.x-k8s.io/priority-class": "High_Class"})),
        ("aw-max-seconds", wrapper(component(JOB), **{"kueue.x-k8s.io/max-exec-time-seconds": "60"})),
        ("aw-max-seconds-zero", wrapper(component(JOB), **{"kueue.x-k8s.io/max-exec-time-seconds": "0"})),
        ("aw-max-seconds-text", wrapper(component(JOB), **{"kueue.x-k8s.io/max-exec-time-seconds": "1h"})),
        ("aw-user-label", wrapper(component(JOB), **{"workload.codeflare.dev/user": "somebody"})),
        ("aw-pod-set-infos", put(GOOD, f"{FIRST}/podSetInfos", [{"nodeSelector": {"a": "b"}}])),
    ]  # fmt: skip


def paths() -> list[tuple[str, Any]]:
    replicas = {**NOT_A_NUMBER, "zero": 0, "one": 1, "two": 2, "three": 3, "minus-one": -1}
    wrong = {
        "empty": "", "without-template": "spec.template", "template-only": "template", "missing": "template.spec.pod", "not-a-map": "template.spec.parallelism",
        "to-spec": "template.spec.template.spec", "dot-at-end": "template.spec.template.", "two-dots": "template.spec..template", "index-into-map": "template.spec[0]",
        "container": "template.spec.template.spec.containers[0]", "index-text": "template.spec.template.spec.containers[a]", "index-open": "template.spec.template.spec.containers[0",
        "index-out": "template.spec.template.spec.containers[5]", "slashes": "template/spec/template",
    }  # fmt: skip
    return [
        *each("aw-podsets", GOOD, f"{FIRST}/podSets", NOT_A_LIST),
        ("aw-podset-empty", put(GOOD, f"{FIRST}/podSets", [{}])),
        ("aw-podset-unknown-field", put(GOOD, f"{FIRST}/podSets/0/count", 2)),
        ("aw-podset-no-path", drop(GOOD, f"{FIRST}/podSets/0/path")),
        *each("aw-path-not", GOOD, f"{FIRST}/podSets/0/path", NOT_TEXT),
        *each("aw-path", GOOD, f"{FIRST}/podSets/0/path", wrong),
        ("aw-no-replicas", drop(GOOD, f"{FIRST}/podSets/0/replicas")),
        *each("aw-replicas", GOOD, f"{FIRST}/podSets/0/replicas", replicas),
        ("aw-podset-twice", put(GOOD, f"{FIRST}/podSets", PODS * 2)),
    ]


def kinds() -> list[tuple[str, Any]]:
    template = {"spec": POD}
    torch = named(
        "PyTorchJob",
        "kubeflow.org/v1",
        spec={
            "pytorchReplicaSpecs": {
                "Master": {"replicas": 1, "template": template},
                "Worker": {"replicas": 3, "template": template},
            }
        },
    )
    ray = named(
        "RayCluster",
        "ray.io/v1",
        spec={
            "headGroupSpec": {"template": template},
            "workerGroupSpecs": [{"replicas": 7, "template": template}],
        },
    )
    jobset = named(
        "JobSet",
        "jobset.x-k8s.io/v1alpha2",
        spec={
            "replicatedJobs": [
                {"name": "w", "replicas": 2, "template": {"spec": {"parallelism": 4, "template": template}}}
            ]
        },
    )
    known = {
        "pod": named("Pod", spec=POD), "job-defaults": named("Job", "batch/v1", spec={"template": template}),
        "job-completions-below": named("Job", "batch/v1", spec={"parallelism": 4, "completions": 2, "template": template}), "job-parallelism-zero": named("Job", "batch/v1", spec={"parallelism": 0, "template": template}),
        "job-parallelism-text": named("Job", "batch/v1", spec={"parallelism": "2", "template": template}),
        "deployment": named("Deployment", "apps/v1", spec={"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": template}), "statefulset": named("StatefulSet", "apps/v1", spec={"replicas": 3, "template": template}),
        "pytorchjob": torch, "raycluster": ray, "rayjob": named("RayJob", "ray.io/v1", spec={"rayClusterSpec": ray["spec"]}), "jobset": jobset,
        "raycluster-no-workers": drop(ray, "spec/workerGroupSpecs"), "raycluster-no-head": drop(ray, "spec/headGroupSpec"), "pytorchjob-empty": named("PyTorchJob", "kubeflow.org/v1", spec={}),
        "unknown-kind": named("Train", "example.com/v1", spec={"template": template}), "cronjob": named("CronJob", "batch/v1", spec={"jobTemplate": {"spec": {"template": template}}}),
        "trainjob": named("TrainJob", "trainer.kubeflow.org/v1alpha1", spec={}), "leaderworkerset": named("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", spec={"leaderWorkerTemplate": {"size": 2, "workerTemplate": template}}),
    }  # fmt: skip
    declared = {
        "unknown-kind": (known["unknown-kind"], [{"path": "template.spec.template"}]), "cronjob": (known["cronjob"], [{"path": "template.spec.jobTemplate.spec.template"}]),
        "leaderworkerset": (known["leaderworkerset"], [{"path": "template.spec.leaderWorkerTemplate.workerTemplate", "replicas": 2}]),
        "pytorchjob": (torch, [{"path": "template.spec.pytorchReplicaSpecs.Master.template"}, {"path": "template.spec.pytorchReplicaSpecs.Worker.template", "replicas": 3}]),
        "pytorchjob-other-order": (torch, [{"path": "template.spec.pytorchReplicaSpecs.Worker.template", "replicas": 3}, {"path": "template.spec.pytorchReplicaSpecs.Master.template"}]),
        "pytorchjob-one-missing": (torch, [{"path": "template.spec.pytorchReplicaSpecs.Worker.template", "replicas": 3}]),
        "pytorchjob-wrong-count": (torch, [{"path": "template.spec.pytorchReplicaSpecs.Master.template"}, {"path": "template.spec.pytorchReplicaSpecs.Worker.template", "replicas": 4}]),
        "raycluster": (ray, [{"path": "template.spec.headGroupSpec.template"}, {"path": "template.spec.workerGroupSpecs[0].template", "replicas": 7}]),
        "jobset": (jobset, [{"path": "template.spec.replicatedJobs[0].template.spec.template", "replicas": 8}]),
    }  # fmt: skip
    return [
        *((f"aw-kind-{key}", wrapper(component(value))) for key, value in known.items()),
        *((f"aw-declared-{key}", wrapper(component(*value))) for key, value in declared.items()),
    ]


def pods() -> list[tuple[str, Any]]:
    box = f"{SPEC}/containers/0"
    return [
        ("aw-pod-unknown-field", put(GOOD, f"{SPEC}/image", "x")),
        ("aw-pod-unknown-field-bare", put(BARE, f"{SPEC}/image", "x")),
        ("aw-container-unknown-field", put(GOOD, f"{box}/request", {})),
        ("aw-container-unknown-field-bare", put(BARE, f"{box}/request", {})),
        ("aw-no-containers", drop(GOOD, f"{SPEC}/containers")),
        ("aw-no-containers-bare", drop(BARE, f"{SPEC}/containers")),
        ("aw-containers-empty", put(GOOD, f"{SPEC}/containers", [])),
        ("aw-containers-text", put(GOOD, f"{SPEC}/containers", "x")),
        ("aw-container-no-name", drop(GOOD, f"{box}/name")),
        ("aw-container-no-image", drop(GOOD, f"{box}/image")),
        ("aw-request-negative", put(GOOD, f"{box}/resources/requests", {"cpu": "-1"})),
        ("aw-request-word", put(GOOD, f"{box}/resources/requests", {"cpu": "many"})),
        ("aw-request-integer", put(GOOD, f"{box}/resources/requests", {"cpu": 2})),
        ("aw-request-float", put(GOOD, f"{box}/resources/requests", {"cpu": 1.5})),
        ("aw-request-pods", put(GOOD, f"{box}/resources/requests", {"pods": "1"})),
        ("aw-request-above-limit", put(GOOD, f"{box}/resources/requests", {"nvidia.com/gpu": "9"})),
        ("aw-restart-always", put(GOOD, f"{SPEC}/restartPolicy", "Always")),
        ("aw-restart-unknown", put(GOOD, f"{SPEC}/restartPolicy", "Sometimes")),
        ("aw-env-number", put(GOOD, f"{box}/env", [{"name": "A", "value": 1}])),
        ("aw-node-selector-boolean", put(GOOD, f"{SPEC}/nodeSelector", {"a": True})),
        ("aw-toleration-unknown-operator", put(GOOD, f"{SPEC}/tolerations", [{"key": "a", "operator": "In"}])),
        ("aw-pod-no-spec", drop(GOOD, SPEC)),
        ("aw-pod-no-spec-bare", drop(BARE, SPEC)),
        ("aw-topology-annotations", put(GOOD, f"{FIRST}/template/spec/template/metadata", {"annotations": {"kueue.x-k8s.io/podset-required-topology": "rack"}})),
        ("aw-topology-both", put(GOOD, f"{FIRST}/template/spec/template/metadata", {"annotations": {"kueue.x-k8s.io/podset-required-topology": "rack", "kueue.x-k8s.io/podset-preferred-topology": "rack"}})),
        ("aw-topology-podset", put(GOOD, f"{FIRST}/podSets/0/annotations", {"kueue.x-k8s.io/podset-required-topology": "rack"})),
        ("aw-topology-podset-both", put(GOOD, f"{FIRST}/podSets/0/annotations", {"kueue.x-k8s.io/podset-required-topology": "rack", "kueue.x-k8s.io/podset-preferred-topology": "rack"})),
    ]  # fmt: skip


def updates() -> list[tuple[str, Any, Any]]:
    return [
        ("aw-update-label", GOOD, put(GOOD, "metadata/labels", {"a": "b"})),
        ("aw-update-template", GOOD, put(GOOD, f"{FIRST}/template/spec/parallelism", 3)),
        ("aw-update-replicas", GOOD, put(GOOD, f"{FIRST}/podSets/0/replicas", 3)),
        ("aw-update-drop-podsets", GOOD, BARE),
        ("aw-update-components", GOOD, wrapper(component(JOB, PODS), component(named("ConfigMap", data={})))),
        ("aw-update-managed-by", GOOD, put(GOOD, "spec/managedBy", "kueue.x-k8s.io/multikueue")),
        (
            "aw-update-user-label",
            GOOD,
            put(GOOD, "metadata/labels", {"workload.codeflare.dev/user": "other"}),
        ),
        ("aw-update-queue", GOOD, put(GOOD, "metadata/labels", {"kueue.x-k8s.io/queue-name": "other"})),
        ("aw-update-suspend", GOOD, put(GOOD, "spec/suspend", True)),
        ("aw-update-pod-set-infos", GOOD, put(GOOD, f"{FIRST}/podSetInfos", [{"nodeSelector": {"a": "b"}}])),
    ]
