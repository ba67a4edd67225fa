"""Inputs for MultiKueueCluster."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NAMES, NOT_A_MAP, NOT_TEXT, common, drop, each, put

KIND = "MultiKueueCluster"
GOOD: dict[str, Any] = {
    "apiVersion": f"{GROUP}/v1beta2",
    "kind": KIND,
    "metadata": {"name": "east"},
    "spec": {"clusterSource": {"kubeConfig": {"location": "east-secret", "locationType": "Secret"}}},
}
OLD: dict[str, Any] = {
    **GOOD,
    "apiVersion": f"{GROUP}/v1beta1",
    "spec": {"kubeConfig": {"location": "east-secret", "locationType": "Secret"}},
}
FILE = "spec/clusterSource/kubeConfig"


def cases() -> list[tuple[str, Any]]:
    return [
        *common("mk", GOOD),
        ("mk-no-spec", drop(GOOD, "spec")),
        *each("mk-spec", GOOD, "spec", NOT_A_MAP),
        ("mk-unknown-field", put(GOOD, "spec/kubeConfig", {})),
        ("mk-no-source", drop(GOOD, "spec/clusterSource")),
        *each("mk-source", GOOD, "spec/clusterSource", NOT_A_MAP),
        ("mk-both", put(GOOD, "spec/clusterSource/clusterProfileRef", {"name": "east"})),
        ("mk-profile", put(GOOD, "spec/clusterSource", {"clusterProfileRef": {"name": "east"}})),
        ("mk-profile-no-name", put(GOOD, "spec/clusterSource", {"clusterProfileRef": {}})),
        *[(f"mk-profile-name-{k}", put(GOOD, "spec/clusterSource", {"clusterProfileRef": {"name": v}})) for k, v in NAMES.items()],
        *each("mk-file", GOOD, FILE, NOT_A_MAP),
        ("mk-no-location", drop(GOOD, f"{FILE}/location")),
        *each("mk-location-not", GOOD, f"{FILE}/location", NOT_TEXT),
        *each("mk-location", GOOD, f"{FILE}/location", {"empty": "", "256": "a" * 256, "257": "a" * 257, "bad-secret-name": "My Secret"}),
        ("mk-no-type", drop(GOOD, f"{FILE}/locationType")),
        *each("mk-type", GOOD, f"{FILE}/locationType", {"path": "Path", "secret": "Secret", "unknown": "File", "empty": "", "null": None}),
        ("mk-path-inside", put(GOOD, FILE, {"location": "/etc/multikueue/kubeconfigs/east", "locationType": "Path"})),
        ("mk-path-outside", put(GOOD, FILE, {"location": "/tmp/east", "locationType": "Path"})),
        ("mk-path-relative", put(GOOD, FILE, {"location": "../east", "locationType": "Path"})),
        ("mk-old-good", OLD),
        ("mk-old-profile", put(OLD, "spec", {"clusterProfileRef": {"name": "east"}})),
        ("mk-old-both", put(OLD, "spec/clusterProfileRef", {"name": "east"})),
        ("mk-old-empty", put(OLD, "spec", {})),
        ("mk-old-new-field", put(OLD, "spec/clusterSource", {})),
    ]  # fmt: skip
