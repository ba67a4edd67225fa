"""`kohort explain teams/NAME`: behind the derived numbers, the largest job of every queue on every cluster."""

import pytest

from kohort.engine.explaining import explain_team_text
from kohort.engine.usage import UsageProblem

FILES = {
    "kohort.yaml": "kind: Organisation\nmetadata: {name: org}\nspec: {}\n",
    "clusters/lab/cluster.yaml": """\
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - {name: gpu, flavor: gpu, nodes: 3, accelerator: example.com/gpu, labels: {pool: gpu}, perNode: {cpu: 100, memory: 1000Gi, example.com/gpu: 8}}
""",
    "clusters/lab/maintenance/one.yaml": "kind: Maintenance\nmetadata: {name: one}\nspec: {cluster: lab, node: gpu-2, reason: fan, state: active}\n",
    "queues/all.yaml": """\
kind: Flavor
metadata: {name: gpu}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: Cohort
metadata: {name: all}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: meek}
spec: {preemption: {reclaimWithinCohort: Never}}
""",
    "teams/blue/team.yaml": """\
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue]
  queues:
  - {name: train, class: batch, cohort: all, quota: {lab: [{flavor: gpu, gpus: 8}]}}
  - {name: serve, class: batch, quota: {lab: [{flavor: gpu, gpus: 4}]}}
  - {name: idle, class: meek, cohort: all, quota: {lab: [{flavor: gpu, gpus: 4, lend: 3}]}}
""",
    "teams/red/team.yaml": """\
kind: Team
metadata: {name: red}
spec: {namespaces: [red], class: batch, cohort: all, quota: {lab: [{flavor: gpu, gpus: 8}]}}
""",
    "teams/bare/team.yaml": "kind: Team\nmetadata: {name: bare}\nspec: {namespaces: [bare], queues: []}\n",
}


def explained(tmp_path, team):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"apiVersion: kohort.dev/v1alpha1\n{text}")
    return explain_team_text(tmp_path, team)


def test_the_largest_job_is_bounded_by_quota_and_by_healthy_nodes(tmp_path):
    text = explained(tmp_path, "blue")
    # 24 GPUs are promised, of which 16 stand on healthy nodes: borrowing reaches 16 and not the cohort's 20 - 1.
    assert text.partition("largest job")[2].splitlines() == [
        ", by quota and healthy nodes",
        "  train on lab, flavor gpu: guaranteed 8 GPUs, by reclaim 8, by borrowing 16",
        "  serve on lab, flavor gpu: guaranteed 4 GPUs, by reclaim 4, by borrowing 4",
        "  idle on lab, flavor gpu: guaranteed 1 GPU, by reclaim 1, by borrowing 16",
    ]


def test_a_flavor_without_gpus_is_counted_in_what_it_has(tmp_path, monkeypatch):
    pool = "  - {name: cpu, flavor: cpu, nodes: 1, labels: {pool: cpu}, perNode: {cpu: 10, memory: 100Gi}}\n"
    monkeypatch.setitem(FILES, "clusters/lab/cluster.yaml", FILES["clusters/lab/cluster.yaml"] + pool)
    flavor = "---\napiVersion: kohort.dev/v1alpha1\nkind: Flavor\nmetadata: {name: cpu}\nspec: {}\n"
    monkeypatch.setitem(FILES, "queues/all.yaml", FILES["queues/all.yaml"] + flavor)
    red = FILES["teams/red/team.yaml"].replace("gpus: 8}", "gpus: 8}, {flavor: cpu, nodes: 1}")
    monkeypatch.setitem(FILES, "teams/red/team.yaml", red)
    rows = explained(tmp_path, "red").partition("largest job")[2].splitlines()
    assert rows[-1] == "  red on lab, flavor cpu: guaranteed 10 cpu, by reclaim 10, by borrowing 10"


def test_the_derived_numbers_come_first(tmp_path):
    text = explained(tmp_path, "red")
    assert text.startswith("team red: namespaces red\n\nqueue red: class batch, cohort all\n")
    assert "example.com/gpu" in text.partition("largest job")[0]


def test_a_team_without_quota_has_no_jobs(tmp_path):
    assert explained(tmp_path, "bare") == "team bare: namespaces bare\n\nno quota"


@pytest.mark.parametrize(
    ("team", "message"),
    [
        ("blu", "there is no team blu; did you mean `blue`?"),
        ("greenest", "there is no team greenest; there are: bare, blue, red"),
        ("torn", "team torn cannot be read: `kohort check` says why"),
    ],
)
def test_a_team_that_is_not_there(tmp_path, team, message):
    (tmp_path / "teams/torn").mkdir(parents=True)
    torn = "apiVersion: kohort.dev/v1alpha1\nkind: Team\nmetadata: {name: torn}\nspec: {}\n"
    (tmp_path / "teams/torn/team.yaml").write_text(torn)
    with pytest.raises(UsageProblem) as problem:
        explained(tmp_path, team)
    assert str(problem.value) == message


def test_teams_are_explained_in_a_repository_only(tmp_path):
    with pytest.raises(UsageProblem, match=r"this folder has no kohort\.yaml"):
        explain_team_text(tmp_path, "blue")
