"""Clusters of a repository without nodes, and flavors whose nodes come on demand."""

from __future__ import annotations

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

HEAD = "apiVersion: kohort.dev/v1alpha1\n"
CLUSTER = """kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - {name: gpu, flavor: gpu, nodes: NODES, accelerator: a.com/gpu, labels: {pool: gpu}, perNode: {cpu: 64, a.com/gpu: 8}}
"""


def capacity(*, nodes=2, promised=16, flavor="{}", inventory=None):
    files = {
        "kohort.yaml": f"{HEAD}kind: Organisation\nmetadata: {{name: x}}\nspec: {{}}\n",
        "clusters/lab/cluster.yaml": HEAD + CLUSTER.replace("NODES", str(nodes)),
        "queues/flavors.yaml": f"{HEAD}kind: Flavor\nmetadata: {{name: gpu}}\nspec: {flavor}\n",
        "queues/classes.yaml": f"{HEAD}kind: QueueClass\nmetadata: {{name: batch}}\nspec: {{}}\n",
        "teams/blue/team.yaml": f"{HEAD}kind: Team\nmetadata: {{name: blue}}\nspec: {{namespaces: [blue], class: batch, "
        f"quota: {{lab: [{{flavor: gpu, gpus: {promised}}}]}}}}\n",
    }
    if inventory is not None:
        files["clusters/lab/inventory.yaml"] = (
            f"{HEAD}kind: Inventory\nmetadata: {{name: lab}}\nspec: {{observed: 2026-03-30, nodes: {inventory}}}\n"
        )
    report = check_repository(MemoryTree(files), Settings())[0].report
    assert [f for f in report.findings if f.code.startswith("SRC1")] == []
    return {f.code: f for f in report.findings if f.code.startswith("CAP9")}


@pytest.mark.parametrize("given", [{"nodes": 0}, {"inventory": "[]"}, {"nodes": 0, "inventory": "[]"}])
def test_promises_without_any_node_do_not_fit(given):
    found = capacity(**given)
    assert found["CAP904"].message == (
        "ResourceFlavor gpu: the cluster has no nodes, so jobs of ClusterQueues [blue] would be admitted and stay Pending"
    )
    assert found["CAP904"].primary.origin.file == "clusters/lab/cluster.yaml"
    assert found.keys().isdisjoint({"CAP901", "CAP913"})  # one defect, one finding


def test_a_cluster_without_nodes_and_promises_is_in_order():
    assert capacity(nodes=0, promised=0).keys().isdisjoint({"CAP901", "CAP904", "CAP913"})


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_what_comes_on_demand_is_not_measured(nodes):
    found = capacity(nodes=nodes, promised=80, flavor="{elastic: true}")
    assert found.keys().isdisjoint({"CAP901", "CAP902", "CAP903", "CAP904"})
    if nodes:
        assert found["CAP916"].message.startswith(
            "flavor gpu is overcommitted on purpose, without bound (elastic: its nodes come on demand): "
            f"a.com/gpu 80 promised, {8 * nodes} healthy"
        )
        assert found["CAP916"].primary.origin.file == "queues/flavors.yaml"


def test_what_is_not_elastic_is_measured():
    assert "sum of nominalQuota 80 > planned allocatable 16" in capacity(promised=80)["CAP901"].message
    assert "CAP901" in capacity(promised=80, flavor="{elastic: false}")
