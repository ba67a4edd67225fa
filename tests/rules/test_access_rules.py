"""Rules on roles and bindings: who is a tenant, what a grant gives, and what stays silent."""

from __future__ import annotations

import pytest
from judged import Judged, flavor, local, queue

from kohort.diagnostics import Consequence, Severity

RBAC = "rbac.authorization.k8s.io"
QUEUES = f"{flavor('cpu')}---\n{queue('q', 'cpu 8')}---\n{local('main', 'q')}"
JOBS = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nintegrations: {frameworks: [%s]}\n"


def role(*rules, name="member", more=""):
    listed = "".join(f"- {{apiGroups: [{g}], resources: [{r}], verbs: [{v}]}}\n" for g, r, v in rules)
    return f"apiVersion: {RBAC}/v1\nkind: ClusterRole\nmetadata: {{name: {name}}}\n{more}rules:\n{listed}"


def bind(name="member", subject="kind: Group, name: people", where="team-a", kind="ClusterRole"):
    wide = "Cluster" if not where else ""
    space = f", namespace: {where}" if where else ""
    return (
        f"apiVersion: {RBAC}/v1\nkind: {wide}RoleBinding\nmetadata: {{name: b{space}}}\n"
        f"roleRef: {{kind: {kind}, name: {name}}}\nsubjects:\n- {{{subject}}}\n"
    )


def test_cluster_scoped_kinds_in_a_namespace_grant_nothing():
    reads = role(('""', "pods", "get"), ("kueue.x-k8s.io", "localqueues, clusterqueues", "get"))
    judged = Judged(reads, bind())
    found = judged.only("ACC701")
    assert found.field == "rules[1].resources[1]"
    assert judged.place(found) == ("0.yaml", 6)
    assert judged.place(found.related[0])[0] == "1.yaml"
    assert found.severity is Severity.WARNING


def test_cluster_scoped_kinds_bound_for_the_cluster_are_right():
    reads = role(("kueue.x-k8s.io", "clusterqueues", "get"))
    assert Judged(reads, bind(where="")).codes("ACC") == []
    assert Judged(reads, bind(), bind(where="")).codes("ACC") == []
    assert Judged(reads).codes("ACC") == []  # not bound: nobody knows how it will be


def test_a_namespace_can_be_read_from_inside():
    assert Judged(role(('""', "namespaces", "get")), bind()).codes("ACC") == []
    assert Judged(role(('""', "namespaces", "list")), bind()).codes("ACC") == ["ACC701"]


@pytest.mark.parametrize(
    ("rule", "frameworks", "bypass"),
    [
        (('""', "pods", "create"), "batch/job", "create pods"),
        (('""', "pods", "create"), "pod", ""),
        (('""', "pods", "delete, get"), "batch/job", ""),
        (("apps", "deployments", "patch"), "batch/job", "patch deployments"),
        (("apps", "deployments", "patch"), "deployment", ""),
        (("batch", "jobs", "create"), "batch/job", ""),
        (("batch", "jobs", "create"), "ray.io/rayjob", "create jobs"),
        (('"*"', '"*"', '"*"'), "batch/job", "* pods, replicationcontrollers, deployments"),
    ],
)
def test_ways_past_the_queue(rule, frameworks, bypass):
    judged = Judged(QUEUES, role(rule), bind(), JOBS % frameworks)
    found = judged.of("ACC702")
    assert len(found) == bool(bypass)
    if bypass:
        assert f"Group people may {bypass}" in found[0].message
        assert "in namespace team-a, past the queue" in found[0].message
        assert judged.place(found[0]) == ("1.yaml", 5)


@pytest.mark.parametrize(
    ("binding", "codes"),
    [
        (bind(), ["ACC702"]),
        (bind(where="elsewhere"), []),  # no queue there: work is not meant to be queued
        (bind(subject="kind: ServiceAccount, name: ci"), []),
        (bind(subject="kind: Group, name: system:masters"), []),
        (bind(where="", subject="kind: Group, name: admins"), []),
        (bind(where="", subject="kind: Group, name: system:authenticated"), ["ACC702", "ACC710"]),
        (
            f"{bind(name='view')}---\n{bind(where='')}",
            ["ACC702"],
        ),  # the same people are bound in a team's namespace
    ],
)
def test_who_is_a_tenant(binding, codes):
    assert Judged(QUEUES, role(('""', "pods", "create")), binding).codes("ACC") == codes


def test_many_bindings_of_one_role_are_one_finding():
    people = [bind(subject=f"kind: User, name: u{i}") for i in range(5)]
    assert Judged(QUEUES, role(('""', "pods", "create")), *people).codes("ACC") == ["ACC702"]


def test_shipped_roles_create_pods_too():
    judged = Judged(QUEUES, bind(name="edit"))
    assert judged.message("ACC702") == (
        "RoleBinding team-a/b: the ClusterRole edit lets people in namespace team-a create pods, past the queue"
    )
    assert Judged(QUEUES, bind(name="edit"), JOBS % "pod").codes("ACC") == []
    assert Judged(QUEUES, bind(name="view")).codes("ACC") == []


@pytest.mark.parametrize(
    ("rule", "where", "code"),
    [
        (("kueue.x-k8s.io", "workloads/status", "patch"), "team-a", "ACC703"),
        (("kueue.x-k8s.io", "workloads", "update"), "team-a", "ACC703"),
        (("kueue.x-k8s.io", "workloads", "delete, get"), "team-a", None),
        (("kueue.x-k8s.io", "clusterqueues", "update"), "", "ACC703"),
        (("kueue.x-k8s.io", "cohorts", "get"), "", None),
        (("kueue.x-k8s.io", "localqueues", "create"), "team-a", "ACC704"),
        (("kueue.x-k8s.io", "localqueues", "get"), "team-a", None),
    ],
)
def test_tenants_and_quota(rule, where, code):
    other = bind(name="view")
    judged = Judged(QUEUES, role(rule), bind(where=where), other)
    assert judged.codes("ACC") == ([code] if code else [])
    if code == "ACC703":
        assert judged.only(code).severity is Severity.ERROR


def test_stars_where_something_is_written():
    assert Judged(role(("kueue.x-k8s.io", "clusterqueues", '"*"'))).codes("ACC") == ["ACC705"]
    assert Judged(role(("kueue.x-k8s.io", '"*"', "get, list"))).codes("ACC") == []
    assert Judged(role(("example.com", '"*"', '"*"'))).codes("ACC") == []


def test_aggregated_roles():
    more = "aggregationRule: {clusterRoleSelectors: []}\n"
    text = role(('""', "pods", "get"), more=more)
    judged = Judged(text)
    assert judged.place(judged.only("ACC706")) == ("0.yaml", 5)
    assert judged.only("ACC706").consequence is Consequence.DRIFT
    assert Judged(text.replace("{name: member}", "{name: member, uid: x}")).codes("ACC") == []


@pytest.mark.parametrize(
    ("group", "resource", "help_"),
    [
        ("batch", "pytorchjobs", "pytorchjobs are in API group kubeflow.org"),
        ("ray.i", "rayclusters", "rayclusters are in API group ray.io"),
        ("apps", "pods/log", "pods are in API group the core (empty text)"),
        ("kueue.x-k8s.io", "clusterqueue", "did you mean clusterqueues"),
        ("kueue.x-k8s.io", "LocalQueues", "did you mean localqueues?"),
        ("batch", "jobs", None),
        ("kubeflow.org", "jobs", "jobs are in API group batch"),
        ("batch.volcano.sh", "jobs", None),
        ("example.com", "workloads", None),
        ("visibility.kueue.x-k8s.io", "localqueues/pendingworkloads", None),
        ('"", apps', "deployments", None),
        ('"*"', "pytorchjobs", None),
    ],
)
def test_resources_under_another_group(group, resource, help_):
    found = Judged(role((group, resource, "get"))).of("ACC707")
    assert [f.help[0].startswith(help_) for f in found] == ([True] if help_ else [])


def test_missing_roles():
    judged = Judged(role(('""', "pods", "get")), bind(name="membr"))
    assert judged.message("ACC708").endswith("the binding grants nothing without it: did you mean member?")
    assert Judged(bind(name="membr")).codes("ACC") == []  # no role was given at all
    for name in ("view", "system:node", "kueue-batch-user-role"):
        assert Judged(role(('""', "pods", "get")), bind(name=name)).codes("ACC") == []


@pytest.mark.parametrize(
    ("binding", "words"),
    [
        (bind(subject="kind: Group, name: a, apiGroup: v1"), f"a Group has apiGroup {RBAC}, not v1"),
        (
            bind(subject="kind: ServiceAccount, name: a, apiGroup: x"),
            "a ServiceAccount has an empty apiGroup",
        ),
        (bind(subject="kind: ServiceAccount, name: a", where=""), "needs its namespace"),
        (bind(subject="kind: ServiceAccount, name: A_b"), "ServiceAccount A_b: "),
        (bind(subject="kind: Team, name: a"), "a subject is a ServiceAccount, User, Group, not Team"),
        (bind(subject="kind: User"), "a User needs a name"),
        (bind(kind="Role", where=""), "roleRef.kind must be ClusterRole, not Role"),
        (bind(name='""'), "roleRef.name is missing"),
    ],
)
def test_bindings_that_the_server_refuses(binding, words):
    found = Judged(binding).only("ACC709")
    assert words in found.message
    assert found.consequence is Consequence.REFUSED


def test_a_service_account_of_the_same_namespace_needs_none():
    assert Judged(bind(subject="kind: ServiceAccount, name: ci")).codes("ACC") == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ('"team-a "', "blanks or invisible characters"),
        ('"tеam-a"', "U+0435 CYRILLIC SMALL LETTER IE"),
        ("system:authenticated", "everybody who can reach the API server"),
        ('"*"', "no wildcard for people"),
    ],
)
def test_doubtful_names(name, words):
    assert words in Judged(bind(subject=f"kind: Group, name: {name}")).message("ACC710")


@pytest.mark.parametrize(
    "subject", ["kind: User, name: 'alice@example.com'", "kind: User, name: 'system:serviceaccount:a:b'"]
)
def test_names_without_doubt(subject):
    assert Judged(bind(subject=subject)).codes("ACC") == []
