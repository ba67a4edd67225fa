"""ResourceQuota and LimitRange: only what Kueue does not count, stored as the server stores it, each number with its place."""

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.objects.kube import Derived
from kohort.source.tree import MemoryTree
from kohort.spans import Origin

LIMITS = (
    "  slack:",
    """\
  namespaces:
    atMost: {services: 20, requests.storage: 2048Gi, count/jobs.batch: 1000}
    containerDefaults: {cpu: 100m, memory: 1024Mi}
    teams:
      blue: {atMost: {requests.storage: 50Ti}, containerDefaults: {cpu: 0.5}}
  slack:""",
)
CLUSTER = "clusters/lab/cluster.yaml"
RED = """
# file: teams/red/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: red}
spec: {namespaces: [red], class: batch, quota: {lab: [{flavor: cpu, nodes: 1}]}}
"""


@pytest.fixture
def result(compile_repo):
    return compile_repo(change=LIMITS, more=RED)


def test_without_limits_there_are_no_objects(base):
    assert base.names("ResourceQuota") == base.names("LimitRange") == []


def test_a_team_differs_resource_by_resource_in_all_its_namespaces(result):
    assert [(o.namespace, o.data["spec"]["hard"]) for o in sorted_kind(result, "ResourceQuota")] == [
        (namespace, {"services": "20", "requests.storage": storage, "count/jobs.batch": "1k"})
        for namespace, storage in (("blue", "50Ti"), ("blue-dev", "50Ti"), ("red", "2Ti"))
    ]
    assert [(o.namespace, o.data["spec"]["limits"]) for o in sorted_kind(result, "LimitRange")] == [
        (namespace, [{"type": "Container", "defaultRequest": {"cpu": cpu, "memory": "1Gi"}}])
        for namespace, cpu in (("blue", "500m"), ("blue-dev", "500m"), ("red", "100m"))
    ]


def sorted_kind(result, kind):
    found = [obj for objects in result.files.values() for obj in objects if obj.kind == kind]
    return sorted(found, key=lambda obj: obj.namespace)


def test_every_number_knows_who_wrote_it(result):
    quota = result.get("ResourceQuota", "kohort-counts", "blue")
    assert isinstance(quota.provenance, Derived)
    limits = Origin(CLUSTER, 0, ("spec", "namespaces"))
    assert quota.at("spec", "hard", "services") == limits.child("atMost", "services")
    assert quota.at("spec", "hard", "requests.storage") == limits.child(
        "teams", "blue", "atMost", "requests.storage"
    )
    ranges = result.get("LimitRange", "kohort-defaults", "red")
    assert ranges.at("spec", "limits", 0, "defaultRequest", "cpu") == limits.child("containerDefaults", "cpu")


def test_they_come_after_their_namespace_and_the_platform_may_apply_them(compile_repo):
    argo = ("  slack:", "  argo: {repoURL: 'https://git.example.com/x.git', namespace: cd}\n" + LIMITS[1])
    made = compile_repo(change=argo)
    waves = {
        kind: int(sorted_kind(made, kind)[0].data["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"])
        for kind in ("Namespace", "ResourceQuota", "LimitRange", "LocalQueue")
    }
    assert waves == {"Namespace": -50, "ResourceQuota": -46, "LimitRange": -46, "LocalQueue": -5}
    platform = made.get("AppProject", "kohort-lab-platform", "cd").data["spec"]
    kinds = [(k["group"], k["kind"]) for k in platform["namespaceResourceWhitelist"]]
    assert ("", "ResourceQuota") in kinds
    assert ("", "LimitRange") in kinds
    team = made.get("AppProject", "kohort-lab-team-blue", "cd").data["spec"]
    assert not {"ResourceQuota", "LimitRange"} & {k["kind"] for k in team["namespaceResourceWhitelist"]}


def judged(base_text, change):
    assert LIMITS[0] in base_text
    text = base_text.replace(LIMITS[0], change)
    files = {}
    for part in text.split("# file: ")[1:]:
        name, _, body = part.partition("\n")
        files[name] = body.encode()
    return check_repository(MemoryTree(files), Settings())[0]


@pytest.mark.parametrize(
    ("name", "resource"),
    [
        ("cpu", "cpu"),
        ("requests.memory", "memory"),
        ("limits.cpu", "cpu"),
        ("pods", "pods"),
        ("count/pods", "pods"),
        ("requests.example.com/gpu", "example.com/gpu"),
    ],
)
def test_what_kueue_counts_is_a_finding_and_stays_out(base_text, name, resource):
    outcome = judged(base_text, f"  namespaces: {{atMost: {{services: 5, {name}: 64}}}}\n  slack:")
    found = [f for f in outcome.report.findings if f.code == "SRC133"]
    assert [f.message for f in found] == [
        f"Cluster lab: {name} may not be bounded per namespace, since Kueue counts {resource}"
    ]
    assert found[0].primary.origin == Origin(CLUSTER, 0, ("spec", "namespaces", "atMost", name), "key")


def test_bounds_that_kueue_counts_are_not_compiled(documents_of, base_text):
    from kohort.compiler import build
    from kohort.model.load import load

    text = base_text.replace(LIMITS[0], "  namespaces: {atMost: {services: 5, requests.cpu: 64}}\n  slack:")
    bundle = build(load(documents_of(text), {}))
    hard = [
        o.data["spec"]["hard"]
        for objects in bundle.clusters["lab"].files.values()
        for o in objects
        if o.kind == "ResourceQuota"
    ]
    assert hard == [{"services": "5"}, {"services": "5"}]


def test_a_default_that_no_queue_covers_is_one_finding_at_the_typed_number(base_text):
    outcome = judged(base_text, "  namespaces: {containerDefaults: {ephemeral-storage: 1Gi}}\n  slack:")
    found = [f for f in outcome.report.findings if f.code == "WKL652"]
    assert [f.primary.origin for f in found] == [
        Origin(CLUSTER, 0, ("spec", "namespaces", "containerDefaults", "ephemeral-storage"))
    ]
