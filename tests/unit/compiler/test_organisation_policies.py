"""A policy of the organisation on objects, as the API server gets it."""

from __future__ import annotations

import pytest

POLICY = """
# file: ci/policies/one.yaml
apiVersion: kohort.dev/v1alpha1
kind: Policy
metadata: {name: one}
spec:
  about: object
  kinds: [AppWrapper, Job, Pod, CronTab]
  admission: {operations: [CREATE]}
  variables:
  - {name: labels, expression: "has(object.metadata.labels) ? object.metadata.labels : {}"}
  when: "'team' in variables.labels // only work that names its team"
  rules:
  - {expression: "variables.labels.team != 'x'", message: not x}
  - {expression: "object.metadata.name.size() < 40 // short", messageExpression: "'%s is long'.format([object.metadata.name])", severity: warning}
"""


@pytest.fixture
def result(compile_repo):
    return compile_repo(more=POLICY)


def test_what_the_api_server_gets_whole(result):
    policy = result.get("ValidatingAdmissionPolicy", "kohort-policy-one")
    assert policy.data["spec"] == {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "matchPolicy": "Equivalent",
            "namespaceSelector": {"matchLabels": {"kohort.dev/managed": "true"}},
            "objectSelector": {},
            "resourceRules": [
                rule("workload.codeflare.dev", "appwrappers"),
                rule("batch", "jobs"),
                rule("", "pods"),
            ],
        },
        "variables": [
            {"name": "labels", "expression": "has(object.metadata.labels) ? object.metadata.labels : {}"}
        ],
        "validations": [
            {
                "expression": "!('team' in variables.labels // only work that names its team\n) || "
                "(variables.labels.team != 'x'\n)",
                "message": "not x",
            }
        ],
    }


def rule(group, resource):
    return {
        "apiGroups": [group],
        "apiVersions": ["*"],
        "operations": ["CREATE"],
        "resources": [resource],
        "scope": "Namespaced",
    }


def test_rules_of_severity_error_deny_and_the_others_only_warn(result):
    bindings = {
        name: result.get("ValidatingAdmissionPolicyBinding", name).data["spec"]["validationActions"]
        for name in ("kohort-policy-one", "kohort-warning-one")
    }
    assert bindings == {"kohort-policy-one": ["Deny"], "kohort-warning-one": ["Warn"]}
    (validation,) = result.get("ValidatingAdmissionPolicy", "kohort-warning-one").data["spec"]["validations"]
    assert validation["messageExpression"] == "'%s is long'.format([object.metadata.name])"


def test_a_policy_of_warnings_alone_denies_nothing(compile_repo):
    only = POLICY.replace("message: not x}", "message: not x, severity: info}")
    names = compile_repo(more=only).names("ValidatingAdmissionPolicyBinding")
    assert "kohort-warning-one" in names
    assert "kohort-policy-one" not in names


def test_without_admission_nothing_is_compiled(compile_repo):
    text = POLICY.replace("  admission: {operations: [CREATE]}\n", "")
    assert not [n for n in compile_repo(more=text).names("ValidatingAdmissionPolicy") if n.endswith("-one")]


def test_where_the_policy_is_declared_is_where_the_object_comes_from(result):
    assert result.get("ValidatingAdmissionPolicy", "kohort-policy-one").at().file == "ci/policies/one.yaml"
