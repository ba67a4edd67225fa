"""Preemption, admission checks, time-outs, deactivation: what conditions and counters say, and when quota comes back."""

from __future__ import annotations

from small_cluster import Cluster, cohort, evictions, flavor, obj, queue, work

from kohort.semantics.settings import PodsReady, Settings
from kohort.simulator.events import Happened

ACTIVE = {"conditions": [{"type": "Active", "status": "True"}]}


def check(name: str):
    return obj("AdmissionCheck", name, {"controllerName": "example.com/c"}, status=ACTIVE)


def checked(*names: str, flavors: tuple[str, ...] = ()):
    rules = [{"name": name, **({"onFlavors": list(flavors)} if flavors else {})} for name in names]
    return {"admissionChecksStrategy": {"admissionChecks": rules}}


def test_a_preempted_work_says_why_and_for_whom_and_waits_again():
    cluster = Cluster(queue("q", 4, within="LowerPriority"))
    cluster.submit("low", "q", 4)
    events = cluster.submit("high", "q", 2, 5)
    assert evictions(events) == [("low", "InClusterQueue", "high")]
    assert cluster.states() == {"low": "pending", "high": "admitted"}
    assert cluster.view.flags["work/low"] == {
        "Evicted": "True Preempted",
        "Preempted": "True InClusterQueue",
        "Requeued": "True Preempted",
    }
    assert cluster.view.counters["work/low"] == {"Preempted": 1}
    said = cluster.machine.work("work/low").conditions["Evicted"].message
    assert said == (
        "Preempted to accommodate a workload (UID: high, JobUID: UNKNOWN) due to prioritization in the "
        "ClusterQueue; preemptor path: /q; preemptee path: /q"
    )
    cluster.finish("high")
    assert cluster.view.flags["work/low"]["Evicted"] == "False QuotaReserved"
    assert cluster.machine.work("work/low").conditions["Preempted"].message == f"Previously: {said}"


def test_quota_is_reclaimed_from_who_borrows_when_the_policy_says_so():
    for policy, taken in (("Any", True), ("LowerPriority", False), ("Never", False)):
        cluster = Cluster(queue("q", 4, "c", reclaim=policy), queue("p", 4, "c"))
        cluster.submit("borrower", "p", 6)
        events = cluster.submit("mine", "q", 4)
        assert evictions(events) == ([("borrower", "InCohortReclamation", "mine")] if taken else [])
        assert cluster.admitted() == ({"mine"} if taken else {"borrower"})


def test_a_victim_holds_its_quota_until_its_pods_are_gone():
    cluster = Cluster(queue("q", 4, within="LowerPriority"), stop_time=60_000)
    cluster.submit("low", "q", 4)
    cluster.submit("high", "q", 2, 5)
    assert cluster.states() == {"low": "evicted", "high": "pending"}
    assert cluster.used("q") == {"f": 4}
    assert cluster.machine.next_due() == 80_000
    cluster.machine.run_until(80_000)
    cluster.settle()
    assert cluster.states() == {"low": "pending", "high": "admitted"}


def test_victims_of_two_preemptors_do_not_overlap_in_one_cycle():
    cluster = Cluster(
        queue("a", 4, "c", reclaim="Any"), queue("b", 4, "c", reclaim="Any"), queue("p", 0, "c")
    )
    cluster.submit("all", "p", 8)
    cluster.machine.submit(work("x", "a", 4), 20_000)
    cluster.machine.submit(work("y", "b", 4), 20_000)
    events = cluster.settle()
    assert evictions(events) == [("all", "InCohortReclamation", "x")]
    assert cluster.admitted() == {"x", "y"}


def test_mutual_preemption_is_told_as_a_loop_and_ends():
    # Taken from the rule itself: whoever is evicted goes first again, since it is older and both borrow alike.
    cluster = Cluster(
        queue("q", 6, "c", reclaim="Any"),
        queue("p", 2, "c"),
    )
    cluster.submit("b1", "p", 1, count=4)
    cluster.submit("b2", "p", 1, count=4)
    events = cluster.submit("w", "q", 1, count=9, least=4)
    loops = [each for each in events if each.kind is Happened.LOOP]
    assert [each.names for each in loops] == [("work/b1", "work/w")]
    assert len(evictions(events)) < 10
    assert cluster.machine.settle() == []


def test_a_work_with_open_checks_holds_quota_and_is_admitted_when_all_are_ready():
    cluster = Cluster(check("one"), check("two"), queue("q", 4, **checked("one", "two")))
    cluster.submit("a", "q", 3)
    assert cluster.states() == {"a": "reserved"}
    assert cluster.used("q") == {"f": 3}
    machine = cluster.machine
    machine.set_check("work/a", "one", "Ready", cluster.step())
    cluster.settle()
    assert cluster.states() == {"a": "reserved"}
    machine.set_check("work/a", "two", "Ready", cluster.step())
    assert [each.kind for each in cluster.settle()] == [Happened.ADMITTED]


def test_a_check_that_says_retry_evicts_and_the_work_moves_behind_those_that_wait():
    cluster = Cluster(check("one"), queue("q", 4, queueingStrategy="StrictFIFO", **checked("one")))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 3)
    cluster.machine.set_check("work/a", "one", "Retry", cluster.step(), "no nodes")
    assert evictions(cluster.settle()) == [("a", "AdmissionCheck", "")]
    assert cluster.states() == {"a": "pending", "b": "reserved"}
    assert cluster.view.flags["work/a"] == {
        "Evicted": "True AdmissionCheck",
        "Requeued": "True BackoffFinished",
    }
    assert cluster.view.counters["work/a"] == {"AdmissionCheck": 1}
    assert cluster.machine.work("work/a").conditions["Evicted"].message == (
        'Evicted due to AdmissionCheck in Retry state: "one" (no nodes)'
    )
    assert cluster.machine.work("work/a").checks == {"one": "Pending"}


def test_a_check_that_says_retry_in_a_best_effort_queue_only_starts_anew():
    cluster = Cluster(check("one"), queue("q", 4, **checked("one")))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 2)  # parked: it is looked at only a batch later
    cluster.machine.set_check("work/a", "one", "Retry", cluster.step())
    cluster.settle()
    assert cluster.states() == {"a": "reserved", "b": "pending"}


def test_a_twin_of_parked_work_that_is_evicted_is_parked_with_it():
    cluster = Cluster(check("one"), queue("q", 4, **checked("one")))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 3)
    cluster.machine.set_check("work/a", "one", "Retry", cluster.step())
    cluster.settle()
    assert cluster.states() == {"a": "pending", "b": "reserved"}


def test_a_rejected_check_deactivates():
    cluster = Cluster(check("one"), queue("q", 4, **checked("one")))
    cluster.submit("a", "q", 3)
    cluster.machine.set_check("work/a", "one", "Rejected", cluster.step())
    cluster.settle()
    assert cluster.states() == {"a": "inactive"}
    assert cluster.view.flags["work/a"] == {
        "Evicted": "True DeactivatedDueToAdmissionCheck",
        "Requeued": "False DeactivatedDueToAdmissionCheck",
    }
    assert cluster.view.counters["work/a"] == {"Deactivated/AdmissionCheck": 1}
    assert cluster.view.reservations == {"q": {}}


def test_a_check_on_one_flavor_concerns_only_work_that_gets_it():
    spec = checked("one", flavors=("second",))
    cluster = Cluster(flavor("f"), flavor("second"), check("one"), queue("q", {"f": 2, "second": 4}, **spec))
    cluster.submit("a", "q", 2)
    cluster.submit("b", "q", 2)
    assert cluster.states() == {"a": "admitted", "b": "reserved"}
    assert cluster.machine.work("work/b").checks == {"one": "Pending"}


def test_deactivated_work_gives_its_quota_back_and_comes_back_when_activated():
    cluster = Cluster(queue("q", 4))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 3)
    cluster.machine.set_active("work/a", active=False, at=cluster.step())
    events = cluster.settle()
    assert evictions(events) == [("a", "Deactivated", "")]
    assert cluster.states() == {"a": "inactive", "b": "admitted"}
    assert cluster.view.flags["work/a"] == {"Evicted": "True Deactivated", "Requeued": "False Deactivated"}
    cluster.machine.set_active("work/a", active=True, at=cluster.step())
    cluster.settle()
    assert cluster.states()["a"] == "pending"
    assert cluster.view.flags["work/a"]["Requeued"] == "True Reactivated"
    cluster.finish("b")
    assert cluster.admitted() == {"a"}


def waiting(**fields):
    return Settings(pods_ready=PodsReady(timeout=60_000, backoff_base=10_000, **fields))


def test_pods_that_do_not_get_ready_in_time_are_evicted_and_wait_longer_each_time():
    cluster = Cluster(queue("q", 4), settings=waiting(backoff_limit=2), ready_time=None)
    cluster.submit("a", "q", 3)
    events = cluster.machine.run_until(1_000_000)
    told = [(each.at, str(each.kind), each.reason) for each in events if each.kind is not Happened.RESERVED]
    assert told == [
        (70_000, "evicted", "PodsReadyTimeout"),
        (70_000, "released", "Pending"),
        (80_000, "admitted", ""),
        (140_000, "evicted", "PodsReadyTimeout"),
        (140_000, "released", "Pending"),
        (160_000, "admitted", ""),
        (220_000, "deactivated", ""),
        (220_000, "evicted", "DeactivatedDueToRequeuingLimitExceeded"),
        (220_000, "released", "Pending"),
    ]
    cluster.settle()
    assert cluster.view.counters["work/a"] == {
        "PodsReadyTimeout/WaitForStart": 2,
        "Deactivated/RequeuingLimitExceeded": 1,
    }


def test_ready_pods_stop_the_clock():
    cluster = Cluster(queue("q", 4), settings=waiting(), ready_time=59_000)
    cluster.submit("a", "q", 3)
    cluster.machine.run_until(1_000_000)
    cluster.settle()
    assert cluster.admitted() == {"a"}


def test_admission_stands_still_until_the_pods_of_all_admitted_work_are_ready():
    cluster = Cluster(queue("q", 4), queue("p", 4), settings=waiting(block_admission=True), ready_time=20_000)
    cluster.machine.submit(work("a", "q", 1), 10_000)
    cluster.machine.submit(work("b", "p", 1), 10_000)
    cluster.machine.submit(work("c", "p", 1), 10_000)
    cluster.settle()
    assert cluster.states() == {"a": "admitted", "b": "pending", "c": "pending"}
    assert cluster.view.reason == {"work/b": "Waiting"}
    assert cluster.message("b") == "waiting for all admitted workloads to be in PodsReady condition"
    events = cluster.machine.run_until(100_000)
    assert [(each.at, each.workload) for each in events if each.kind is Happened.ADMITTED] == [
        (30_000, "work/b"),
        (50_000, "work/c"),
    ]


def test_a_work_that_runs_too_long_is_deactivated():
    cluster = Cluster(queue("q", 4))
    long = work("a", "q", 3)
    long.max_execution = 45_000
    cluster.machine.submit(long, 10_000)
    events = cluster.machine.run_until(100_000)
    assert [(each.at, each.reason) for each in events if each.kind is Happened.EVICTED] == [
        (55_000, "DeactivatedDueToMaximumExecutionTimeExceeded")
    ]


def test_priorities_follow_their_class_and_preempt_at_once():
    cluster = Cluster(obj("WorkloadPriorityClass", "high", value=1), queue("q", 4, within="LowerPriority"))
    cluster.submit("a", "q", 4, 5)
    waits = work("b", "q", 4)
    waits.priority_class = "high"
    cluster.machine.submit(waits, cluster.step())
    assert evictions(cluster.settle()) == []
    assert cluster.machine.work("work/b").priority == 1
    events = cluster.apply(obj("WorkloadPriorityClass", "high", value=9))
    assert evictions(events) == [("a", "InClusterQueue", "b")]


def test_reclaimed_pods_give_their_part_back():
    cluster = Cluster(queue("q", 4))
    cluster.submit("a", "q", 1, count=4)
    cluster.submit("b", "q", 1, count=3)
    cluster.machine.set_reclaimable("work/a", {"main": 3}, cluster.step())
    cluster.settle()
    assert cluster.used("q") == {"f": 4}
    assert cluster.admitted() == {"a", "b"}
    assert cluster.view.counts["work/a"] == {"main": 4}


def test_quota_that_shrinks_evicts_nobody_and_quota_that_grows_admits():
    cluster = Cluster(queue("q", 4))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 3)
    assert evictions(cluster.apply(queue("q", 1))) == []
    assert (cluster.admitted(), cluster.used("q")) == ({"a"}, {"f": 3})
    cluster.apply(queue("q", 6))
    assert cluster.admitted() == {"a", "b"}


def test_moving_a_queue_to_another_cohort_takes_its_use_along():
    cluster = Cluster(queue("q", 4, "c"), queue("p", 4, "c"), queue("r", 4, "d"), cohort("d"))
    cluster.submit("a", "q", 6)
    cluster.submit("b", "p", 4)
    assert cluster.admitted() == {"a"}
    cluster.apply(queue("q", 4, "d"))
    assert cluster.admitted() == {"a"}  # nobody in the old tree is woken
    cluster.submit("c", "r", 3)
    assert cluster.states()["c"] == "pending"
    cluster.apply(queue("p", 4, "c", queueingStrategy="StrictFIFO"))
    assert cluster.admitted() == {"a", "b"}
