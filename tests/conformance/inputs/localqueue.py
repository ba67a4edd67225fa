"""Inputs for LocalQueue."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NAMES, NOT_A_MAP, NOT_TEXT, QUANTITIES, common, drop, each, put

KIND = "LocalQueue"
GOOD: dict[str, Any] = {
    "apiVersion": f"{GROUP}/v1beta2",
    "kind": KIND,
    "metadata": {"name": "default", "namespace": "default"},
    "spec": {"clusterQueue": "blue"},
}


def cases() -> list[tuple[str, Any]]:
    weights = {
        k: QUANTITIES[k]
        for k in (
            "zero",
            "integer",
            "minus-one",
            "smallest",
            "below-smallest",
            "word",
            "null",
            "float",
            "true",
            "empty-text",
            "trailing-dot",
            "capital-k",
        )
    }
    return [
        *common("lq", GOOD),
        ("lq-no-namespace", drop(GOOD, "metadata/namespace")),
        ("lq-no-spec", drop(GOOD, "spec")),
        *each("lq-spec", GOOD, "spec", NOT_A_MAP),
        ("lq-unknown-field", put(GOOD, "spec/queue", "blue")),
        ("lq-no-cluster-queue", drop(GOOD, "spec/clusterQueue")),
        *each("lq-cluster-queue", GOOD, "spec/clusterQueue", NAMES),
        *each("lq-cluster-queue-not", GOOD, "spec/clusterQueue", NOT_TEXT),
        *each("lq-stop", GOOD, "spec/stopPolicy", {"none": "None", "hold": "Hold", "drain": "HoldAndDrain", "lower": "hold", "empty": "", "null": None, "true": True}),
        ("lq-fair-empty", put(GOOD, "spec/fairSharing", {})),
        ("lq-fair-null", put(GOOD, "spec/fairSharing", None)),
        *each("lq-weight", GOOD, "spec/fairSharing/weight", weights),
        ("lq-v1beta1-no-cluster-queue", put(drop(GOOD, "spec/clusterQueue"), "apiVersion", f"{GROUP}/v1beta1")),
        ("lq-v1beta1-bad-cluster-queue", put(put(GOOD, "spec/clusterQueue", "Blue"), "apiVersion", f"{GROUP}/v1beta1")),
    ]  # fmt: skip


def updates() -> list[tuple[str, Any, Any]]:
    return [
        ("lq-update-cluster-queue", GOOD, put(GOOD, "spec/clusterQueue", "red")),
        ("lq-update-stop", GOOD, put(GOOD, "spec/stopPolicy", "Hold")),
    ]
