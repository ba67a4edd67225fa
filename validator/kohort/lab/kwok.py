"""Fake nodes and pods: kwok's stages from its Go module, and one of our own for pods that end.

A pod with the annotation `lab/run-seconds` (a duration such as `30s`) ends after
that time, with the exit code in `lab/exit-code` (0 when absent); others run for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kohort.lab.upstream import Manifest, documents

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOT_READY = "lab/not-ready"  # annotation: the node stays as it is and kwok leaves it alone
_NOTED = f'.metadata.annotations["{NOT_READY}"]'
_STAGES = (
    "node/fast/node-initialize.yaml",
    "node/heartbeat/node-heartbeat.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-delete.yaml",
)
_ENDED = """
{{ $now := Now }}
{{ $code := or ( index .metadata.annotations "lab/exit-code" ) "0" }}
containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  name: {{ .name | Quote }}
  ready: false
  restartCount: 0
  started: false
  state:
    terminated:
      exitCode: {{ $code }}
      startedAt: {{ $now | Quote }}
      finishedAt: {{ $now | Quote }}
      reason: {{ if eq $code "0" }}Completed{{ else }}Error{{ end }}
{{ end }}
phase: {{ if eq $code "0" }}Succeeded{{ else }}Failed{{ end }}
"""
_END: Manifest = {
    "apiVersion": "kwok.x-k8s.io/v1alpha1",
    "kind": "Stage",
    "metadata": {"name": "lab-pod-end"},
    "spec": {
        "resourceRef": {"apiGroup": "v1", "kind": "Pod"},
        "selector": {
            "matchExpressions": [
                {"key": ".metadata.deletionTimestamp", "operator": "DoesNotExist"},
                {"key": ".status.phase", "operator": "In", "values": ["Running"]},
                {"key": '.metadata.annotations["lab/run-seconds"]', "operator": "Exists"},
            ]
        },
        "delay": {"durationFrom": {"expressionFrom": '.metadata.annotations["lab/run-seconds"]'}},
        "next": {"statusTemplate": _ENDED},
    },
}


_STILL_NOT_READY = """
conditions:
- type: Ready
  status: "False"
  lastHeartbeatTime: {{ Now | Quote }}
"""
# A node that reports nothing for 50 s would become Unknown.
_NOT_READY: Manifest = {
    "apiVersion": "kwok.x-k8s.io/v1alpha1",
    "kind": "Stage",
    "metadata": {"name": "lab-node-not-ready"},
    "spec": {
        "resourceRef": {"apiGroup": "v1", "kind": "Node"},
        "selector": {"matchExpressions": [{"key": _NOTED, "operator": "Exists"}]},
        "delay": {"durationMilliseconds": 15000},
        "next": {"statusTemplate": _STILL_NOT_READY},
    },
}


def configuration(module: Path) -> list[Manifest]:
    """Return the documents of kwok's configuration file: it plays every node and needs no definitions.

    Nodes report by their status, not by leases: a kwok that is started again would wait up to 50 s for the leases of
    the one before, and may then leave the pods of a node alone for good (it looks whether it holds the node's lease
    before it has heard of its own, `pkg/kwok/controllers`, 0.8.0).
    """
    result = list(documents(module / "kustomize" / "kwok" / "kwok.yaml"))
    result[0]["options"].update(manageAllNodes=True, manageNodesWithAnnotationSelector="", enableCRDs=[])
    for name in _STAGES:
        for stage in documents(module / "kustomize" / "stage" / name):
            if stage["spec"]["resourceRef"]["kind"] == "Node":
                left_alone = {"key": _NOTED, "operator": "DoesNotExist"}
                stage["spec"]["selector"]["matchExpressions"].append(left_alone)
            result.append(stage)
    return [*result, _NOT_READY, _END]


def access(module: Path) -> list[Manifest]:
    """Return its service account, role and binding."""
    folder = module / "kustomize" / "rbac"
    return [
        each
        for name in ("service_account.yaml", "role.yaml", "role_binding.yaml")
        for each in documents(folder / name)
    ]


def node(name: str, capacity: Mapping[str, str], labels: Mapping[str, str] | None = None) -> Manifest:
    """Return a fake node.

    Args:
        name: its name, also its hostname label.
        capacity: quantities of its resources, all allocatable; 110 pods unless given.
        labels: further labels.
    """
    resources = {"pods": "110", **capacity}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "status": {"capacity": resources, "allocatable": resources},
    }
