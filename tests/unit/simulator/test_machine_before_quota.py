"""What is asked of work before quota: bounds of its requests, gates, and checks that say when to try again."""

from __future__ import annotations

from small_cluster import Cluster, evictions, obj, queue

from kohort.semantics.gates import gates
from kohort.semantics.settings import Settings

OVER = (
    'resources validation failed: spec.podSets[0].template.spec.containers[0]: Invalid value: ["gpu"]: requests must not '
    "exceed its limits"
)


def job(name, gpus=1, gated="", runtime="", limits=None):
    resources = {"requests": {"gpu": str(gpus)}, **({"limits": limits} if limits else {})}
    pod = {"containers": [{"name": "c", "resources": resources}]}
    if runtime:
        pod["runtimeClassName"] = runtime
    spec = {"queueName": "q", "podSets": [{"name": "main", "count": 1, "template": {"spec": pod}}]}
    made = obj("Workload", name, spec, space="work")
    if gated:
        made.data["metadata"]["annotations"] = {"kueue.x-k8s.io/admission-gated-by": gated}
    return made


def limit_range(**limits):
    return obj("LimitRange", "l", {"limits": [{"type": "Container", **limits}]}, space="work")


def test_work_above_a_limit_waits_until_the_range_allows_it():
    world = Cluster(limit_range(max={"gpu": "2"}), queue("q", 8))
    world.apply(job("large", 3))
    assert (world.states(), world.message("large")) == ({"large": "pending"}, OVER)
    world.apply(job("small", 2))
    world.apply(limit_range(max={"gpu": "4"}))
    assert world.admitted() == {"large", "small"}


def test_a_range_that_goes_moves_nobody_by_itself():
    """As in `limits-below-the-minimum`: what the pods ask for is the same, so nobody is put anew."""
    world = Cluster(limit_range(min={"gpu": "2"}), queue("q", 8))
    world.apply(job("small", 1))
    world.apply(job("other", 2))
    assert world.message("small").endswith("requests must not be below the limitRange min")
    world.remove("LimitRange", "l", "work")
    assert world.admitted() == {"other"}
    world.finish("other")
    assert world.admitted() == {"small"}


def test_a_strict_queue_waits_behind_what_is_refused():
    world = Cluster(queue("q", 8, queueingStrategy="StrictFIFO"))
    world.apply(job("wrong", 3, limits={"gpu": "1"}))
    world.apply(job("right", 1))
    assert world.admitted() == set()
    world.remove("Workload", "wrong", "work")
    assert world.admitted() == {"right"}


def test_overhead_counts_and_follows_its_class():
    world = Cluster(obj("RuntimeClass", "kata", overhead={"podFixed": {"gpu": "2"}}), queue("q", 6))
    world.apply(job("one", 2, runtime="kata"))
    world.apply(job("two", 1, runtime="kata"))
    assert (world.used("q"), world.states()["two"]) == ({"f": 4}, "pending")
    world.apply(obj("RuntimeClass", "kata", overhead={"podFixed": {"gpu": "1"}}))
    assert world.used("q") == {"f": 6}  # who runs keeps what it was admitted with
    world.finish("one")
    world.remove("RuntimeClass", "kata")
    world.apply(job("three", 2, runtime="kata"))
    assert world.used("q") == {"f": 4}


def test_a_gate_holds_back_until_it_is_empty():
    world = Cluster(queue("q", 4))
    world.apply(job("held", 4, gated="a/x,b/y"))
    world.apply(job("free", 1))
    assert world.admitted() == {"free"}
    assert (world.view.reason["work/held"], world.message("held")) == (
        "AdmissionGated",
        "Admission is gated by: a/x,b/y",
    )
    assert world.view.pending["q"] == 0
    world.apply(job("held", 4, gated="b/y"))
    assert world.states()["held"] == "pending"
    world.apply(job("held", 4))
    assert world.message("held").startswith("couldn't assign flavors")
    world.finish("free")
    assert world.admitted() == {"held"}


def test_older_versions_know_no_gates():
    world = Cluster(queue("q", 4), settings=Settings("0.18.0", gates=gates("0.18.0")))
    world.apply(job("held", 4, gated="a/x"))
    assert world.admitted() == {"held"}


def check():
    status = {"conditions": [{"type": "Active", "status": "True"}]}
    return obj("AdmissionCheck", "ok", {"controllerName": "x"}, status=status)


def test_a_check_that_says_later_keeps_the_quota_until_then():
    """Kueue 0.19.1 waits for the back-off before it evicts (`checks-retry-later-keeps-the-quota`)."""
    world = Cluster(check(), queue("q", 4, admissionChecksStrategy={"admissionChecks": [{"name": "ok"}]}))
    world.apply(job("one", 3))
    at = world.step()
    world.machine.set_check("work/one", "ok", "Retry", at, after=30)
    assert evictions(world.settle()) == []
    assert world.states() == {"one": "reserved"}
    world.apply(job("two", 2))
    assert world.states()["two"] == "pending"
    told = evictions(world.machine.run_until(at + 29_999))
    told += evictions(world.machine.run_until(at + 30_000))
    assert told == [("one", "AdmissionCheck", "")]
    world.settle()
    assert world.view.flags["work/one"]["Requeued"] == "True BackoffFinished"
    assert world.states()["one"] == "reserved"


def test_a_check_that_says_retry_without_a_time_evicts_at_once():
    world = Cluster(check(), queue("q", 4, admissionChecksStrategy={"admissionChecks": [{"name": "ok"}]}))
    world.apply(job("one", 3))
    world.machine.set_check("work/one", "ok", "Retry", world.step())
    assert evictions(world.settle()) == [("one", "AdmissionCheck", "")]
