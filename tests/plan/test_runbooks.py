"""Steps for what cannot be applied at once, on plain manifests."""

from __future__ import annotations

from typing import Any

from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.planner.make import make
from kohort.planner.side import Side

KUEUE = "kueue.x-k8s.io/v1beta2"


def made(kind: str, name: str, namespace: str = "", **spec: Any) -> KubeObject:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    data = {"apiVersion": KUEUE, "kind": kind, "metadata": metadata, "spec": spec}
    return KubeObject(KUEUE, kind, name, namespace, data, Typed("f.yaml"))


def flavor(name: str, pool: str = "x") -> KubeObject:
    return made("ResourceFlavor", name, nodeLabels={"pool": pool})


def queue(name: str, *flavors: str) -> KubeObject:
    quota = [{"name": one, "resources": [{"name": "cpu", "nominalQuota": "4"}]} for one in flavors]
    groups = [{"coveredResources": ["cpu"], "flavors": quota}]
    return made("ClusterQueue", name, namespaceSelector={}, resourceGroups=groups)


def runbooks(before: list[KubeObject], after: list[KubeObject]) -> dict[str, tuple[str, ...]]:
    """Titles with the commands of all steps."""
    plan = make(Side({"": Cluster(before)}), Side({"": Cluster(after)}))
    return {
        one.title: tuple(command for step in one.steps for command in step.commands) for one in plan.runbooks
    }


def test_of_two_flavors_that_one_could_follow_only_one_is_renamed():
    found = runbooks(
        [flavor("a"), flavor("b"), queue("q", "a"), queue("r", "b")],
        [flavor("c"), queue("q", "c"), queue("r", "c")],
    )
    assert list(found) == ["renaming ResourceFlavor a to c", "removing flavor b from ClusterQueue r"]


def test_a_flavor_with_other_labels_is_no_rename():
    found = runbooks([flavor("a"), queue("q", "a")], [flavor("c", "y"), queue("q", "c")])
    assert list(found) == ["removing flavor a from ClusterQueue q"]


def test_flavors_and_resources_that_go_together_are_one_runbook():
    gone = made("ClusterQueue", "q", namespaceSelector={}, resourceGroups=[])
    assert list(runbooks([flavor("a"), queue("q", "a")], [flavor("a"), gone])) == [
        "removing resource cpu from ClusterQueue q"
    ]


def test_names_that_a_shell_would_read_are_quoted():
    found = runbooks(
        [made("LocalQueue", "l", "a b", clusterQueue="q")], [made("LocalQueue", "l", "a b", clusterQueue="r")]
    )
    (commands,) = found.values()
    assert commands[1] == "kubectl delete localqueue l -n 'a b'"


def test_the_local_queues_of_a_queue_that_goes_are_steps_of_its_runbook():
    before = [
        flavor("a"),
        queue("q", "a"),
        made("LocalQueue", "l", "x", clusterQueue="q"),
        made("LocalQueue", "other", "x", clusterQueue="r"),
    ]
    found = runbooks(before, [flavor("a")])
    assert [c for c in found["removing ClusterQueue q"] if "localqueue" in c] == [
        "kubectl delete localqueue l -n x"
    ]


def test_declared_work_that_changes_is_given_another_run_and_no_steps():
    def job(parallelism: int) -> KubeObject:
        data = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "x"}}
        return KubeObject(
            "batch/v1", "Job", "j", "x", {**data, "spec": {"parallelism": parallelism}}, Typed("f.yaml")
        )

    plan = make(Side({"": Cluster([job(1)])}), Side({"": Cluster([job(2)])}))
    assert [(str(one.ref), one.disruption.value) for one in plan.objects] == [("Job x/j", "recreate")]
    assert plan.runbooks == ()
