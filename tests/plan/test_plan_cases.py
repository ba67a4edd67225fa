"""The shared cases of mode plan, clause by clause."""

from __future__ import annotations

from pathlib import Path

import pytest

import kohort
from kohort.diagnostics import Severity
from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings

SHARED = Path(__file__).parents[3] / "shared" / "cases"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")

RUNNING = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: job-w, namespace: team-a, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {queueName: q}
status:
  conditions:
  - {type: QuotaReserved, status: "True"}
  - {type: Admitted, status: "True"}
  admission:
    clusterQueue: a
    podSetAssignments:
    - {name: main, count: 1, flavors: {nvidia.com/gpu: h100}, resourceUsage: {nvidia.com/gpu: "6"}}
"""


def plan(case: str, snapshot: str | None = None):
    folder = next(SHARED.glob(f"{case}-*"))
    states = [snapshot] if snapshot else []
    return plan_paths(str(folder / "before.yaml"), str(folder / "after.yaml"), Settings(), states).planned


def told(planned) -> list[tuple[str, str, int | None]]:
    found = []
    for one in planned.plan.findings:
        span = planned.head.span(one.primary.origin) if one.primary.origin.file else None
        found.append((one.severity.value, one.message, span.line if span else None))
    return found


def test_70_a_quota_of_zero_stops_new_work_and_a_stop_policy_would_keep_the_number():
    planned = plan("70")
    assert told(planned) == [
        (
            "warning",
            "ClusterQueue p: tekton.dev/pipelineruns 300 → 0: nothing is admitted any more, what runs stays",
            18,
        )
    ]
    assert planned.plan.findings[0].help == (
        "stopPolicy: Hold has the same effect and keeps the number",
        "stopPolicy: HoldAndDrain also evicts what runs",
    )
    (queue,) = planned.plan.objects
    assert (str(queue.ref), queue.disruption.value) == ("ClusterQueue p", "new-work")
    assert [(f.before, f.after) for f in queue.fields] == [("300", "0")]


def test_71_nothing_is_evicted_and_two_must_finish_first(tmp_path):
    (tmp_path / "running.yaml").write_text(RUNNING)
    planned = plan("71", str(tmp_path / "running.yaml"))
    assert told(planned) == [
        (
            "warning",
            (
                "a/h100 nvidia.com/gpu: usage 6 > new guarantee 4; nothing is evicted, 2 must finish before anything else "
                "is admitted"
            ),
            21,
        )
    ]
    (over,) = planned.plan.over_quota
    assert (over.used, over.before, over.after, over.limit, over.workloads) == (6, 8, 4, 4, ("team-a/job-w",))
    assert [(w.name, w.running, w.disruption.value) for w in planned.plan.work] == [
        ("job-w", True, "new-work")
    ]


def test_73_immutable_fields_are_errors_at_their_lines_with_steps():
    planned = plan("73")
    assert told(planned) == [
        (
            "error",
            (
                'LocalQueue team-a/q: spec.clusterQueue is immutable ("old" → "new"): delete and create; pending workloads '
                "wait for that"
            ),
            7,
        ),
        ("error", 'ResourceFlavor t: spec.topologyName is immutable ("one" → "two"): delete and create', 16),
    ]
    assert [one.title for one in planned.plan.runbooks] == [
        "moving LocalQueue team-a/q from ClusterQueue old to new",
        "changing spec.topologyName of ResourceFlavor t",
    ]
    assert "kubectl delete localqueue q -n team-a" in planned.plan.runbooks[0].steps[1].commands


def test_74_a_flavor_in_use_hangs_and_the_order_of_a_legal_removal_is_told():
    planned = plan("74")
    assert told(planned) == [
        (
            "error",
            (
                "removes ResourceFlavor a100, which ClusterQueue q still names: queues still list it: it hangs in deletion, "
                "and if it is forced they turn inactive (FlavorNotFound)"
            ),
            10,
        )
    ]
    assert planned.plan.findings[0].help == (
        "remove in this order: workloads, LocalQueues, ClusterQueues, then flavors, topologies and checks",
    )


def test_the_python_api_says_the_same():
    folder = next(SHARED.glob("73-*"))
    found = kohort.make_plan(folder / "before.yaml", folder / "after.yaml")
    assert [one.code for one in found.findings] == ["PLN001", "PLN001"]
    assert all(one.severity is Severity.ERROR for one in found.findings)
