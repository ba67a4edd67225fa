"""Queues that are stopped, incomplete, looped or deleted, with work in them."""

from __future__ import annotations

import pytest
from small_cluster import Cluster, cohort, evictions, flavor, local, obj, queue


@pytest.mark.parametrize(("policy", "left"), [("Hold", "admitted"), ("HoldAndDrain", "pending")])
def test_a_stopped_queue_holds_new_work_and_drains_only_when_told(policy, left):
    cluster = Cluster(queue("q", 4))
    cluster.submit("a", "q", 1)
    events = cluster.apply(queue("q", 4, stopPolicy=policy))
    cluster.submit("b", "q", 1)
    assert cluster.states() == {"a": left, "b": "pending"}
    assert cluster.view.notActive == {"q": "Stopped", "work/q": "ClusterQueueIsInactive"}
    assert cluster.view.why_not_active["q"] == "Can't admit new workloads: is stopped."
    assert (cluster.view.reason["work/b"], cluster.message("b")) == (
        "Inadmissible",
        "ClusterQueue q is inactive",
    )
    assert evictions(events) == ([("a", "ClusterQueueStopped", "")] if policy == "HoldAndDrain" else [])
    if policy == "HoldAndDrain":
        assert cluster.view.flags["work/a"] == {
            "Evicted": "True ClusterQueueStopped",
            "Requeued": "False ClusterQueueStopped",
        }
        assert cluster.view.counters["work/a"] == {"ClusterQueueStopped": 1}
    cluster.apply(queue("q", 4))
    assert cluster.admitted() == {"a", "b"}
    if policy == "HoldAndDrain":
        assert cluster.view.flags["work/a"] == {
            "Evicted": "False QuotaReserved",
            "Requeued": "True ClusterQueueRestarted",
        }


@pytest.mark.parametrize("first", ["a", "b", "c"])
def test_drained_work_comes_back_in_the_order_of_a_map_where_a_run_is_followed(first):
    cluster = Cluster(queue("q", 4))
    for name, gpus in (("a", 2), ("b", 1), ("c", 1)):
        cluster.submit(name, "q", gpus)
    cluster.apply(queue("q", 2, stopPolicy="HoldAndDrain"))
    cluster.machine.prefer([f"work/{first}"])
    cluster.apply(queue("q", 2))
    assert cluster.admitted() == ({"a"} if first == "a" else {"b", "c"})
    assert [(each.field, each.key, each.cause) for each in cluster.view.any_of if each.field == "states"] == [
        ("states", f"work/{first}", "drained work comes back in the order of a Go map")
    ]


def test_drained_work_comes_back_by_the_queues_own_order_where_nobody_is_followed():
    cluster = Cluster(queue("q", 4))
    cluster.submit("young", "q", 2, 1)
    cluster.submit("old", "q", 2, 5)
    cluster.apply(queue("q", 2, stopPolicy="HoldAndDrain"))
    cluster.apply(queue("q", 2))
    assert cluster.admitted() == {"old"}
    assert [each for each in cluster.view.any_of if each.field == "states"] == []


@pytest.mark.parametrize(("policy", "left"), [("Hold", "admitted"), ("HoldAndDrain", "pending")])
def test_a_stopped_local_queue_is_known_to_nobody_until_it_runs_again(policy, left):
    cluster = Cluster(queue("q", 4), local("l", "q"))
    cluster.submit("a", "l", 3)
    cluster.submit("b", "l", 2)
    cluster.apply(local("l", "q", stopPolicy=policy))
    assert cluster.states() == {"a": left, "b": "pending"}
    assert cluster.view.notActive == {"work/l": "Stopped"}
    # Nobody writes the queue's status when a LocalQueue goes, only when something happens to its work.
    assert cluster.view.pending == {"q": 1 if policy == "Hold" else 0, "work/l": 0}
    assert cluster.message("b") == "LocalQueue l is inactive"
    if policy == "HoldAndDrain":
        assert cluster.view.flags["work/a"]["Evicted"] == "True LocalQueueStopped"
    cluster.apply(local("l", "q"))
    assert cluster.admitted() == {"a"}
    assert cluster.view.pending == {"q": 1, "work/l": 1}


def test_an_inactive_queue_lends_and_counts_but_neither_schedules_nor_is_preempted():
    cluster = Cluster(queue("q", 4, "c", reclaim="Any"), queue("p", 4, "c"))
    cluster.submit("borrower", "p", 6)
    cluster.apply(queue("p", 4, "c", stopPolicy="Hold"))
    assert evictions(cluster.submit("mine", "q", 4)) == []
    assert cluster.states()["mine"] == "pending"
    cluster.submit("fits", "q", 2)
    assert cluster.admitted() == {"borrower", "fits"}
    cluster.finish("borrower")
    cluster.submit("lent", "q", 2)  # 4 own + 4 of the stopped queue
    assert cluster.admitted() == {"fits", "mine", "lent"}


def test_a_queue_waits_for_its_flavor_and_keeps_one_that_is_in_use():
    cluster = Cluster(flavor("other"), queue("q", {"f": 4, "other": 1}))
    assert cluster.view.notActive["q"] == "FlavorNotFound"
    assert (
        cluster.view.why_not_active["q"]
        == "Can't admit new workloads: references missing ResourceFlavor(s): f."
    )
    cluster.submit("a", "q", 3)
    cluster.apply(flavor("f"))
    assert cluster.admitted() == {"a"}
    cluster.remove("ResourceFlavor", "f")  # its finalizer holds it while a queue lists it
    assert cluster.view.notActive == {}
    cluster.apply(queue("q", {"other": 1}))
    assert "f" not in cluster.machine.world.state.flavors


def test_checks_make_a_queue_inactive_when_missing_or_not_taken_by_a_controller():
    wanted = {"admissionChecks": [{"name": "b"}, {"name": "a"}]}
    cluster = Cluster(queue("q", 4, admissionChecksStrategy=wanted))
    assert cluster.view.notActive["q"] == "AdmissionCheckNotFound"
    assert (
        cluster.view.why_not_active["q"]
        == "Can't admit new workloads: references missing AdmissionCheck(s): a,b."
    )
    for name in "ab":
        cluster.apply(obj("AdmissionCheck", name, {"controllerName": "example.com/c"}))
    assert cluster.view.notActive["q"] == "AdmissionCheckInactive"
    active = {"conditions": [{"type": "Active", "status": "True"}]}
    for name in "ab":
        cluster.apply(obj("AdmissionCheck", name, {"controllerName": "example.com/c"}, status=active))
    assert cluster.view.notActive == {}


def test_several_causes_make_one_message_and_the_first_is_the_reason():
    cluster = Cluster(flavor("other"), queue("q", 4, stopPolicy="Hold"))
    assert cluster.view.notActive["q"] == "Stopped"
    assert cluster.view.why_not_active["q"] == (
        "Can't admit new workloads: is stopped, references missing ResourceFlavor(s): f."
    )


def test_a_topology_that_does_not_exist():
    cluster = Cluster(flavor("f", topologyName="rack", nodeLabels={"a": "b"}), queue("q", 4))
    assert cluster.view.notActive["q"] == "TopologyNotFound"
    assert 'there is no Topology "rack" for TAS flavor "f"' in cluster.view.why_not_active["q"]
    cluster.apply(obj("Topology", "rack", {"levels": [{"nodeLabel": "rack"}]}))
    assert cluster.view.notActive == {}


def test_a_deleted_queue_goes_when_its_last_work_goes():
    cluster = Cluster(queue("q", 4))
    cluster.submit("runs", "q", 3)
    cluster.submit("waits", "q", 3)
    cluster.remove("ClusterQueue", "q")
    assert cluster.view.notActive == {"q": "Terminating", "work/q": "ClusterQueueIsInactive"}
    assert cluster.states() == {"runs": "admitted", "waits": "pending"}
    cluster.finish("runs")
    assert cluster.view.notActive == {"work/q": "ClusterQueueDoesNotExist"}
    assert cluster.message("waits") == "ClusterQueue q doesn't exist"
    cluster.apply(queue("q", 4))
    assert cluster.admitted() == {"waits"}


def test_a_deleted_local_queue_leaves_running_work_alone():
    cluster = Cluster(queue("q", 4), local("l", "q"))
    cluster.submit("runs", "l", 3)
    cluster.submit("waits", "l", 3)
    cluster.remove("LocalQueue", "l", "work")
    assert cluster.states() == {"runs": "admitted", "waits": "pending"}
    assert (cluster.message("waits"), cluster.view.pending) == ("LocalQueue l doesn't exist", {"q": 1})
    cluster.finish("runs")
    assert cluster.view.pending == {"q": 0}
    cluster.apply(local("l", "q"))
    assert cluster.admitted() == {"waits"}


def test_queues_in_a_cohort_loop_admit_nothing_until_it_is_cut():
    cluster = Cluster(queue("q", 4, "a"), cohort("a", parent="b"), cohort("b", parent="a"))
    cluster.submit("w", "q", 1)
    assert (cluster.states(), cluster.message("w")) == ({"w": "pending"}, "ClusterQueue q is inactive")
    cluster.apply(cohort("b"))
    assert cluster.admitted() == {"w"}


def test_a_work_without_queue_says_so():
    cluster = Cluster(queue("q", 4), local("lost", "nowhere"))
    cluster.submit("a", "missing")
    cluster.submit("b", "lost")
    assert cluster.message("a") == "LocalQueue missing doesn't exist"
    assert cluster.message("b") == "ClusterQueue nowhere doesn't exist"
    assert cluster.view.notActive == {"work/lost": "ClusterQueueDoesNotExist"}


def test_drained_work_comes_back_after_the_heads_of_a_restarted_queue():
    cluster = Cluster(queue("q", 4))
    cluster.submit("drained", "q", 4, 5)
    cluster.apply(queue("q", 4, stopPolicy="HoldAndDrain"))
    cluster.submit("waited", "q", 3)
    cluster.apply(queue("q", 4))
    assert cluster.states() == {"drained": "pending", "waited": "admitted"}
    assert cluster.view.flags["work/drained"]["Requeued"] == "True ClusterQueueRestarted"
