"""Kinds that Kueue's group does not have."""

from __future__ import annotations

import pytest

from kohort.engine.checking import judged_version
from kohort.engine.outcome import Settings
from kohort.engine.plain import check_plain
from kohort.objects.schema import kinds
from kohort.source.tree import MemoryTree


def found(api_version, kind, kueue="0.19.1"):
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: x}}\n"
    report = check_plain([MemoryTree({"x.yaml": text})], Settings(kueue=kueue)).report
    return [(f.message, f.primary.origin.path) for f in report.findings if f.code == "KUE210"]


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("ResourceFlavour", " (did you mean ResourceFlavor?)"),
        ("clusterqueue", " (did you mean ClusterQueue?)"),
        ("Banana", ""),
    ],
)
@pytest.mark.parametrize("version", ["v1beta1", "v1beta2", "v9"])
def test_a_kind_that_is_not_there(version, kind, hint):
    message = f"{kind} x: Kueue 0.19.1 has no kind {kind}{hint}"
    assert found(f"kueue.x-k8s.io/{version}", kind) == [(message, ("kind",))]


@pytest.mark.parametrize("kueue", ["0.15.99", "0.17.99", "0.19.1"])
def test_every_kind_that_is_there_is_left_alone(kueue):
    for kind in kinds(kueue):
        assert found("kueue.x-k8s.io/v1beta2", kind, kueue) == []


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("config.kueue.x-k8s.io/v1beta2", "Configuration"),
        ("visibility.kueue.x-k8s.io/v1beta2", "PendingWorkloadsSummary"),
        ("kueue.x-k8s.io/v1beta2", "ClusterQueueList"),
        ("v1", "Banana"),
        ("kueue.openshift.io/v1", "Kueue"),
    ],
)
def test_other_groups_and_lists_are_not_judged(api_version, kind):
    assert found(api_version, kind) == []


@pytest.mark.parametrize(
    ("asked", "said", "named"),
    [
        ("0.18", "0.18 (newest patch)", "0.18"),
        ("0.18.3", "0.18.3", "0.18.3"),
        ("0.19", "0.19 (newest patch)", "0.19"),
    ],
)
def test_the_newest_patch_of_a_minor_version_is_named_by_the_minor(asked, said, named):
    text = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Banana\nmetadata: {name: x}\n"
    report = check_plain([MemoryTree({"x.yaml": text})], Settings(kueue=judged_version(asked))).report
    assert report.summary[0] == f"judged as Kueue {said}"
    assert [f.message for f in report.findings] == [f"Banana x: Kueue {named} has no kind Banana"]
