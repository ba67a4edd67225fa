"""What is not about quota: queues that take nothing, checks, gates, back-off, and jobs that have quota or are over."""

import pytest
from live_world import LiveWorld, condition, stamp

from kohort.semantics.reasons import Why
from kohort.why.answer import Verdict


def world_with_blue(**spec):
    world = LiveWorld()
    world.queue("blue", {"h100": 8}, **spec)
    return world


def only(answer):
    (obstacle,) = answer.obstacles
    return obstacle


def test_a_queue_that_is_stopped():
    world = world_with_blue(stopPolicy="Hold")
    world.waits("blue/new", 1)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.STOPPED
    assert answer.headline.startswith("blue/new cannot start: ClusterQueue blue is not active (Stopped)")
    assert only(answer).why is Why.QUEUE_INACTIVE


def test_a_queue_whose_flavor_is_missing():
    world = LiveWorld("a100")
    world.queue("blue", {"h100": 8})
    world.waits("blue/new", 1)
    assert "(FlavorNotFound)" in world.why("blue/new").headline
    assert "missing ResourceFlavor(s): h100" in only(world.why("blue/new")).message


def test_a_queue_whose_check_is_missing_or_not_active():
    world = world_with_blue(admissionChecksStrategy={"admissionChecks": [{"name": "nodes"}]})
    world.waits("blue/new", 1)
    # no AdmissionCheck was given at all: nothing is said about them
    assert world.why("blue/new").verdict is Verdict.FITS
    world.add("AdmissionCheck", "other", {"controllerName": "x"})
    assert "(AdmissionCheckNotFound)" in world.why("blue/new").headline
    world.add(
        "AdmissionCheck",
        "nodes",
        {"controllerName": "x"},
        status={"conditions": [condition("Active", "False")]},
    )
    assert "(AdmissionCheckInactive)" in world.why("blue/new").headline


def test_requests_above_what_a_limit_range_allows():
    world = world_with_blue()
    world.add(
        "LimitRange",
        "l",
        {"limits": [{"type": "Container", "max": {"nvidia.com/gpu": "2"}}]},
        "blue",
        version="v1",
    )
    said = (
        'resources validation failed: spec.podSets[0].template.spec.containers[0]: Invalid value: ["nvidia.com/gpu"]: requests '
        "must not exceed its limits"
    )
    world.waits("blue/new", 3, said)
    world.waits("blue/small", 2)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.STOPPED
    assert answer.headline == f"blue/new cannot start: its pods ask for more or less than they may: {said}"
    assert only(answer).why is Why.REFUSED
    assert answer.said is not None
    assert answer.said.agrees
    assert world.why("blue/small").verdict is Verdict.FITS


def test_the_overhead_of_a_runtime_class_and_defaults_count():
    world = world_with_blue()
    world.add("RuntimeClass", "kata", version="node.k8s.io/v1")["overhead"] = {
        "podFixed": {"nvidia.com/gpu": "1"}
    }
    world.waits("blue/new", 8, pod={"runtimeClassName": "kata"})
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert dict(answer.asks[0].per_pod) == {"nvidia.com/gpu": 9}


def test_a_local_queue_that_is_stopped():
    world = world_with_blue()
    world.add("LocalQueue", "side", {"clusterQueue": "blue", "stopPolicy": "HoldAndDrain"}, "blue")
    world.waits("blue/new", 1, queue="side")
    answer = world.why("blue/new")
    assert only(answer).why is Why.LOCAL_QUEUE_STOPPED
    assert "LocalQueue blue/side is stopped (stopPolicy HoldAndDrain)" in answer.headline


def test_a_local_queue_that_does_not_exist_with_the_one_that_was_meant():
    world = world_with_blue()
    world.waits("blue/new", 1, queue="mian")
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.STOPPED
    assert only(answer).message == "LocalQueue blue/mian does not exist"
    assert only(answer).help.startswith("did you mean main?")


def test_a_job_that_names_no_queue():
    world = world_with_blue()
    world.waits("blue/new", 1, queue="")
    assert only(world.why("blue/new")).message == "the job names no queue"


def test_a_local_queue_that_leads_nowhere():
    world = world_with_blue()
    world.add("LocalQueue", "side", {"clusterQueue": "bleu"}, "blue")
    world.waits("blue/new", 1, queue="side")
    answer = world.why("blue/new")
    assert only(answer).why is Why.NO_QUEUE
    assert "leads to ClusterQueue bleu, which does not exist" in answer.headline
    assert "did an admin mean blue?" in only(answer).help


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (None, "is absent and so selects none"),
        ({"matchLabels": {"team": "red"}}, "does not select it"),
    ],
)
def test_a_namespace_that_is_not_selected(selector, words):
    world = world_with_blue(namespaceSelector=selector)
    world.waits("blue/new", 1)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.STOPPED
    assert (
        only(answer).message
        == f"namespace blue may not use ClusterQueue blue, whose namespaceSelector {words}"
    )


def test_the_server_labels_namespaces_with_their_name():
    world = world_with_blue(namespaceSelector={"matchLabels": {"kubernetes.io/metadata.name": "blue"}})
    world.waits("blue/new", 1)
    assert world.why("blue/new").verdict is Verdict.FITS


def test_a_namespace_that_is_not_in_the_snapshot_is_a_note_and_no_verdict():
    world = world_with_blue(namespaceSelector={"matchLabels": {"team": "red"}})
    world.objects = [obj for obj in world.objects if obj["kind"] != "Namespace"]
    world.waits("blue/new", 1)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.FITS
    assert (
        answer.notes[-1] == "namespace blue is not in the snapshot: whether its queue takes it was not judged"
    )


def test_a_cohort_cycle_names_its_ring():
    world = LiveWorld()
    world.cohort("a", "b")
    world.cohort("b", "a")
    world.queue("blue", {"h100": 8}, cohort="a")
    world.waits("blue/new", 1)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.STOPPED
    assert "cohort a, whose parents form a cycle (a → b → a): nothing in it is scheduled" in answer.headline


def test_a_check_that_says_retry_holds_it():
    world = world_with_blue()
    world.waits("blue/new", 1)["status"]["admissionChecks"] = [{"name": "nodes", "state": "Retry"}]
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.HELD
    assert (
        answer.headline == "blue/new waits: admission check nodes says Retry: Kueue evicts it and tries again"
    )


def test_quota_is_there_and_a_check_is_open():
    world = world_with_blue()
    obj = world.runs("blue/new", 1)
    obj["status"]["conditions"].pop()  # Admitted
    obj["status"]["admissionChecks"] = [
        {"name": "nodes", "state": "Pending"},
        {"name": "paid", "state": "Ready"},
    ]
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.HELD
    assert answer.headline == "blue/new waits: it has quota, and admission checks are open: nodes (Pending)"


def test_a_gate_holds_it():
    world = world_with_blue()
    obj = world.waits("blue/new", 1)
    obj["metadata"]["annotations"] = {
        "kueue.x-k8s.io/admission-gated-by": "example.com/budget, example.com/x"
    }
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.HELD
    assert "held back by example.com/budget, example.com/x" in answer.headline
    assert world.why("blue/new", kueue="0.18.1").verdict is Verdict.FITS  # which does not look at it


def test_a_back_off_ends_at_its_time():
    world = world_with_blue()
    world.waits("blue/new", 1)["status"]["requeueState"] = {"count": 3, "requeueAt": stamp(600)}
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.HELD
    assert (
        "it waits until 2026-11-30T08:10:00Z before it is looked at again (eviction 3, back-off)"
        in answer.headline
    )
    # anything newer in the snapshot shows that the time has come
    world.waits("blue/other", 8)["metadata"]["creationTimestamp"] = stamp(601)
    assert world.why("blue/new").verdict is Verdict.FITS


def test_who_backs_off_is_not_ahead():
    world = world_with_blue(queueingStrategy="StrictFIFO")
    world.waits("blue/first", 20)["status"]["requeueState"] = {"count": 1, "requeueAt": stamp(600)}
    world.waits("blue/new", 1)
    assert world.why("blue/new").verdict is Verdict.FITS


def test_a_job_that_is_switched_off():
    world = world_with_blue()
    world.waits("blue/new", 1, active=False)
    assert only(world.why("blue/new")).why is Why.DEACTIVATED


def test_jobs_that_run_end_or_ended():
    world = world_with_blue()
    world.runs("blue/a", 2)
    preempted = condition("Preempted", reason="InClusterQueue")
    evicted = condition("Evicted", reason="Preempted", message="Preempted to accommodate a workload")
    world.runs("blue/b", 2, conditions=[evicted, preempted])
    world.waits("blue/c", 2)["status"]["conditions"] = [condition("Finished")]
    inquiry = world.inquiry()
    assert [inquiry.why(f"blue/{name}").verdict for name in "abc"] == [
        Verdict.RUNS,
        Verdict.ENDING,
        Verdict.FINISHED,
    ]
    assert inquiry.why("blue/a").headline == "blue/a runs: it is admitted in queue blue on flavor h100"
    assert inquiry.why("blue/b").headline.endswith(
        "still holds its quota: Preempted to accommodate a workload"
    )
    # what is being stopped still counts, what has finished does not
    assert inquiry.snapshot.state.queues["blue"].cells["h100", "nvidia.com/gpu"].used == 4
