"""Mistakes that no server reports: thresholds without effect, groups nobody serves, labels in the wrong place."""

from __future__ import annotations

import pytest
from judged import Judged, flavor, local, queue

from kohort.diagnostics import Severity

THRESHOLD = "preemption: {{reclaimWithinCohort: Any, borrowWithinCohort: {{{}maxPriorityThreshold: 100}}}}"
POD = "spec: {restartPolicy: Never, containers: [{name: main, image: example.com/x:1}]}"
NAME = "kueue.x-k8s.io/queue-name: q"


@pytest.mark.parametrize(
    ("policy", "found"), [("policy: Never, ", 1), ("", 1), ("policy: LowerPriority, ", 0)]
)
def test_a_threshold_without_preemption(policy, found):
    judged = Judged(flavor("h"), queue("a", "h 8", cohort="all", more=THRESHOLD.format(policy)))
    assert [f.message for f in judged.of("QTA520")] == [
        "ClusterQueue a: maxPriorityThreshold 100 has no effect: borrowWithinCohort.policy is Never"
    ] * found


@pytest.mark.parametrize(
    ("group", "kind", "meant"),
    [
        ("kueue.k8s.io", "ClusterQueue", "kueue.x-k8s.io/v1beta2"),
        ("kueue.x-k8.io", "LocalQueue", "kueue.x-k8s.io/v1beta2"),
        ("kueue.example.com", "ResourceFlavor", "kueue.x-k8s.io/v1beta2"),
        ("Kueue.x-k8s.io", "Cohort", "kueue.x-k8s.io/v1beta2"),
        ("workload.codeflare.io", "AppWrapper", "workload.codeflare.dev/v1beta2"),
        ("workload.codeflare.dev", "AppWrapper", ""),
        ("example.com", "Workload", ""),
        ("topology.node.k8s.io", "Topology", ""),
        ("kueue.x-k8s.io", "ClusterQueue", ""),
    ],
)
def test_groups_that_are_nearly_right(group, kind, meant):
    judged = Judged(f"apiVersion: {group}/v1beta2\nkind: {kind}\nmetadata: {{name: x, namespace: a}}\n")
    found = judged.of("REF419")
    assert len(found) == bool(meant)
    for one in found:
        assert one.message.endswith(
            f": there is no API group {group} with kind {kind}; did you mean {meant}?"
        )
        assert judged.place(one) == ("0.yaml", 1)


def test_a_queue_name_on_the_pod_template_alone():
    text = (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: run, namespace: a%s}\n"
        f"spec:\n  template:\n    metadata:\n      labels: {{{NAME}}}\n    {POD}\n"
    )
    judged = Judged(text % "")
    assert judged.message("WKL666") == (
        "Job a/run: kueue.x-k8s.io/queue-name stands on the pod template; it must be a label of the Job - "
        "the job is not queued"
    )
    assert judged.place(judged.only("WKL666")) == ("0.yaml", 7)
    assert Judged(text % f", labels: {{{NAME}}}").of("WKL666") == []
    assert Judged(text.replace("batch/v1", "apps/v1").replace("Job", "Deployment") % "").of("WKL666") == []
    assert Judged(queue("c"), local("default", "c", "a"), text % "").of("WKL666") == []


def quota(hard, namespace="team-a"):
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: bounds, namespace: {namespace}}}\nspec: {{hard: {hard}}}\n"


def test_what_a_queue_and_a_resource_quota_both_count():
    base = (flavor("h"), queue("a", "h 8"), local("q", "a"))
    judged = Judged(*base, quota("{requests.cpu: 4, services: 2, requests.memory: 1Gi, pods: 3}"))
    found = judged.only("WKL667")
    assert found.message == (
        "ResourceQuota team-a/bounds bounds requests.cpu to 4, which ClusterQueue a counts already"
    )
    assert found.severity is Severity.WARNING
    assert judged.place(found.related[0]) == ("2.yaml", 4)
    assert Judged(*base, quota("{cpu: 4}", "team-b")).of("WKL667") == []
    assert Judged(*base, quota("[cpu]")).of("WKL667") == []
