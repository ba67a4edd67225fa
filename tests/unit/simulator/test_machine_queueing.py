"""Who is admitted when: order, batches, strict queues, twins, overlapping heads, ties."""

from __future__ import annotations

from small_cluster import Cluster, cohort, evictions, local, obj, queue, work

from kohort.objects.kube import KubeObject
from kohort.simulator.events import Happened


def test_a_work_is_admitted_and_its_quota_comes_back_when_it_ends():
    cluster = Cluster(queue("q", 4))
    events = cluster.submit("a", "q", 3)
    assert [(each.at, each.kind) for each in events] == [
        (10_000, Happened.RESERVED),
        (10_000, Happened.ADMITTED),
    ]
    assert cluster.used("q") == {"f": 3}
    assert (cluster.view.flavors["work/a"], cluster.view.counts["work/a"]) == (
        {"main": {"gpu": "f"}},
        {"main": 1},
    )
    cluster.finish("a")
    assert (cluster.states(), cluster.view.reservations) == ({"a": "finished"}, {"q": {}})


def test_parked_work_is_looked_at_one_batch_after_quota_came_free():
    cluster = Cluster(queue("q", 4))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 2)
    assert cluster.view.parked["q"] == ("work/b",)
    assert cluster.message("b") == (
        "couldn't assign flavors to pod set main: insufficient unused quota for gpu in flavor f, 1 more needed"
    )
    events = cluster.finish("a")
    assert [(each.at, each.kind) for each in events][1:] == [
        (31_000, Happened.RESERVED),
        (31_000, Happened.ADMITTED),
    ]


def test_a_best_effort_queue_passes_a_head_that_does_not_fit_and_a_strict_one_does_not():
    best = Cluster(queue("q", 4))
    strict = Cluster(queue("q", 4, queueingStrategy="StrictFIFO"))
    for cluster in (best, strict):
        cluster.submit("a", "q", 3)
        cluster.submit("large", "q", 4)
        cluster.submit("small", "q", 1)
    assert best.admitted() == {"a", "small"}
    assert strict.admitted() == {"a"}
    assert strict.view.parked["q"] == ()
    events = strict.finish("a")
    assert [each.at for each in events if each.kind is Happened.ADMITTED] == [
        40_000
    ]  # no batch: it never was parked
    assert strict.admitted() == {"large"}


def test_a_twin_of_parked_work_is_parked_unseen_and_says_nothing():
    cluster = Cluster(queue("q", 4))
    cluster.submit("a", "q", 3)
    cluster.submit("b", "q", 2)
    cluster.submit("twin", "q", 2)
    assert cluster.view.parked["q"] == ("work/b", "work/twin")
    assert (cluster.message("twin"), cluster.view.reason.get("work/twin")) == ("", None)
    cluster.finish("a")
    assert cluster.admitted() == {"b", "twin"}


def test_nominal_goes_before_borrowing_then_priority_then_age():
    cluster = Cluster(queue("own", 2, "c"), queue("other", 0, "c"), queue("third", 0, "c"), cohort("c", 1))
    machine = cluster.machine
    machine.submit(work("borrows", "other", 2, 9), 20_000)
    machine.submit(work("within", "own", 2, 0), 21_000)
    machine.submit(work("waits", "third", 2, 5), 20_000)
    cluster.settle()
    assert cluster.admitted() == {"borrows"}  # it was there before the others came
    cluster = Cluster(queue("own", 2, "c"), queue("other", 0, "c"), queue("third", 0, "c"), cohort("c", 1))
    for each in (work("borrows", "other", 2, 9), work("within", "own", 2, 0), work("waits", "third", 2, 5)):
        cluster.machine.submit(each, 20_000)
    cluster.settle()
    assert cluster.admitted() == {"within"}
    assert (
        cluster.message("borrows")
        == "couldn't assign flavors to pod set main: insufficient unused quota for gpu in flavor f, 1 more needed"
    )


def test_heads_that_nothing_orders_are_any_of():
    cluster = Cluster(queue("x", 0, "c"), queue("y", 0, "c"), cohort("c", 2))
    cluster.machine.submit(work("one", "x", 2), 20_000)
    cluster.machine.submit(work("two", "y", 2), 20_000)
    events = cluster.settle()
    assert cluster.admitted() == {"one"}
    assert {each.any_of for each in events if each.kind is Happened.RESERVED} == {("work/one", "work/two")}


def test_a_head_that_may_preempt_nobody_keeps_its_room_free_as_long_as_it_is_a_head():
    def played(strategy: str) -> Cluster:
        lower = "LowerPriority"
        first = queue("first", 6, "c", within=lower, reclaim=lower, queueingStrategy=strategy)
        cluster = Cluster(first, queue("second", 2, "c"))
        cluster.submit("runs", "second", 4, 5)
        cluster.machine.submit(work("big", "first", 6, 3), 20_000)
        cluster.machine.submit(work("late", "second", 2), 20_000)
        cluster.settle()
        return cluster

    strict = played("StrictFIFO")
    assert strict.admitted() == {"runs"}
    assert strict.message("late") == "Workload no longer fits after processing another workload"
    assert played("BestEffortFIFO").admitted() == {"runs", "late"}  # the head is parked after one cycle


def test_work_of_a_namespace_that_the_queue_does_not_select_waits_until_it_is():
    selector = {"matchLabels": {"team": "red"}}
    cluster = Cluster(
        queue("q", 4, namespaceSelector=selector, queueingStrategy="StrictFIFO"), obj("Namespace", "work")
    )
    cluster.submit("a", "q", 1)
    assert (cluster.view.parked["q"], cluster.message("a")) == (
        ("work/a",),
        "workload namespace doesn't match ClusterQueue selector",
    )
    events = cluster.apply(obj("Namespace", "work", labels={"team": "red"}))
    assert [each.at for each in events if each.kind is Happened.ADMITTED] == [21_000]


def test_who_waits_for_victims_stays_first_though_more_important_work_comes():
    def played(strategy: str) -> list[tuple[int, str, str]]:
        cluster = Cluster(queue("q", 4, within="LowerPriority", queueingStrategy=strategy), stop_time=30_000)
        cluster.submit("low", "q", 4)
        assert evictions(cluster.submit("mid", "q", 4, 1)) == [("low", "InClusterQueue", "mid")]
        assert cluster.states()["low"] == "evicted"
        assert cluster.message("mid").endswith("4 more needed. Pending the preemption of 1 workload(s)")
        cluster.submit("high", "q", 4, 2)
        events = cluster.machine.run_until(90_000)
        told = {Happened.ADMITTED, Happened.EVICTED}
        return [(each.at, str(each.kind), each.workload) for each in events if each.kind in told]

    assert played("BestEffortFIFO") == [
        (50_000, "admitted", "work/mid"),
        (50_000, "evicted", "work/mid"),
        (80_000, "admitted", "work/high"),
    ]
    assert played("StrictFIFO") == [(50_000, "admitted", "work/high")]


def test_two_local_queues_feed_one_queue():
    cluster = Cluster(queue("q", 2), local("l1", "q"), local("l2", "q", "other"))
    cluster.submit("a", "l1", 1)
    cluster.submit("b", "l1", 2)
    assert cluster.view.pending == {"q": 1, "work/l1": 1, "other/l2": 0}


def test_when_the_head_of_a_strict_queue_leaves_the_next_one_is_looked_at_at_once():
    cluster = Cluster(queue("q", 4, queueingStrategy="StrictFIFO"))
    cluster.submit("runs", "q", 3)
    cluster.submit("large", "q", 4)
    cluster.submit("small", "q", 1)
    events = cluster.remove("Workload", "large", "work")
    assert [(each.at, each.workload) for each in events if each.kind is Happened.ADMITTED] == [
        (40_000, "work/small")
    ]


def test_a_written_status_wakes_parked_work_only_below_a_cohort_object_that_is_not_the_root():
    def message_after_a_neighbour_took_room(parent: str, *cohorts: KubeObject) -> str:
        cluster = Cluster(queue("q", 0, parent), queue("p", 4, parent), *cohorts)
        cluster.submit("waits", "q", 5)
        cluster.submit("blocks", "p", 2)
        cluster.submit("twin", "q", 3)
        cluster.submit("more", "p", 1)
        return cluster.message("twin")

    text = "couldn't assign flavors to pod set main: insufficient unused quota for gpu in flavor f, {} more needed"
    assert message_after_a_neighbour_took_room("c") == text.format(1)
    assert message_after_a_neighbour_took_room("c", cohort("c")) == text.format(1)
    below = [cohort("root"), cohort("c", parent="root")]
    assert message_after_a_neighbour_took_room("c", *below) == text.format(2)


def test_reclaimed_pods_count_from_all_that_were_asked_for():
    cluster = Cluster(queue("q", 4))
    cluster.submit("part", "q", 1, count=6, least=2)
    assert (cluster.view.counts["work/part"], cluster.used("q")) == ({"main": 4}, {"f": 4})
    for reclaimed, used in ((2, 4), (3, 3), (6, 0)):
        cluster.machine.set_reclaimable("work/part", {"main": reclaimed}, cluster.step())
        cluster.settle()
        assert cluster.view.reservations["q"] == ({"f": {"gpu": used}} if used else {})
