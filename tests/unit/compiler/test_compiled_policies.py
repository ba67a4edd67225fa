"""The expressions are evaluated with a real CEL engine on objects that a server would hand to them."""

import pytest

cel = pytest.importorskip("cel", reason="common-expression-language is not installed")

SCHEDULING = ("  slack:", "  scheduling: {scheduler: second, packing: true}\n  slack:")


def judge(result, policy, obj):
    spec = result.get("ValidatingAdmissionPolicy", policy).data["spec"]
    known = {}
    for variable in spec.get("variables", []):
        known[variable["name"]] = cel.evaluate(variable["expression"], {"object": obj})
    return all(
        cel.evaluate(v["expression"], {"object": obj, "variables": known}) for v in spec["validations"]
    )


def job(**metadata):
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x", **metadata}}


@pytest.mark.parametrize(
    ("metadata", "allowed"),
    [
        ({}, False),
        ({"labels": {"a": "b"}}, False),
        ({"labels": {"kueue.x-k8s.io/queue-name": ""}}, False),
        ({"labels": {"kueue.x-k8s.io/queue-name": "train"}}, True),
        ({"ownerReferences": [{"kind": "AppWrapper", "controller": True}]}, True),
        ({"ownerReferences": [{"kind": "Thing"}]}, False),
        ({"ownerReferences": [{"kind": "Thing", "controller": False}]}, False),
    ],
)
def test_a_queue_is_named_or_a_controller_owns_it(base, metadata, allowed):
    assert judge(base, "kohort-require-queue-name", job(**metadata)) is allowed


@pytest.mark.parametrize(
    ("kinds", "allowed"),
    [
        ([("batch/v1", "Job")], True),
        ([("v1", "Pod"), ("v1", "Service")], True),
        ([("batch/v1", "Job"), ("v1", "Secret")], False),
        ([("batch/v1", "CronJob")], False),
        ([("trainer.kubeflow.org/v1alpha1", "TrainJob")], False),
    ],
)
def test_only_permitted_kinds_are_wrapped(base, kinds, allowed):
    components = [{"template": {"apiVersion": version, "kind": kind}} for version, kind in kinds]
    assert judge(base, "kohort-permit-wrapped-kinds", {"spec": {"components": components}}) is allowed


def test_declared_kinds_are_permitted(compile_repo):
    settings = "  appwrapper: {wrappedKinds: [trainer.kubeflow.org/TrainJob, Secret]}\n  slack:"
    result = compile_repo(change=("  slack:", settings))
    for version, kind in (("trainer.kubeflow.org/v1alpha1", "TrainJob"), ("v1", "Secret")):
        components = [{"template": {"apiVersion": version, "kind": kind}}]
        assert judge(result, "kohort-permit-wrapped-kinds", {"spec": {"components": components}}) is True


GPU = {"name": "c", "resources": {"limits": {"example.com/gpu": "1"}}}
CPU = {"name": "c", "resources": {"limits": {"cpu": "1"}}}


@pytest.mark.parametrize(
    ("spec", "allowed"),
    [
        ({"containers": [CPU]}, True),
        ({"containers": [{"name": "bare"}]}, True),
        ({"containers": [GPU]}, False),
        ({"containers": [GPU], "schedulerName": "default-scheduler"}, False),
        ({"containers": [CPU, GPU], "schedulerName": "second"}, True),
        ({"containers": [CPU], "initContainers": [GPU], "schedulerName": "default-scheduler"}, False),
    ],
)
def test_pods_with_accelerators_use_the_clusters_scheduler(compile_repo, spec, allowed):
    assert judge(compile_repo(change=SCHEDULING), "kohort-require-scheduler", {"spec": spec}) is allowed


def test_policies_watch_managed_namespaces_and_every_queued_kind(base):
    for name in base.names("ValidatingAdmissionPolicy"):
        spec = base.get("ValidatingAdmissionPolicy", name).data["spec"]
        assert spec["failurePolicy"] == "Fail"
        assert spec["matchConstraints"]["namespaceSelector"] == {
            "matchLabels": {"kohort.dev/managed": "true"}
        }
        binding = base.get("ValidatingAdmissionPolicyBinding", name).data["spec"]
        assert binding == {"policyName": name, "validationActions": ["Deny"]}
    rules = base.get("ValidatingAdmissionPolicy", "kohort-require-queue-name").get(
        "spec", "matchConstraints", "resourceRules"
    )
    assert [(r["apiGroups"], r["resources"], r["operations"]) for r in rules] == [
        (["batch"], ["jobs"], ["CREATE"]),
        (["workload.codeflare.dev"], ["appwrappers"], ["CREATE"]),
    ]
    assert "kohort-require-scheduler" not in base.names("ValidatingAdmissionPolicy")
