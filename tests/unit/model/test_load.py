"""Documents together: kinds, places, names that occur twice, references."""

from __future__ import annotations

import random

import pytest
from model_support import CLUSTER, HEAD, files_of, found, repo_of, team

from kohort.model.load import load
from kohort.objects.intake import take_in
from kohort.source.reader import read_file


def test_an_unknown_kind_suggests_a_real_one():
    text = f"# file: queues/a.yaml\n{HEAD}kind: Flavour\nmetadata: {{name: x}}\nspec: {{}}\n"
    assert found(text) == [
        (
            "SRC108",
            "queues/a.yaml:2:7",
            "there is no kind `Flavour` in kohort.dev/v1alpha1; did you mean `Flavor`?",
        )
    ]


def test_another_version_is_not_read_and_not_missing():
    text = "# file: queues/a.yaml\napiVersion: kohort.dev/v2\nkind: Flavor\nmetadata: {name: x}\nspec: {}\n"
    assert found(text) == [
        (
            "SRC108",
            "queues/a.yaml:1:13",
            "Flavor x: this Kohort reads kohort.dev/v1alpha1, not `kohort.dev/v2`",
        )
    ]
    assert repo_of(text).broken == {("Flavor", "x")}


@pytest.mark.parametrize(
    ("file", "kind", "spec", "message"),
    [
        (
            "queues/x.yaml",
            "Team",
            "{namespaces: [a]}",
            "Team x stands in queues/x.yaml; a Team belongs in teams/<name>/",
        ),
        ("teams/x/f.yaml", "Flavor", "{}", "Flavor x stands in teams/x/f.yaml; a Flavor belongs in queues/"),
        (
            "queues/o.yaml",
            "Organisation",
            "{}",
            "Organisation x stands in queues/o.yaml; an Organisation belongs in kohort.yaml",
        ),
        (
            "queues/e.yaml",
            "Exception",
            "{codes: [A], owner: o, reason: r, expires: 2026-01-01}",
            "Exception x stands in queues/e.yaml; an Exception belongs in ci/exceptions/",
        ),
    ],
)
def test_a_kind_in_the_wrong_folder(file, kind, spec, message):
    text = f"# file: {file}\n{HEAD}kind: {kind}\nmetadata: {{name: x}}\nspec: {spec}\n"
    assert found(text) == [("SRC109", f"{file}:2:7", message)]


def test_a_folder_with_another_name():
    text = team("namespaces: [a]").replace("teams/blue/", "teams/red/")
    assert found(text) == [
        ("SRC109", "teams/red/team.yaml:3:18", "Team blue says name `blue`, but stands in teams/red")
    ]
    assert "blue" in repo_of(text).teams  # who wrote it is clear enough to go on


def test_the_second_declaration_names_the_first_and_does_not_count():
    text = team("namespaces: [one]") + team("namespaces: [two]").replace("team.yaml", "zzz.yaml")
    assert found(text) == [
        (
            "SRC107",
            "teams/blue/zzz.yaml:3:18",
            "Team blue is declared twice: here and in teams/blue/team.yaml, which counts",
        )
    ]
    repo = repo_of(text)
    assert repo.teams["blue"].namespaces == ("one",)
    assert repo.findings[0].related[0].origin.file == "teams/blue/team.yaml"


def test_maintenances_of_two_clusters_may_share_a_name():
    one = f"# file: clusters/a/maintenance/m.yaml\n{HEAD}kind: Maintenance\nmetadata: {{name: m}}\nspec: {{cluster: a, rack: r, reason: x, state: done}}\n"
    repo = repo_of(one + one.replace("clusters/a", "clusters/b").replace("cluster: a", "cluster: b"))
    assert len(repo.maintenances) == 2
    assert {f.code for f in repo.findings} == {"SRC131"}  # only the clusters are missing


def test_a_kubernetes_object_outside_raw_is_in_the_wrong_place():
    text = "# file: queues/x.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
    assert found(text) == [
        ("SRC109", "queues/x.yaml:2:7", "ConfigMap x stands outside the raw/ folders, so no cluster gets it")
    ]


def test_raw_manifests_of_an_undeclared_cluster():
    objects = take_in(
        [read_file("clusters/x/raw/a.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")]
    ).objects
    repo = load([], {"x": objects})
    assert [(f.code, f.message) for f in repo.findings] == [
        ("SRC109", "clusters/x has manifests but no Cluster x is declared")
    ]


def test_the_short_form_is_one_queue_named_after_the_team():
    short = repo_of(
        team(
            "namespaces: [blue]\nclass: batch\ncohort: all\ndefault: true\nquota: {lab: [{flavor: gpu, gpus: 8}]}"
        )
    ).teams["blue"]
    long = repo_of(
        team(
            "namespaces: [blue]\nqueues:\n- {name: blue, class: batch, cohort: all, default: true, quota: {lab: [{flavor: gpu, gpus: 8}]}}"
        )
    ).teams["blue"]
    (queue,) = short.queues
    (same,) = long.queues
    assert (queue.name, queue.path) == ("blue", ("spec",))
    assert (same.name, same.path) == ("blue", ("spec", "queues", 0))
    assert (queue.queue_class, queue.cohort, queue.default) == (same.queue_class, same.cohort, same.default)
    assert queue.quota["lab"][0].path == ("spec", "quota", "lab", 0)
    assert queue.quota["lab"][0].origin.file == "teams/blue/team.yaml"


def test_a_team_without_quota_has_no_queue():
    assert repo_of(team("namespaces: [blue]")).teams["blue"].queues == ()


@pytest.mark.parametrize(
    ("extra", "place", "message"),
    [
        (
            team("namespaces: [blue]\nclass: batch\nquota: {lap: [{flavor: gpu, gpus: 8}]}"),
            "teams/blue/team.yaml:7:11",
            "Team blue: there is no Cluster lap; did you mean `lab`?",
        ),
        (
            team("namespaces: [blue]\nqueues: [{name: a, class: batch, namespaces: [red]}]"),
            "teams/blue/team.yaml:6:49",
            "Team blue: queue a is for namespace red, which is none of the team's",
        ),
        (
            f"# file: clusters/lab/maintenance/m.yaml\n{HEAD}kind: Maintenance\nmetadata: {{name: m}}\nspec: {{cluster: lab, node: gpu-9, reason: x, state: active}}\n",
            "clusters/lab/maintenance/m.yaml:4:28",
            "Maintenance m: there is no node gpu-9 of cluster lab; did you mean `gpu-0`?",
        ),
        (
            f"# file: clusters/lab/maintenance/m.yaml\n{HEAD}kind: Maintenance\nmetadata: {{name: m}}\nspec: {{cluster: lab, rack: r1, reason: x, state: active}}\n",
            "clusters/lab/maintenance/m.yaml:4:28",
            "Maintenance m: there is no rack r1 of cluster lab",
        ),
        (
            f"# file: queues/c.yaml\n{HEAD}kind: Cohort\nmetadata: {{name: c}}\nspec: {{clusters: {{lob: {{}}}}}}\n",
            "queues/c.yaml:4:19",
            "Cohort c: there is no Cluster lob; did you mean `lab`?",
        ),
        (
            team("namespaces: [blue]\nclass: batch\ncohort: al\nquota: {lab: [{flavor: gpu, gpus: 8}]}"),
            "teams/blue/team.yaml:7:11",
            "Team blue: there is no Cohort al; did you mean `all`?",
        ),
        (
            f"# file: queues/c.yaml\n{HEAD}kind: Cohort\nmetadata: {{name: c}}\nspec: {{parent: organisation}}\n",
            "queues/c.yaml:4:16",
            "Cohort c: there is no Cohort organisation",
        ),
    ],
)
def test_a_name_that_nothing_declares(extra, place, message):
    assert found(CLUSTER + extra) == [("SRC131", place, message)]


def test_slack_in_a_cohort_that_is_not_declared():
    slack = "  slack: [{cohort: alls, flavor: gpu, amount: remainder}]\n# file: queues/flavors.yaml"
    text = CLUSTER.replace("# file: queues/flavors.yaml", slack)
    (code, place, message), *more = found(text)
    assert (code, message, more) == (
        "SRC131",
        "Cluster lab: there is no Cohort alls; did you mean `all`?",
        [],
    )
    assert place.startswith("clusters/lab/cluster.yaml:")


def test_a_pool_of_an_undeclared_flavor_is_one_finding():
    text = CLUSTER.replace("flavor: gpu", "flavor: gpux")
    assert found(text) == [
        (
            "SRC131",
            "clusters/lab/cluster.yaml:9:13",
            "Cluster lab: there is no Flavor gpux; did you mean `gpu`?",
        )
    ]


def test_an_isolated_class_in_a_cohort():
    text = CLUSTER.replace(
        "kind: QueueClass\nmetadata: {name: batch}\nspec: {}",
        "kind: QueueClass\nmetadata: {name: batch}\nspec: {isolated: true}",
    )
    text += team("namespaces: [blue]\nclass: batch\ncohort: all\nquota: {lab: [{flavor: gpu, gpus: 8}]}")
    assert found(text) == [
        (
            "SRC132",
            "teams/blue/team.yaml:7:11",
            "Team blue: queue blue of class batch may not stand in a cohort, but is in all",
        )
    ]


def test_limits_on_a_root_cohort_are_refused():
    text = (
        CLUSTER
        + f"# file: queues/c.yaml\n{HEAD}kind: Cohort\nmetadata: {{name: c}}\nspec: {{clusters: {{lab: {{lend: {{gpu: 1}}}}}}}}\n"
    )
    assert found(text) == [
        (
            "SRC105",
            "queues/c.yaml:4:31",
            "Cohort c: spec.clusters.lab.lend: a root cohort has nobody to lend to or borrow from; give it a parent or drop the field",
        )
    ]


def test_the_order_of_files_decides_nothing():
    text = (
        CLUSTER
        + team("namespaces: [blue]")
        + team("namespaces: [blue, blue]", "red")
        + team("namespaces: [x]").replace("team.yaml", "b.yaml")
    )
    files = list(files_of(text).items())
    seen = []
    for seed in range(6):
        random.Random(seed).shuffle(files)
        intake = take_in(read_file(file, body.encode()) for file, body in files)
        seen.append(load(intake.declarations, {}))
    assert all(repo == seen[0] for repo in seen[1:])
    assert [f.code for f in seen[0].findings] == ["SRC107", "SRC107"]


def test_every_kind_is_declared_as_it_was_written():
    text = f"""\
# file: queues/all.yaml
{HEAD}kind: QueueClass
metadata: {{name: prod}}
spec:
  strategy: StrictFIFO
  preemption: {{reclaimWithinCohort: Any, withinClusterQueue: LowerPriority, borrowWithinCohort: {{policy: LowerPriority, maxPriorityThreshold: 7}}}}
  fungibility: {{whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: PreemptionOverBorrowing}}
---
{HEAD}kind: Priority
metadata: {{name: high}}
spec: {{value: 10, pods: true, podPreemption: PreemptLowerPriority}}
---
{HEAD}kind: AdmissionCheck
metadata: {{name: spot}}
spec: {{provisioning: {{class: check-capacity.autoscaling.x-k8s.io, retry: {{limit: 1}}}}}}
---
{HEAD}kind: AdmissionCheck
metadata: {{name: own}}
spec: {{controller: example.com/budget}}
---
{HEAD}kind: Topology
metadata: {{name: racks}}
spec: {{levels: [rack, kubernetes.io/hostname]}}
"""
    repo = repo_of(text)
    assert repo.findings == ()
    prod = repo.classes["prod"]
    assert (prod.strategy, prod.reclaim_within_cohort, prod.within_cluster_queue) == (
        "StrictFIFO",
        "Any",
        "LowerPriority",
    )
    assert (prod.borrow_within_cohort, prod.max_priority_threshold, prod.preference) == (
        "LowerPriority",
        7,
        "PreemptionOverBorrowing",
    )
    high = repo.priorities["high"]
    assert (high.value, high.pods, high.pod_preemption, high.default) == (
        10,
        True,
        "PreemptLowerPriority",
        False,
    )
    spot = repo.checks["spot"]
    assert spot.controller == "provisioning"
    assert spot.provisioning["class"] == "check-capacity.autoscaling.x-k8s.io"
    assert spot.provisioning["retry"] == {"limit": 1, "baseSeconds": 60, "maxSeconds": 1800}
    assert repo.checks["own"].controller == "example.com/budget"
    assert repo.topologies["racks"].levels == ("rack", "kubernetes.io/hostname")
