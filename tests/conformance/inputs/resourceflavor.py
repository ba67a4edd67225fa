"""Inputs for ResourceFlavor."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NAMES, NOT_A_LIST, NOT_A_MAP, NOT_TEXT, common, drop, each, put

KIND = "ResourceFlavor"


def flavor(spec: Any) -> dict[str, Any]:
    return {"apiVersion": f"{GROUP}/v1beta2", "kind": KIND, "metadata": {"name": "a100"}, "spec": spec}


GOOD = flavor({"nodeLabels": {"nvidia.com/gpu.product": "A100"}})
TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}


def taints(*found: Any) -> dict[str, Any]:
    return flavor({"nodeTaints": list(found)})


def tolerations(*found: Any) -> dict[str, Any]:
    return flavor({"tolerations": list(found)})


def without(key: str) -> dict[str, Any]:
    return {k: v for k, v in TAINT.items() if k != key}


def cases() -> list[tuple[str, Any]]:
    tolerated: dict[str, Any] = {
        "equal": {"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"},
        "equal-without-value": {"key": "a", "operator": "Equal"},
        "no-operator": {"key": "a", "value": "b"},
        "empty": {},
        "null": None,
        "exists": {"key": "a", "operator": "Exists"},
        "exists-with-value": {"key": "a", "operator": "Exists", "value": "b"},
        "exists-with-empty-value": {"key": "a", "operator": "Exists", "value": ""},
        "exists-without-key": {"operator": "Exists"},
        "equal-without-key": {"operator": "Equal", "value": "b"},
        "equal-empty-key": {"key": "", "operator": "Equal", "value": "b"},
        "exists-empty-key": {"key": "", "operator": "Exists"},
        "no-operator-without-key": {"effect": "NoSchedule"},
        "operator-unknown": {"key": "a", "operator": "In", "value": "b"},
        "operator-empty": {"key": "a", "operator": "", "value": "b"},
        "operator-lt": {"key": "a", "operator": "Lt", "value": "5"},
        "operator-gt": {"key": "a", "operator": "Gt", "value": "5"},
        "effect-unknown": {"key": "a", "operator": "Exists", "effect": "NoRun"},
        "effect-empty": {"key": "a", "operator": "Exists", "effect": ""},
        "effect-lower": {"key": "a", "operator": "Exists", "effect": "noSchedule"},
        "effect-prefer": {"key": "a", "operator": "Exists", "effect": "PreferNoSchedule"},
        "seconds-no-execute": {
            "key": "a",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": 5,
        },
        "seconds-no-schedule": {
            "key": "a",
            "operator": "Exists",
            "effect": "NoSchedule",
            "tolerationSeconds": 5,
        },
        "seconds-no-effect": {"key": "a", "operator": "Exists", "tolerationSeconds": 5},
        "seconds-negative": {
            "key": "a",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": -5,
        },
        "seconds-text": {"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": "5"},
        "seconds-null": {"key": "a", "operator": "Exists", "tolerationSeconds": None},
        "key-bad": {"key": "a b", "operator": "Exists"},
        "key-two-slashes": {"key": "a/b/c", "operator": "Exists"},
        "key-63": {"key": "k" * 63, "operator": "Exists"},
        "key-64": {"key": "k" * 64, "operator": "Exists"},
        "value-blank": {"key": "a", "operator": "Equal", "value": "b c"},
        "value-64": {"key": "a", "operator": "Equal", "value": "v" * 64},
        "value-true": {"key": "a", "operator": "Equal", "value": True},
        "value-integer": {"key": "a", "operator": "Equal", "value": 1},
        "unknown-field": {"key": "a", "operator": "Exists", "values": ["b"]},
    }
    tainted: dict[str, Any] = {
        "good": TAINT, "no-value": without("value"), "no-key": without("key"), "no-effect": without("effect"), "empty": {}, "null": None,
        "value-empty": {**TAINT, "value": ""}, "key-empty": {**TAINT, "key": ""}, "effect-unknown": {**TAINT, "effect": "NoRun"},
        "effect-empty": {**TAINT, "effect": ""}, "effect-execute": {**TAINT, "effect": "NoExecute"}, "effect-prefer": {**TAINT, "effect": "PreferNoSchedule"},
        "value-bad": {**TAINT, "value": "b c"}, "value-64": {**TAINT, "value": "v" * 64}, "value-63": {**TAINT, "value": "v" * 63}, "key-bad": {**TAINT, "key": "a b"},
        "key-two-slashes": {**TAINT, "key": "a/b/c"}, "value-true": {**TAINT, "value": True}, "time": {**TAINT, "timeAdded": "2026-01-01T00:00:00Z"},
        "time-bad": {**TAINT, "timeAdded": "yesterday"}, "unknown-field": {**TAINT, "operator": "Equal"},
    }  # fmt: skip
    labelled: dict[str, Any] = {
        "value-empty": {"a": ""}, "value-63": {"a": "v" * 63}, "value-64": {"a": "v" * 64}, "value-blank": {"a": "b c"}, "value-true": {"a": True},
        "value-integer": {"a": 1}, "value-null": {"a": None}, "key-bad": {"a b": "c"}, "key-two-slashes": {"a/b/c": "d"}, "key-empty": {"": "c"},
        "key-63": {"k" * 63: "v"}, "key-64": {"k" * 64: "v"}, "prefix-253": {"a" * 253 + "/b": "v"}, "prefix-254": {"a" * 254 + "/b": "v"}, "prefix-capitals": {"Nvidia.com/gpu": "v"},
        "8": {f"k{i}": "v" for i in range(8)}, "9": {f"k{i}": "v" for i in range(9)}, "value-dash-at-end": {"a": "b-"}, "value-slash": {"a": "b/c"}, "reserved": {"kubernetes.io/hostname": "n1"},
    }  # fmt: skip
    tas = put(GOOD, "spec/topologyName", "racks")
    return [
        *common("rf", GOOD),
        ("rf-no-spec", drop(GOOD, "spec")),
        *each("rf-spec", GOOD, "spec", NOT_A_MAP),
        ("rf-unknown-field", put(GOOD, "spec/labels", {})),
        *each("rf-labels-not", GOOD, "spec/nodeLabels", NOT_A_MAP),
        *[(f"rf-node-label-{key}", flavor({"nodeLabels": value})) for key, value in labelled.items()],
        *each("rf-taints-not", GOOD, "spec/nodeTaints", NOT_A_LIST),
        *[(f"rf-taint-{key}", taints(value)) for key, value in tainted.items()],
        ("rf-taints-8", taints(*({**TAINT, "key": f"k{i}"} for i in range(8)))),
        ("rf-taints-9", taints(*({**TAINT, "key": f"k{i}"} for i in range(9)))),
        ("rf-taints-same-key-effect", taints(TAINT, {**TAINT, "value": "other"})),
        ("rf-taints-same-key-other-effect", taints(TAINT, {**TAINT, "effect": "NoExecute"})),
        *each("rf-tolerations-not", GOOD, "spec/tolerations", NOT_A_LIST),
        *[(f"rf-toleration-{key}", tolerations(value)) for key, value in tolerated.items()],
        ("rf-tolerations-8", tolerations(*({"key": f"k{i}", "operator": "Exists"} for i in range(8)))),
        ("rf-tolerations-9", tolerations(*({"key": f"k{i}", "operator": "Exists"} for i in range(9)))),
        (
            "rf-tolerations-twice",
            tolerations({"key": "a", "operator": "Exists"}, {"key": "a", "operator": "Exists"}),
        ),
        ("rf-topology", tas),
        ("rf-topology-without-labels", drop(tas, "spec/nodeLabels")),
        ("rf-topology-empty-labels", put(tas, "spec/nodeLabels", {})),
        *each("rf-topology", GOOD, "spec/topologyName", NAMES),
        *each("rf-topology-not", GOOD, "spec/topologyName", NOT_TEXT),
        ("rf-v1beta1-bad-label", put(flavor({"nodeLabels": {"a b": "c"}}), "apiVersion", f"{GROUP}/v1beta1")),
    ]


def updates() -> list[tuple[str, Any, Any]]:
    tas = put(GOOD, "spec/topologyName", "racks")
    return [
        ("rf-update-labels", GOOD, put(GOOD, "spec/nodeLabels", {"a": "b"})),
        ("rf-update-add-topology", GOOD, tas),
        ("rf-update-drop-topology", tas, GOOD),
        ("rf-update-topology", tas, put(tas, "spec/topologyName", "blocks")),
        ("rf-update-topology-labels", tas, put(tas, "spec/nodeLabels", {"a": "b"})),
        ("rf-update-topology-taints", tas, put(tas, "spec/nodeTaints", [TAINT])),
        (
            "rf-update-topology-tolerations",
            tas,
            put(tas, "spec/tolerations", [{"key": "a", "operator": "Exists"}]),
        ),
    ]
