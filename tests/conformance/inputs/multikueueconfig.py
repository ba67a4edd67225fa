"""Inputs for MultiKueueConfig."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NAMES, NOT_A_LIST, NOT_A_MAP, common, drop, each, put

KIND = "MultiKueueConfig"
GOOD: dict[str, Any] = {
    "apiVersion": f"{GROUP}/v1beta2",
    "kind": KIND,
    "metadata": {"name": "workers"},
    "spec": {"clusters": ["east", "west"]},
}


def cases() -> list[tuple[str, Any]]:
    return [
        *common("mc", GOOD),
        ("mc-no-spec", drop(GOOD, "spec")),
        *each("mc-spec", GOOD, "spec", NOT_A_MAP),
        ("mc-unknown-field", put(GOOD, "spec/cluster", "east")),
        *each("mc-clusters", GOOD, "spec/clusters", NOT_A_LIST),
        ("mc-no-clusters", drop(GOOD, "spec/clusters")),
        ("mc-twice", put(GOOD, "spec/clusters", ["east", "east"])),
        ("mc-20", put(GOOD, "spec/clusters", [f"c{i}" for i in range(20)])),
        ("mc-21", put(GOOD, "spec/clusters", [f"c{i}" for i in range(21)])),
        ("mc-integer", put(GOOD, "spec/clusters", [1])),
        ("mc-null-item", put(GOOD, "spec/clusters", [None])),
        *each("mc-cluster", GOOD, "spec/clusters/0", {**NAMES, "256": "a" * 256, "257": "a" * 257}),
        *each("mc-quota", GOOD, "spec/quotaManagement", {"manual": "Manual", "automated": "Automated", "unknown": "Auto", "empty": "", "null": None}),
        ("mc-v1beta1-twice", put(put(GOOD, "spec/clusters", ["east", "east"]), "apiVersion", f"{GROUP}/v1beta1")),
        ("mc-v1beta1-quota", put(put(GOOD, "spec/quotaManagement", "Manual"), "apiVersion", f"{GROUP}/v1beta1")),
    ]  # fmt: skip
