"""Inputs for AdmissionCheck."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NAMES, NOT_A_MAP, NOT_TEXT, common, drop, each, put

KIND = "AdmissionCheck"
GOOD: dict[str, Any] = {
    "apiVersion": f"{GROUP}/v1beta2",
    "kind": KIND,
    "metadata": {"name": "capacity"},
    "spec": {
        "controllerName": "kueue.x-k8s.io/provisioning-request",
        "parameters": {"apiGroup": GROUP, "kind": "ProvisioningRequestConfig", "name": "gpu"},
    },
}


def cases() -> list[tuple[str, Any]]:
    return [
        *common("ac", GOOD),
        ("ac-no-spec", drop(GOOD, "spec")),
        *each("ac-spec", GOOD, "spec", NOT_A_MAP),
        ("ac-unknown-field", put(GOOD, "spec/controller", "x")),
        ("ac-old-retry", put(GOOD, "spec/retryDelayMinutes", 5)),
        ("ac-v1beta1-retry", put(put(GOOD, "spec/retryDelayMinutes", 5), "apiVersion", f"{GROUP}/v1beta1")),
        ("ac-no-controller", drop(GOOD, "spec/controllerName")),
        *each("ac-controller-not", GOOD, "spec/controllerName", NOT_TEXT),
        *each("ac-controller", GOOD, "spec/controllerName", NAMES),
        ("ac-no-parameters", drop(GOOD, "spec/parameters")),
        *each("ac-parameters", GOOD, "spec/parameters", NOT_A_MAP),
        *[(f"ac-parameters-no-{key}", drop(GOOD, f"spec/parameters/{key}")) for key in ("apiGroup", "kind", "name")],
        *each("ac-parameter-name", GOOD, "spec/parameters/name", {**NAMES, "63": "a" * 63}),
        *each("ac-parameter-kind", GOOD, "spec/parameters/kind", {"lower": "config", "blank": "My Config", "empty": "", "63": "K" * 63, "64": "K" * 64, "integer": 1, "digits-first": "1Config", "dashes": "my-config"}),
        *each("ac-parameter-group", GOOD, "spec/parameters/apiGroup", {"empty": "", "capitals": "Kueue.x-k8s.io", "253": "a" * 253, "254": "a" * 254, "blank": "a b", "null": None}),
        ("ac-parameter-namespace", put(GOOD, "spec/parameters/namespace", "default")),
    ]  # fmt: skip


def updates() -> list[tuple[str, Any, Any]]:
    return [
        ("ac-update-controller", GOOD, put(GOOD, "spec/controllerName", "example.com/other")),
        ("ac-update-parameters", GOOD, put(GOOD, "spec/parameters/name", "cpu")),
        ("ac-update-drop-parameters", GOOD, drop(GOOD, "spec/parameters")),
    ]
