"""The shipped organisation: loads clean, and its promises fit what its nodes can give."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kohort.model.derive import DerivedLine, derive, offer_of
from kohort.model.load import load
from kohort.model.repo import Repo
from kohort.objects.intake import take_in
from kohort.objects.node import read_node
from kohort.source.reader import read_file

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def repo() -> Repo:
    files = [ROOT / "kohort.yaml"]
    for folder in ("clusters", "queues", "teams", "workloads"):
        files += (ROOT / folder).rglob("*.yaml")
    chosen = [f for f in sorted(files) if not {"manifests", "argocd", "raw"} & set(f.relative_to(ROOT).parts)]
    intake = take_in(read_file(str(f.relative_to(ROOT)), f.read_bytes()) for f in chosen)
    return load(intake.declarations, {}, intake.objects)


def guaranteed(repo: Repo, cluster: str) -> dict[str, Counter[str]]:
    sums: dict[str, Counter[str]] = {}
    lines = [
        line for team in repo.teams.values() for queue in team.queues for line in queue.quota.get(cluster, ())
    ]
    for cohort in repo.cohorts.values():
        if cluster in cohort.clusters:
            lines += cohort.clusters[cluster].pool
    for line in lines:
        derived = derive(repo, repo.clusters[cluster], line)
        assert isinstance(derived, DerivedLine)
        for resource, amount in derived.guarantee.items():
            sums.setdefault(line.flavor, Counter())[resource] += amount.value.nano
    return sums


def test_it_loads_without_a_finding(repo):
    assert repo.findings == ()
    assert set(repo.clusters) == {"pokprod", "vela"}
    assert len(repo.teams) == 14


def test_the_tutorials_cluster(repo):
    sums = guaranteed(repo, "pokprod")["h100"]
    assert sums["nvidia.com/gpu"] == 16 * 10**9
    assert sums["cpu"] == 2 * 216 * 10**9
    nodes = [read_node(node) for node in repo.inventories["pokprod"].nodes]
    assert len(nodes) == 3
    assert {str(node.capacity["memory"]) for node in nodes} == {"2113411288Ki"}
    (slack,) = repo.clusters["pokprod"].slack
    assert slack.amount == 8  # 24 − 16


def test_promises_of_vela_fit_its_healthy_nodes(repo):
    cluster = repo.clusters["vela"]
    out = {node for m in repo.maintenances if m.state == "active" for node in m.nodes}
    assert out == {"a100-4"}
    healthy: dict[str, Counter[str]] = {}
    for node in (read_node(node) for node in repo.inventories["vela"].nodes):
        if node.name not in out:
            for resource, amount in node.allocatable.items():
                healthy.setdefault(node.pool, Counter())[resource] += amount.nano
    sums = guaranteed(repo, "vela")
    for flavor in ("a100", "h100", "cpu", "mig"):
        assert all(total <= healthy[flavor][resource] for resource, total in sums[flavor].items()), flavor
    assert sums["a100"]["nvidia.com/gpu"] == 28 * 10**9
    for resource in ("nvidia.com/gpu", "cpu", "memory", "pods"):
        assert sums["h100"][resource] == healthy["h100"][resource]
    for resource in ("nvidia.com/mig-3g.40gb", "nvidia.com/mig-1g.10gb"):
        assert sums["mig"][resource] == offer_of(repo, cluster, "mig").total[resource]
    assert repo.flavors["spot"].elastic


def test_production_shares_nothing_and_the_tree_has_three_levels(repo):
    serving = [(t, q) for t in repo.teams.values() for q in t.queues if q.queue_class == "production"]
    assert len(serving) == 4
    assert all(not q.cohort and {line.flavor for line in q.quota["vela"]} == {"h100"} for _, q in serving)
    depth = {}
    for name in repo.cohorts:
        steps, at = 1, repo.cohorts[name]
        while at.parent:
            steps, at = steps + 1, repo.cohorts[at.parent]
        depth[name] = steps
    assert max(depth.values()) == 3
