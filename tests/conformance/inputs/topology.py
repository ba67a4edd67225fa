"""Inputs for Topology."""

from __future__ import annotations

from typing import Any

from edit import GROUP, NOT_A_LIST, NOT_A_MAP, NOT_TEXT, common, drop, each, put

KIND = "Topology"
HOST = "kubernetes.io/hostname"


def topology(*labels: Any) -> dict[str, Any]:
    return {"apiVersion": f"{GROUP}/v1beta2", "kind": KIND, "metadata": {"name": "racks"}, "spec": {"levels": [{"nodeLabel": label} for label in labels]}}  # fmt: skip


GOOD = topology("example.com/block", "example.com/rack", HOST)


def cases() -> list[tuple[str, Any]]:
    labels: dict[str, Any] = {
        "plain": "rack", "blank": "my rack", "capitals": "Rack", "two-slashes": "a/b/c", "63": "r" * 63, "64": "r" * 64, "empty": "", "slash-first": "/rack", "slash-last": "rack/",
        "316": "a" * 252 + "/" + "b" * 63, "317": "a" * 253 + "/" + "b" * 63, "318": "a" * 253 + "/" + "b" * 64, "prefix-capitals": "Example.com/rack", "dash-at-end": "rack-", "umlaut": "r\u00e4ck",
    }  # fmt: skip
    return [
        *common("tp", GOOD),
        ("tp-no-spec", drop(GOOD, "spec")),
        *each("tp-spec", GOOD, "spec", NOT_A_MAP),
        ("tp-unknown-field", put(GOOD, "spec/level", [])),
        *each("tp-levels", GOOD, "spec/levels", NOT_A_LIST),
        ("tp-no-levels", drop(GOOD, "spec/levels")),
        ("tp-level-empty", put(GOOD, "spec/levels", [{}])),
        ("tp-level-null", put(GOOD, "spec/levels", [None])),
        ("tp-level-text", put(GOOD, "spec/levels", [HOST])),
        ("tp-level-unknown-field", put(GOOD, "spec/levels/0/name", "block")),
        *each("tp-label-not", GOOD, "spec/levels/0/nodeLabel", NOT_TEXT),
        *[(f"tp-label-{key}", topology(value, HOST)) for key, value in labels.items()],
        ("tp-only-host", topology(HOST)),
        ("tp-no-host", topology("example.com/rack")),
        ("tp-host-first", topology(HOST, "example.com/rack")),
        ("tp-host-middle", topology("example.com/block", HOST, "example.com/rack")),
        ("tp-twice", topology("example.com/rack", "example.com/rack", HOST)),
        ("tp-host-twice", topology(HOST, HOST)),
        ("tp-levels-16", topology(*(f"example.com/l{i}" for i in range(16)))),
        ("tp-levels-17", topology(*(f"example.com/l{i}" for i in range(17)))),
    ]


def updates() -> list[tuple[str, Any, Any]]:
    return [
        ("tp-update-levels", GOOD, topology("example.com/rack", HOST)),
        ("tp-update-label", GOOD, put(GOOD, "metadata/labels", {"a": "b"})),
        (
            "tp-update-add-level",
            GOOD,
            topology("example.com/zone", "example.com/block", "example.com/rack", HOST),
        ),
    ]
