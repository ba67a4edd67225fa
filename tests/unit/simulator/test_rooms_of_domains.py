"""Pods in a thousand domains: which hosts may hold them is judged once per host, not once per domain and host."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_world import jobs_of, played

from kohort.simulator.placement import board

HOSTS = 60
API = "---\napiVersion: kueue.x-k8s.io/v1beta2\n"
TREE = (
    API + "kind: Topology\nmetadata: {name: racks}\n"
    "spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}\n"
    + API
    + "kind: ResourceFlavor\nmetadata: {name: gpu}\nspec: {nodeLabels: {pool: gpu}, topologyName: racks}\n"
    + API
    + "kind: ClusterQueue\nmetadata: {name: blue}\nspec:\n  namespaceSelector: {}\n  resourceGroups:\n"
    "  - coveredResources: [nvidia.com/gpu]\n"
    "    flavors: [{name: gpu, resources: [{name: nvidia.com/gpu, nominalQuota: 480}]}]\n"
    + API
    + "kind: LocalQueue\nmetadata: {name: lq, namespace: blue}\nspec: {clusterQueue: blue}\n"
)


def node(i: int) -> str:
    room = "{nvidia.com/gpu: 8, pods: 100}"
    labels = f"{{pool: gpu, rack: r{i // 2}, kubernetes.io/hostname: n{i}}}"
    return (
        f"---\napiVersion: v1\nkind: Node\nmetadata: {{name: n{i}, labels: {labels}}}\n"
        f"status: {{capacity: {room}, allocatable: {room}}}\n"
    )


def test_hosts_are_judged_once_per_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    judged = 0
    real = board.allowed

    def counting(ask, flavors, hosts):
        nonlocal judged
        judged += 1
        return real(ask, flavors, hosts)

    monkeypatch.setattr(board, "allowed", counting)
    job = (
        "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, duration: 1h, pods: 60, gpus: 8, "
        "topology: {preferred: rack}}]"
    )
    run = played(tmp_path, job, TREE + "".join(node(i) for i in range(HOSTS)))
    (attempt,) = jobs_of(run)["blue/a-1"].attempts
    assert sorted(attempt.nodes) == sorted(f"n{i}" for i in range(HOSTS))
    assert judged == 1
