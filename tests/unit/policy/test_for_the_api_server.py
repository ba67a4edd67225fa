"""Policies with `admission`: names that the API server lacks, and kinds that it is not asked about."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

sys.path.insert(0, str(Path(__file__).parents[2] / "plan"))
from plan_world import FILES

HEAD = """\
apiVersion: kohort.dev/v1alpha1
kind: Policy
metadata: {name: p}
spec:
  about: object
  kinds: [%s]
%s  rules:
  - message: m
    expression: >-
      %s
"""


def found(expression="true", kinds="AppWrapper", more="  admission: {}\n"):
    files = {**FILES, "ci/policies/p.yaml": HEAD % (kinds, more, expression)}
    report = check_repository(MemoryTree({k: v.encode() for k, v in files.items()}), Settings())[0].report
    return [(f.code, f.message, f.primary.origin.path) for f in report.findings if f.code.startswith("POL")]


@pytest.mark.parametrize(
    "expression",
    [
        "object.spec.a == 1 || oldObject == null || request.operation == 'CREATE'",
        "namespaceObject.metadata.labels.size() > 0",
        "object.spec.containers.all(c, c.image.matches('^x') && !has(c.resources))",
        "object.metadata.name in ['repository', 'actor']",
        "object.spec.repository.cluster == ''",
        "quantity(object.spec.cpu).isGreaterThan(quantity('1'))",
        "object.items.map(i, i.name).exists(n, n == 'team') // pods.actor",
    ],
)
def test_what_kubernetes_knows_passes(expression):
    assert not [f for f in found(expression) if f[0] == "POL107"]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("object.metadata.name in repository.flavors", "`repository`"),
        ("pods.size() > 0 && cluster == 'a' && actor.admin", "`actor`, `cluster`, `pods`"),
        ("object.name.frobnicate() == all(object)", "`all()`, `frobnicate()`"),
    ],
)
def test_what_only_kohort_knows_is_named(expression, names):
    ((_, message, path),) = [f for f in found(expression) if f[0] == "POL107"]
    assert message == f"policy p: the API server knows no {names}, so it cannot ask this expression"
    assert path == ("spec", "rules", 0, "expression")


def test_a_kind_that_nobody_knows_is_told_with_the_likely_one():
    assert found(kinds="ClusterQuue", more="") == [
        (
            "POL108",
            "policy p: no cluster has an object of kind `ClusterQuue`; did you mean `ClusterQueue`?",
            ("spec", "kinds", 0),
        )
    ]
    assert found(kinds="AppWrapper, job", more="")[0][1].endswith("kind `job`; did you mean `Job`?")


@pytest.mark.parametrize(
    "kind", ["ClusterQueue", "Namespace", "RoleBinding", "TrainJob", "Service", "Workload"]
)
def test_kinds_of_kueue_of_work_and_of_what_is_compiled_are_known(kind):
    assert found(kinds=kind, more="") == []


def test_a_kind_that_the_server_is_not_asked_about_is_told():
    assert found(kinds="AppWrapper, ClusterQueue") == [
        (
            "POL107",
            "policy p: the API server is asked about work only, so nothing refuses a ClusterQueue there",
            ("spec", "kinds", 1),
        )
    ]


def test_names_with_escapes_are_shown_and_not_obeyed():
    ((code, message, _),) = found(kinds='"\\e[31mX"', more="")
    assert code == "POL108"
    assert "\\x1b[31mX" in message


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("  when: %s\n" % ("x" * 10_001), "has more than 10000 characters"),
        (
            f"  variables: [{', '.join(f'{{name: v{n}, expression: x}}' for n in range(101))}]\n",
            "has more than 100 entries",
        ),
    ],
)
def test_what_is_too_much_says_how_much_is_allowed(more, words):
    files = {**FILES, "ci/policies/p.yaml": HEAD % ("AppWrapper", more, "true")}
    report = check_repository(MemoryTree({k: v.encode() for k, v in files.items()}), Settings())[0].report
    (wrong,) = [f for f in report.findings if f.primary.origin.file == "ci/policies/p.yaml"]
    assert wrong.code == "SRC105"
    assert words in wrong.message
