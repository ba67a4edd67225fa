"""Inputs for ProvisioningRequestConfig."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NAMES, NOT_A_LIST, NOT_A_MAP, NOT_A_NUMBER, NOT_TEXT, common, drop, each, put

KIND = "ProvisioningRequestConfig"
GOOD: dict[str, Any] = {
    "apiVersion": f"{GROUP}/v1beta2",
    "kind": KIND,
    "metadata": {"name": "gpu"},
    "spec": {
        "provisioningClassName": "queued-provisioning.gke.io",
        "parameters": {"maxRunDurationSeconds": "604800"},
        "managedResources": ["nvidia.com/gpu"],
    },
}


def numbers(**found: Any) -> dict[str, Any]:
    return {
        **NOT_A_NUMBER,
        "zero": 0,
        "one": 1,
        "minus-one": -1,
        "int32-max": 2**31 - 1,
        "int32-max-plus-1": 2**31,
        **found,
    }


def cases() -> list[tuple[str, Any]]:
    update = {"nodeSelector": [{"key": "a", "valueFromProvisioningClassDetail": "b"}]}
    return [
        *common("pr", GOOD),
        ("pr-no-spec", drop(GOOD, "spec")),
        *each("pr-spec", GOOD, "spec", NOT_A_MAP),
        ("pr-unknown-field", put(GOOD, "spec/className", "x")),
        ("pr-no-class", drop(GOOD, "spec/provisioningClassName")),
        *each("pr-class-not", GOOD, "spec/provisioningClassName", NOT_TEXT),
        *each("pr-class", GOOD, "spec/provisioningClassName", NAMES),
        *each("pr-parameters", GOOD, "spec/parameters", NOT_A_MAP),
        *each("pr-parameter", GOOD, "spec/parameters/a", {"255": "v" * 255, "256": "v" * 256, "empty": "", "integer": 1, "true": True, "null": None, "list": []}),
        ("pr-parameters-100", put(GOOD, "spec/parameters", {f"k{i}": "v" for i in range(100)})),
        ("pr-parameters-101", put(GOOD, "spec/parameters", {f"k{i}": "v" for i in range(101)})),
        *each("pr-managed", GOOD, "spec/managedResources", NOT_A_LIST),
        ("pr-managed-100", put(GOOD, "spec/managedResources", [f"r{i}" for i in range(100)])),
        ("pr-managed-101", put(GOOD, "spec/managedResources", [f"r{i}" for i in range(101)])),
        ("pr-managed-twice", put(GOOD, "spec/managedResources", ["cpu", "cpu"])),
        ("pr-managed-bad-name", put(GOOD, "spec/managedResources", ["my cpu"])),
        ("pr-managed-of-integers", put(GOOD, "spec/managedResources", [1])),
        ("pr-retry-empty", put(GOOD, "spec/retryStrategy", {})),
        ("pr-retry-null", put(GOOD, "spec/retryStrategy", None)),
        ("pr-retry-unknown", put(GOOD, "spec/retryStrategy", {"limit": 1})),
        *each("pr-retry-limit", GOOD, "spec/retryStrategy/backoffLimitCount", numbers()),
        *each("pr-retry-base", GOOD, "spec/retryStrategy/backoffBaseSeconds", numbers()),
        *each("pr-retry-max", GOOD, "spec/retryStrategy/backoffMaxSeconds", numbers()),
        ("pr-retry-base-above-max", put(GOOD, "spec/retryStrategy", {"backoffBaseSeconds": 100, "backoffMaxSeconds": 10})),
        ("pr-updates", put(GOOD, "spec/podSetUpdates", update)),
        ("pr-updates-empty", put(GOOD, "spec/podSetUpdates", {})),
        ("pr-updates-8", put(GOOD, "spec/podSetUpdates", {"nodeSelector": [{"key": f"k{i}", "valueFromProvisioningClassDetail": "b"} for i in range(8)]})),
        ("pr-updates-9", put(GOOD, "spec/podSetUpdates", {"nodeSelector": [{"key": f"k{i}", "valueFromProvisioningClassDetail": "b"} for i in range(9)]})),
        ("pr-updates-twice", put(GOOD, "spec/podSetUpdates", {"nodeSelector": update["nodeSelector"] * 2})),
        ("pr-updates-no-key", put(GOOD, "spec/podSetUpdates", {"nodeSelector": [{"valueFromProvisioningClassDetail": "b"}]})),
        ("pr-updates-no-value", put(GOOD, "spec/podSetUpdates", {"nodeSelector": [{"key": "a"}]})),
        ("pr-updates-bad-key", put(GOOD, "spec/podSetUpdates", {"nodeSelector": [{"key": "a b", "valueFromProvisioningClassDetail": "b"}]})),
        ("pr-updates-map", put(GOOD, "spec/podSetUpdates", {"nodeSelector": {"a": "b"}})),
        *each("pr-merge", GOOD, "spec/podSetMergePolicy", {"templates": "IdenticalPodTemplates", "requirements": "IdenticalWorkloadSchedulingRequirements", "unknown": "Identical", "empty": "", "null": None}),
    ]  # fmt: skip
