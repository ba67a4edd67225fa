"""A real server takes the compiled files of the shipped organisation, and Kueue makes of them what Kohort says."""

from __future__ import annotations

from typing import Any

import pytest
from shipped import KUEUE, Object, Standing, built, bundle, conditions, manifests, metrics, wait_for

from kohort.lab.apply import Applier
from kohort.lab.build import build
from kohort.lab.configurations import try_configuration
from kohort.semantics.tree import QuotaTree

pytestmark = [pytest.mark.lab, pytest.mark.slow]
ACTIVE = {"AdmissionCheck": "admissionchecks", "ClusterQueue": "clusterqueues", "LocalQueue": "localqueues"}
_SERVERS = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
# What controllers own on objects that Kohort writes: Kueue's finalizers, and what Kubernetes adds to a namespace.
_CONTROLLERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "AdmissionCheck": (("metadata", "finalizers"),),
    "ClusterQueue": (("metadata", "finalizers"),),
    "ResourceFlavor": (("metadata", "finalizers"),),
    "Topology": (("metadata", "finalizers"),),
    "Namespace": (("spec",), ("metadata", "labels", "kubernetes.io/metadata.name")),
}


def applied(cluster: str) -> list[Object]:
    return [each for each in manifests(cluster) if each["kind"] != "AppWrapper"]


def stripped(stored: Object) -> Object:
    """Without what the server and the controllers own."""
    meta = {key: value for key, value in stored["metadata"].items() if key not in _SERVERS}
    found = {**{key: value for key, value in stored.items() if key != "status"}, "metadata": meta}
    for path in _CONTROLLERS.get(stored["kind"], ()):
        place: Any = found
        for key in path[:-1]:
            place = place[key]
        place.pop(path[-1], None)
    return found


def differences(sent: Any, stored: Any, path: str = "") -> list[str]:
    """Places that differ, in either direction."""
    if isinstance(sent, dict) and isinstance(stored, dict):
        return [
            found
            for key in sorted({*sent, *stored})
            for found in differences(sent.get(key, "absent"), stored.get(key, "absent"), f"{path}.{key}")
        ]
    if isinstance(sent, list) and isinstance(stored, list) and len(sent) == len(stored):
        return [
            found
            for index, pair in enumerate(zip(sent, stored, strict=True))
            for found in differences(*pair, f"{path}[{index}]")
        ]
    return [] if sent == stored else [f"{path}: sent {sent!r}, stored {stored!r}"]


def test_everything_is_applied_in_waves_without_a_warning(organisation: Standing) -> None:
    assert organisation.warnings == []
    for each in applied(organisation.cluster):
        answer = organisation.plane.request("GET", Applier(organisation.plane.client).path(each))
        assert answer.ok, each["metadata"]["name"]


def test_work_in_the_repository_is_taken_without_a_warning(organisation: Standing) -> None:
    work = [each for each in manifests(organisation.cluster) if each["kind"] == "AppWrapper"]
    assert work
    applier = Applier(organisation.plane.client)
    for each in work:
        answer = organisation.plane.client.request(
            "PATCH",
            applier.path(each),
            each,
            {"fieldManager": "kohort-lab", "fieldValidation": "Strict", "dryRun": "All"},
            content_type="application/apply-patch+yaml",
        )
        assert (answer.code, answer.warnings) == (201, ()), answer.body


def test_every_queue_and_check_is_active(organisation: Standing) -> None:
    for kind, collection in ACTIVE.items():
        compiled = {
            "/".join(filter(None, (each["metadata"].get("namespace"), each["metadata"]["name"]))): "True"
            for each in applied(organisation.cluster)
            if each["kind"] == kind
        }
        assert conditions(organisation.plane, collection) == compiled, kind
    assert bool(conditions(organisation.plane, "admissionchecks")) == (organisation.cluster == "vela")


def test_every_cohort_has_the_quota_that_the_tree_shows(organisation: Standing) -> None:
    cluster = built(organisation.cluster).cluster
    tree = QuotaTree.of(cluster.queues, cluster.cohorts)
    expected = {
        (name, flavor, resource): amount / 1000 if resource == "cpu" else float(amount)
        for name, node in tree.cohorts.items()
        for (flavor, resource), amount in node.pairs.items()
        if amount
    }
    assert expected

    def reported() -> dict[tuple[str, str, str], float]:
        samples = metrics(organisation.plane, "kueue_cohort_subtree_quota").items()
        named = ((dict(labels), value) for labels, value in samples)
        return {(at["cohort"], at["flavor"], at["resource"]): value for at, value in named}

    wait_for(reported, expected, 20)


def test_kueue_sees_the_tree_of_cohorts(organisation: Standing) -> None:
    cluster = built(organisation.cluster).cluster
    samples = [dict(labels) for labels in metrics(organisation.plane, "kueue_cohort_info")]
    assert {each["cohort"]: each["parent_cohort"] for each in samples} == {
        name: cohort.parent or "" for name, cohort in cluster.cohorts.items()
    }


def test_nothing_is_stored_otherwise_than_written(organisation: Standing) -> None:
    applier = Applier(organisation.plane.client)
    found = []
    for each in applied(organisation.cluster):
        stored = organisation.plane.client.must("GET", applier.path(each))
        name = f"{each['kind']} {each['metadata']['name']}"
        found += [f"{name}{text}" for text in differences(each, stripped(stored))]
    assert found == []


def test_applying_again_changes_nothing(organisation: Standing) -> None:
    """No new resourceVersion; status that a controller writes in between does not count."""
    applier = Applier(organisation.plane.client)
    changed = []
    for each in applied(organisation.cluster):
        for _ in range(5):
            before = organisation.plane.client.must("GET", applier.path(each))["metadata"]["resourceVersion"]
            assert applier.apply([each]) == []
            after = organisation.plane.client.must("GET", applier.path(each))["metadata"]["resourceVersion"]
            if before == after:
                break
        else:
            changed.append(f"{each['kind']} {each['metadata']['name']}")
    assert changed == []


def test_a_changed_quota_is_the_only_thing_that_changes(organisation: Standing) -> None:
    """The counterpart of the test above: a change does make a new version, and is taken back."""
    applier = Applier(organisation.plane.client)
    each = next(item for item in applied(organisation.cluster) if item["kind"] == "ClusterQueue")
    path = applier.path(each)
    before = organisation.plane.client.must("GET", path)
    spec = {**each["spec"], "queueingStrategy": "StrictFIFO"}
    try:
        applier.apply([{**each, "spec": spec}])
        after = organisation.plane.client.must("GET", path)
        assert after["metadata"]["generation"] == before["metadata"]["generation"] + 1
        assert differences(before["spec"], after["spec"]) == [
            f".queueingStrategy: sent {before['spec']['queueingStrategy']!r}, stored 'StrictFIFO'"
        ]
    finally:
        applier.apply([each])
    assert organisation.plane.client.must("GET", path)["spec"] == before["spec"]


def test_the_cohorts_are_there(organisation: Standing) -> None:
    items = organisation.plane.client.must("GET", f"{KUEUE}/cohorts")["items"]
    compiled = {
        each["metadata"]["name"] for each in applied(organisation.cluster) if each["kind"] == "Cohort"
    }
    assert {each["metadata"]["name"] for each in items} == compiled


def test_the_manager_starts_with_the_compiled_configuration(programs: None) -> None:
    program = build(["kueue"])["kueue"]
    for name in bundle().clusters:
        (text,) = (
            text
            for obj in built(name).files[f"clusters/{name}/manifests/config.yaml"]
            for key, text in obj.data["data"].items()
            if key == "controller_manager_config.yaml"
        )
        start = try_configuration(program, text)
        assert (start.starts, start.error) == (True, ""), name
