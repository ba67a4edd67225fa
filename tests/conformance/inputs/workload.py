"""Inputs for Workload, among them pod templates that no pod could have."""

from __future__ import annotations

from typing import Any

from edit import (
    GROUP,
    NAMES,
    NOT_A_LIST,
    NOT_A_MAP,
    NOT_A_NUMBER,
    NOT_TEXT,
    QUANTITIES,
    common,
    drop,
    each,
    put,
)

KIND = "Workload"
POD = {
    "restartPolicy": "Never",
    "containers": [{"name": "main", "image": "example.com/train:1", "resources": {"requests": {"cpu": "1", "nvidia.com/gpu": "8"}, "limits": {"nvidia.com/gpu": "8"}}}],
}  # fmt: skip


def podset(name: str = "main", count: int = 2, **more: Any) -> dict[str, Any]:
    return {"name": name, "count": count, "template": {"spec": POD}, **more}


def small(name: str) -> dict[str, Any]:
    return {"name": name, "count": 1, "template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}


def workload(*found: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/v1beta2",
        "kind": KIND,
        "metadata": {"name": "train", "namespace": "default"},
        "spec": {"queueName": "default", "podSets": list(found), **spec},
    }


GOOD = workload(podset())
SET = "spec/podSets/0"
SPEC = f"{SET}/template/spec"
REQUESTS = f"{SPEC}/containers/0/resources/requests"


def cases() -> list[tuple[str, Any]]:
    return [*common("wl", GOOD), *top(), *podsets(), *topology(), *pods(), *old_version()]


def top() -> list[tuple[str, Any]]:
    def ref(**found: Any) -> Any:
        return put(put(GOOD, "spec/priorityClassRef", found), "spec/priority", 5)

    return [
        ("wl-no-spec", drop(GOOD, "spec")),
        *each("wl-spec", GOOD, "spec", NOT_A_MAP),
        ("wl-unknown-field", put(GOOD, "spec/queue", "default")),
        ("wl-no-queue", drop(GOOD, "spec/queueName")),
        *each("wl-queue-not", GOOD, "spec/queueName", NOT_TEXT),
        *each("wl-queue", GOOD, "spec/queueName", NAMES),
        ("wl-no-podsets", drop(GOOD, "spec/podSets")),
        *each("wl-podsets", GOOD, "spec/podSets", NOT_A_LIST),
        *each("wl-active", GOOD, "spec/active", {"true": True, "false": False, "text": "true", "null": None, "integer": 1}),
        *each("wl-max-seconds", GOOD, "spec/maximumExecutionTimeSeconds", {**NOT_A_NUMBER, "zero": 0, "one": 1, "minus-one": -1, "int32-max-plus-1": 2**31}),
        *each("wl-priority", GOOD, "spec/priority", {**NOT_A_NUMBER, "zero": 0, "minus-one": -1, "int32-max-plus-1": 2**31}),
        ("wl-ref-kueue", ref(group="kueue.x-k8s.io", kind="WorkloadPriorityClass", name="high")),
        ("wl-ref-pod", ref(group="scheduling.k8s.io", kind="PriorityClass", name="high")),
        ("wl-ref-mixed", ref(group="kueue.x-k8s.io", kind="PriorityClass", name="high")),
        ("wl-ref-mixed-other", ref(group="scheduling.k8s.io", kind="WorkloadPriorityClass", name="high")),
        ("wl-ref-unknown", ref(group="example.com", kind="WorkloadPriorityClass", name="high")),
        ("wl-ref-no-name", ref(group="kueue.x-k8s.io", kind="WorkloadPriorityClass")),
        ("wl-ref-no-group", ref(kind="WorkloadPriorityClass", name="high")),
        ("wl-ref-no-kind", ref(group="kueue.x-k8s.io", name="high")),
        ("wl-ref-bad-name", ref(group="kueue.x-k8s.io", kind="WorkloadPriorityClass", name="High Class")),
        ("wl-ref-empty-name", ref(group="kueue.x-k8s.io", kind="WorkloadPriorityClass", name="")),
        ("wl-ref-empty", ref()),
        ("wl-ref-without-priority", drop(ref(group="kueue.x-k8s.io", kind="WorkloadPriorityClass", name="high"), "spec/priority")),
        ("wl-old-class-name", put(GOOD, "spec/priorityClassName", "high")),
        ("wl-gates-8", put(GOOD, "spec/preemptionGates", [{"name": f"g{i}"} for i in range(8)])),
        ("wl-gates-9", put(GOOD, "spec/preemptionGates", [{"name": f"g{i}"} for i in range(9)])),
        ("wl-gates-twice", put(GOOD, "spec/preemptionGates", [{"name": "g"}, {"name": "g"}])),
        ("wl-gate-bad-name", put(GOOD, "spec/preemptionGates", [{"name": "my gate"}])),
        ("wl-boost-text", put(GOOD, "metadata/annotations", {"kueue.x-k8s.io/priority-boost": "many"})),
        ("wl-elastic-with-min", put(workload(podset(minCount=1)), "metadata/annotations", {"kueue.x-k8s.io/elastic-job": "true"})),
        ("wl-gated-by", put(GOOD, "metadata/annotations", {"kueue.x-k8s.io/admission-gated-by": "example.com/gate"})),
        ("wl-gated-by-bad", put(GOOD, "metadata/annotations", {"kueue.x-k8s.io/admission-gated-by": "my gate"})),
        ("wl-gated-by-empty", put(GOOD, "metadata/annotations", {"kueue.x-k8s.io/admission-gated-by": ""})),
        ("wl-gated-by-twice", put(GOOD, "metadata/annotations", {"kueue.x-k8s.io/admission-gated-by": "example.com/gate,example.com/gate"})),
    ]  # fmt: skip


def podsets() -> list[tuple[str, Any]]:
    names = {**NAMES, "63": "a" * 63}
    return [
        ("wl-podset-empty", put(GOOD, "spec/podSets", [{}])),
        ("wl-podset-null", put(GOOD, "spec/podSets", [None])),
        ("wl-podset-unknown-field", put(GOOD, f"{SET}/replicas", 2)),
        ("wl-podset-no-name", drop(GOOD, f"{SET}/name")),
        *each("wl-podset-name", GOOD, f"{SET}/name", names),
        ("wl-podsets-same-name", workload(podset(), podset())),
        ("wl-podsets-18", workload(*(small(f"s{i}") for i in range(18)))),
        ("wl-podsets-19", workload(*(small(f"s{i}") for i in range(19)))),
        ("wl-no-count", drop(GOOD, f"{SET}/count")),
        *each("wl-count", GOOD, f"{SET}/count", {**NOT_A_NUMBER, "zero": 0, "minus-one": -1, "int32-max": 2**31 - 1, "int32-max-plus-1": 2**31}),
        *each("wl-min", GOOD, f"{SET}/minCount", {**NOT_A_NUMBER, "zero": 0, "one": 1, "equal": 2, "above": 3, "minus-one": -1}),
        ("wl-min-without-count", put(drop(GOOD, f"{SET}/count"), f"{SET}/minCount", 2)),
        ("wl-min-twice", workload(podset("a", minCount=1), podset("b", minCount=1))),
        ("wl-no-template", drop(GOOD, f"{SET}/template")),
        *each("wl-template", GOOD, f"{SET}/template", NOT_A_MAP),
        ("wl-template-unknown-field", put(GOOD, f"{SET}/template/status", {})),
        *each("wl-template-labels", GOOD, f"{SET}/template/metadata", {"good": {"labels": {"a": "b"}}, "bad-value": {"labels": {"a": "b c"}}, "bad-key": {"labels": {"a b": "c"}}, "annotation-bad-key": {"annotations": {"a b": "c"}}, "integer": {"labels": {"a": 1}}, "name": {"name": "x"}, "unknown": {"label": {}}}),
    ]  # fmt: skip


def topology() -> list[tuple[str, Any]]:
    requests: dict[str, Any] = {
        "empty": {}, "null": None, "required": {"required": "example.com/rack"}, "preferred": {"preferred": "example.com/rack"}, "unconstrained": {"unconstrained": True},
        "both": {"required": "example.com/rack", "preferred": "example.com/rack"}, "all": {"required": "a", "preferred": "b", "unconstrained": True}, "bad-label": {"required": "my rack"},
        "label-316": {"required": "a" * 252 + "/" + "b" * 63}, "label-317": {"required": "a" * 253 + "/" + "b" * 63}, "unknown-field": {"level": "x"},
        "slice": {"required": "a", "podSetSliceRequiredTopology": "b", "podSetSliceSize": 2}, "slice-size-alone": {"required": "a", "podSetSliceSize": 2}, "slice-topology-alone": {"required": "a", "podSetSliceRequiredTopology": "b"},
        "slice-size-zero": {"required": "a", "podSetSliceRequiredTopology": "b", "podSetSliceSize": 0}, "slice-size-above-count": {"required": "a", "podSetSliceRequiredTopology": "b", "podSetSliceSize": 3},
        "slice-size-minus-one": {"required": "a", "podSetSliceRequiredTopology": "b", "podSetSliceSize": -1},
        "sub-group-minus-one": {"required": "a", "subGroupCount": -1}, "group-name": {"required": "a", "podSetGroupName": "g"},
        "multi-layer": {"required": "a", "podsetSliceRequiredTopologyConstraints": [{"topology": "b", "size": 2}]},
        "multi-layer-four": {"required": "a", "podsetSliceRequiredTopologyConstraints": [{"topology": f"b{i}", "size": 2} for i in range(4)]},
        "multi-layer-and-slice": {"required": "a", "podSetSliceRequiredTopology": "b", "podSetSliceSize": 2, "podsetSliceRequiredTopologyConstraints": [{"topology": "b", "size": 2}]},
        "multi-layer-size-zero": {"required": "a", "podsetSliceRequiredTopologyConstraints": [{"topology": "b", "size": 0}]},
        "multi-layer-empty": {"required": "a", "podsetSliceRequiredTopologyConstraints": []},
    }  # fmt: skip
    return [
        (f"wl-topology-{key}", put(GOOD, f"{SET}/topologyRequest", value)) for key, value in requests.items()
    ]


def pods() -> list[tuple[str, Any]]:
    box = f"{SPEC}/containers/0"
    names: dict[str, Any] = {
        "pods": "pods",
        "blank": "my cpu",
        "capitals": "CPU",
        "empty": "",
        "two-slashes": "a/b/c",
        "plain-unknown": "gpu",
        "hugepages": "hugepages-2Mi",
        "storage": "ephemeral-storage",
        "64": "r" * 64,
    }
    quantities = {
        k: QUANTITIES[k]
        for k in (
            "integer",
            "12000m",
            "1e3",
            "plus-5",
            "leading-zero",
            "trailing-dot",
            "below-smallest",
            "1-5-gi",
            "zero",
            "minus-one",
            "minus-milli",
            "empty-text",
            "null",
            "word",
            "capital-k",
            "float",
            "true",
            "list",
            "gb",
            "int64-max-plus-1",
        )
    }
    return [
        *each("wl-pod", GOOD, SPEC, NOT_A_MAP),
        ("wl-pod-no-spec", drop(GOOD, SPEC)),
        ("wl-pod-unknown-field", put(GOOD, f"{SPEC}/image", "x")),
        ("wl-pod-no-containers", drop(GOOD, f"{SPEC}/containers")),
        *each("wl-containers", GOOD, f"{SPEC}/containers", NOT_A_LIST),
        ("wl-container-empty", put(GOOD, f"{SPEC}/containers", [{}])),
        ("wl-container-unknown-field", put(GOOD, f"{box}/requests", {})),
        ("wl-container-no-name", drop(GOOD, f"{box}/name")),
        ("wl-container-no-image", drop(GOOD, f"{box}/image")),
        ("wl-container-bad-name", put(GOOD, f"{box}/name", "My Container")),
        ("wl-container-empty-name", put(GOOD, f"{box}/name", "")),
        ("wl-containers-same-name", put(GOOD, f"{SPEC}/containers", [{"name": "c", "image": "i"}, {"name": "c", "image": "i"}])),
        *[(f"wl-request-named-{key}", put(GOOD, REQUESTS, {value: "1"})) for key, value in names.items()],
        ("wl-limit-named-pods", put(GOOD, f"{box}/resources/limits", {"pods": "1"})),
        ("wl-init-named-pods", put(GOOD, f"{SPEC}/initContainers", [{"name": "i", "image": "i", "resources": {"requests": {"pods": "1"}}}])),
        ("wl-pod-level-named-pods", put(GOOD, f"{SPEC}/resources", {"requests": {"pods": "1"}})),
        ("wl-pod-level-negative", put(GOOD, f"{SPEC}/resources", {"requests": {"cpu": "-1"}})),
        ("wl-init-negative", put(GOOD, f"{SPEC}/initContainers", [{"name": "i", "image": "i", "resources": {"limits": {"cpu": "-1"}}}])),
        ("wl-limit-negative", put(GOOD, f"{box}/resources/limits", {"cpu": "-1"})),
        ("wl-overhead-negative", put(GOOD, f"{SPEC}/overhead", {"cpu": "-1"})),
        ("wl-two-negative", put(GOOD, REQUESTS, {"cpu": "-1", "memory": "-1"})),
        *[(f"wl-request-{key}", put(GOOD, f"{REQUESTS}/cpu", value)) for key, value in quantities.items()],
        *each("wl-requests", GOOD, REQUESTS, NOT_A_MAP),
        ("wl-resources-unknown-field", put(GOOD, f"{box}/resources/request", {})),
        *each("wl-restart", GOOD, f"{SPEC}/restartPolicy", {"always": "Always", "failure": "OnFailure", "unknown": "Sometimes", "null": None, "integer": 1}),
        ("wl-node-selector", put(GOOD, f"{SPEC}/nodeSelector", {"a": "b"})),
        ("wl-node-selector-bad", put(GOOD, f"{SPEC}/nodeSelector", {"a b": "c d"})),
        ("wl-node-selector-boolean", put(GOOD, f"{SPEC}/nodeSelector", {"a": True})),
        ("wl-toleration-bad", put(GOOD, f"{SPEC}/tolerations", [{"operator": "In"}])),
        ("wl-affinity-bad-operator", put(GOOD, f"{SPEC}/affinity", {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Equals", "values": ["b"]}]}]}}})),
        ("wl-affinity-unknown-field", put(GOOD, f"{SPEC}/affinity", {"nodes": {}})),
        ("wl-affinity-no-terms", put(GOOD, f"{SPEC}/affinity", {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}})),
        ("wl-affinity-preferred-no-weight", put(GOOD, f"{SPEC}/affinity", {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"preference": {}}]}})),
        ("wl-priority-class-name", put(GOOD, f"{SPEC}/priorityClassName", "high")),
        ("wl-scheduler-name", put(GOOD, f"{SPEC}/schedulerName", "")),
        ("wl-env-number", put(GOOD, f"{box}/env", [{"name": "A", "value": 1}])),
        ("wl-env-boolean", put(GOOD, f"{box}/env", [{"name": "A", "value": True}])),
        ("wl-env-no-name", put(GOOD, f"{box}/env", [{"value": "x"}])),
        ("wl-env-twice", put(GOOD, f"{box}/env", [{"name": "A", "value": "x"}, {"name": "A", "value": "y"}])),
        ("wl-command-text", put(GOOD, f"{box}/command", "run")),
        ("wl-ports-bad", put(GOOD, f"{box}/ports", [{"containerPort": 70000}])),
        ("wl-ports-text", put(GOOD, f"{box}/ports", [{"containerPort": "80"}])),
        ("wl-volume-no-name", put(GOOD, f"{SPEC}/volumes", [{"emptyDir": {}}])),
        ("wl-volumes-twice", put(GOOD, f"{SPEC}/volumes", [{"name": "v", "emptyDir": {}}, {"name": "v", "emptyDir": {}}])),
        ("wl-grace-text", put(GOOD, f"{SPEC}/terminationGracePeriodSeconds", "30")),
        ("wl-grace-negative", put(GOOD, f"{SPEC}/terminationGracePeriodSeconds", -1)),
        ("wl-claims", put(GOOD, f"{SPEC}/resourceClaims", [{"name": "gpu"}])),
    ]  # fmt: skip


def old_version() -> list[tuple[str, Any]]:
    old = put(GOOD, "apiVersion", f"{GROUP}/v1beta1")
    classed = put(
        put(old, "spec/priorityClassName", "high"),
        "spec/priorityClassSource",
        "kueue.x-k8s.io/workloadpriorityclass",
    )
    return [
        ("wl-old-class", put(classed, "spec/priority", 5)),
        ("wl-old-class-without-priority", classed),
        ("wl-old-class-pod", put(put(classed, "spec/priorityClassSource", "scheduling.k8s.io/priorityclass"), "spec/priority", 5)),
        ("wl-old-class-unknown-source", put(put(classed, "spec/priorityClassSource", "example.com/x"), "spec/priority", 5)),
        ("wl-old-class-without-source", drop(put(classed, "spec/priority", 5), "spec/priorityClassSource")),
        ("wl-old-ref", put(old, "spec/priorityClassRef", {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"})),
        ("wl-old-negative", put(old, f"{REQUESTS}/cpu", "-1")),
        ("wl-old-podsets-19", put(workload(*(small(f"s{i}") for i in range(19))), "apiVersion", f"{GROUP}/v1beta1")),
        ("wl-old-unknown-pod-field", put(old, f"{SPEC}/image", "x")),
    ]  # fmt: skip


def updates() -> list[tuple[str, Any, Any]]:
    return [
        ("wl-update-queue", GOOD, put(GOOD, "spec/queueName", "other")),
        ("wl-update-count", GOOD, put(GOOD, f"{SET}/count", 3)),
        ("wl-update-podsets", GOOD, put(GOOD, f"{SET}/name", "other")),
        ("wl-update-priority", GOOD, put(GOOD, "spec/priority", 5)),
        ("wl-update-active", GOOD, put(GOOD, "spec/active", False)),
        ("wl-update-max-seconds", GOOD, put(GOOD, "spec/maximumExecutionTimeSeconds", 60)),
    ]
