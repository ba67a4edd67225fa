"""A machine that starts from objects of a live cluster, Workloads with their status included."""

from __future__ import annotations

from small_cluster import Cluster, evictions, obj, queue

from kohort.objects.kube import KubeObject

PODS = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"gpu": "2"}}}]}}


def condition(
    kind: str, reason: str, status: str = "True", at: str = "2026-05-01T10:00:00Z", message: str = "m"
) -> dict:
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": at}


def workload(
    name: str, *conditions: dict, at: str = "2026-05-01T09:00:00Z", priority: int = 0, **status
) -> KubeObject:
    spec = {
        "queueName": "q",
        "priority": priority,
        "podSets": [{"name": "main", "count": 1, "template": PODS}],
        "active": status.pop("active", True),
    }
    made = obj("Workload", name, spec, space="work", status={"conditions": list(conditions), **status})
    made.data["metadata"]["creationTimestamp"] = at
    return made


def admission(gpus: str = "2", flavor: str = "f", to: str = "q") -> dict:
    given = {"name": "main", "count": 1, "flavors": {"gpu": flavor}, "resourceUsage": {"gpu": gpus}}
    return {"admission": {"clusterQueue": to, "podSetAssignments": [given]}}


RESERVED = condition("QuotaReserved", "QuotaReserved")
ADMITTED = condition("Admitted", "Admitted")
WAITS = condition("QuotaReserved", "Pending", "False", message="said before")


def test_running_and_pending_work_stand_where_they_stood():
    cluster = Cluster(
        queue("q", 4),
        workload("runs", RESERVED, ADMITTED, **admission("3")),
        workload("done", RESERVED, ADMITTED, condition("Finished", "Succeeded"), **admission("3")),
        workload("off", condition("Evicted", "Deactivated"), WAITS, active=False),
    )
    assert cluster.states() == {"runs": "admitted", "done": "finished", "off": "inactive"}
    assert cluster.used("q") == {"f": 3}
    assert cluster.view.flavors == {"work/runs": {"main": {"gpu": "f"}}}
    runs = cluster.machine.work("work/runs")
    assert (runs.created, runs.reserved_at) == (-3_600_000, 0)  # moment 0 is the newest time in the objects
    cluster.submit("a", "q", 2)
    assert cluster.admitted() == {"runs"}
    cluster.finish("runs")
    assert cluster.admitted() == {"a"}


def test_pending_work_keeps_its_order_and_is_looked_at():
    cluster = Cluster(
        queue("q", 2),
        workload("young", WAITS, at="2026-05-01T09:30:00Z"),
        workload("old", WAITS, at="2026-05-01T08:30:00Z"),
    )
    assert cluster.admitted() == {"old"}


def test_a_work_that_was_being_evicted_goes_on_stopping():
    running = workload("low", RESERVED, ADMITTED, condition("Evicted", "Preempted"), **admission("4"))
    cluster = Cluster(queue("q", 4, within="LowerPriority"), running, stop_time=30_000)
    assert cluster.states() == {"low": "evicted"}
    assert evictions(cluster.submit("high", "q", 4, 9)) == []  # its victim is on its way already
    cluster.machine.run_until(40_000)
    cluster.settle()
    assert cluster.states() == {"low": "pending", "high": "admitted"}


def test_counters_checks_and_requeues_are_read():
    evicted = {"reason": "PodsReadyTimeout", "underlyingCause": "WaitForStart", "count": 3}
    cluster = Cluster(
        obj(
            "AdmissionCheck",
            "one",
            {"controllerName": "x"},
            status={"conditions": [condition("Active", "Active")]},
        ),
        queue("q", 4, admissionChecksStrategy={"admissionChecks": [{"name": "one"}]}),
        workload(
            "a",
            RESERVED,
            **admission(),
            admissionChecks=[{"name": "one", "state": "Pending"}],
            schedulingStats={"evictions": [evicted]},
            requeueState={"count": 3},
        ),
    )
    assert cluster.states() == {"a": "reserved"}
    assert cluster.view.counters == {"work/a": {"PodsReadyTimeout/WaitForStart": 3}}
    assert cluster.machine.work("work/a").requeues == 3
    cluster.machine.set_check("work/a", "one", "Ready", cluster.step())
    cluster.settle()
    assert cluster.states() == {"a": "admitted"}


def test_objects_that_contradict_themselves_are_taken_as_far_as_they_go():
    cluster = Cluster(
        queue("q", 4),
        workload("lost", RESERVED, ADMITTED, **admission("2", to="nowhere")),
        workload("odd", RESERVED, ADMITTED, admission={"clusterQueue": "q", "podSetAssignments": "none"}),
        workload("bad", RESERVED, ADMITTED, **admission("two")),
        workload("strange", RESERVED, ADMITTED, **admission("9", flavor="unknown")),
    )
    assert set(cluster.states().values()) == {"admitted"}
    assert cluster.view.reservations == {"q": {}}
    cluster.submit("fits", "q", 4)
    assert "fits" in cluster.admitted()


def test_a_reservation_without_an_admission_is_none():
    cluster = Cluster(queue("q", 3), workload("bare", RESERVED, ADMITTED), workload("other", WAITS))
    assert cluster.states() == {"bare": "admitted", "other": "pending"}
    assert cluster.view.reservations == {"q": {"f": {"gpu": 2}}}


def test_what_a_new_version_of_a_workload_says_is_taken_over():
    cluster = Cluster(queue("q", 4, within="LowerPriority"), queue("other", 1))
    first = workload("a")
    del first.data["status"]  # type: ignore[attr-defined]
    cluster.apply(first)
    assert cluster.admitted() == {"a"}
    cluster.apply(workload("a", condition("Finished", "Succeeded")))
    assert cluster.states() == {"a": "finished"}
    cluster.submit("runs", "q", 4)
    cluster.apply(workload("b"))
    assert cluster.states()["b"] == "pending"
    assert evictions(cluster.apply(workload("b", priority=7))) == [("runs", "InClusterQueue", "b")]
    assert cluster.states() == {"a": "finished", "runs": "pending", "b": "admitted"}


def test_a_workload_moves_to_another_queue_while_it_waits():
    cluster = Cluster(queue("q", 1), queue("p", 4))
    cluster.apply(workload("a"))
    assert cluster.view.pending == {"q": 1, "p": 0, "work/p": 0, "work/q": 1}
    moved = workload("a")
    moved.data["spec"]["queueName"] = "p"
    cluster.apply(moved)
    assert (cluster.states(), cluster.used("p")) == ({"a": "admitted"}, {"f": 2})
