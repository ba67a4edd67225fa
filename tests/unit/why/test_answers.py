"""One small cluster per kind of answer, with the numbers worked by hand."""

from live_world import GPU, LiveWorld, changes

from kohort.semantics.reasons import Why
from kohort.why.answer import Verdict

ANY = {"preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"}}
FAIR = {
    "apiVersion": "config.kueue.x-k8s.io/v1beta2",
    "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
}


def two_queues(**spec):
    world = LiveWorld()
    world.queue("blue", {"h100": 8}, **spec)
    world.queue("red", {"h100": 8}, **spec)
    return world


def test_within_the_guarantee_it_fits():
    world = two_queues()
    world.runs("blue/old", 2)
    world.waits("blue/new", 3, pods=2)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.FITS
    assert answer.verdict.admitted
    assert answer.headline == "blue/new will be admitted on flavor h100, within the guarantee of queue blue"
    (look,) = answer.looks
    (quota,) = look.quotas
    assert (look.chosen, quota.requested, quota.guarantee, quota.used, quota.free) == (True, 6, 8, 2, 6)
    assert quota.borrowable == 8
    assert quota.missing == 0
    assert quota.maximum == 16
    assert [(each.name, each.units) for each in quota.lenders] == [("red", 8)]
    assert answer.changes == ()
    assert answer.given == {"main": {GPU: "h100"}}


def test_it_borrows_from_whom_is_idle():
    world = two_queues()
    world.runs("red/old", 3)
    world.waits("blue/new", 6, pods=2)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.BORROWS
    assert answer.headline == "blue/new will be admitted on flavor h100, borrowing 4 GPUs (idle: red 5)"
    (quota,) = answer.looks[0].quotas
    assert (quota.free, quota.borrowable) == (8, 5)
    assert [(u.name, u.units, u.borrowed) for u in quota.users] == [("red", 3, 0)]


def test_it_preempts_lower_priority_of_its_own_queue():
    world = two_queues(**ANY)
    world.runs("blue/low", 8, priority=1)
    world.runs("red/full", 8)
    world.waits("blue/new", 4, priority=5)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.PREEMPTS
    assert answer.headline == "blue/new will be admitted on flavor h100 once 1 job is preempted: blue/low"
    (victim,) = answer.victims
    assert (victim.workload, victim.rule, victim.priority) == ("blue/low", "InClusterQueue", 1)
    assert victim.frees == {("h100", GPU): 8}


def test_it_reclaims_its_guarantee_from_a_borrower():
    world = two_queues(**ANY)
    world.runs("red/own", 8, priority=9)
    world.runs("red/borrows", 4, priority=9)
    world.waits("blue/new", 8)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.PREEMPTS
    assert [(v.workload, v.rule) for v in answer.victims] == [("red/borrows", "InCohortReclamation")]


def test_fair_sharing_takes_from_the_larger_share():
    world = LiveWorld()
    for name in ("blue", "red", "slack"):
        world.queue(name, {"h100": 0 if name != "slack" else 12}, **ANY)
    for number in range(3):
        world.runs(f"red/{number}", 4)
    world.waits("blue/new", 4)
    assert world.why("blue/new").verdict is Verdict.WAITS
    answer = world.why("blue/new", configuration=FAIR)
    assert answer.verdict is Verdict.PREEMPTS
    assert [(v.workload, v.rule) for v in answer.victims] == [("red/2", "InCohortFairSharing")]


def test_without_preemption_it_waits_and_the_sum_says_why():
    world = two_queues()
    world.runs("blue/a", 8)
    world.runs("red/a", 5)
    world.runs("red/b", 2)
    world.waits("blue/new", 4)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.WAITS
    assert not answer.verdict.admitted
    assert answer.headline == (
        "blue/new waits for quota: 3 GPUs of flavor h100 missing, 4 asked and 1 to be had "
        "(0 of the guarantee, 1 to borrow)"
    )
    (quota,) = answer.looks[0].quotas
    assert quota.missing == 3
    found = changes(answer)
    assert found["after running jobs end"].parts == {"workloads": ["red/a"]}
    assert found["after running jobs end"].message.startswith("wait until red/a ends: 5 GPUs of flavor h100")
    assert found["more quota"].parts["resources"] == {GPU: {"from": 8, "to": 11}}
    assert found["more quota"].then is Verdict.BORROWS


def test_jobs_end_together_where_one_alone_is_not_enough():
    world = two_queues()
    world.runs("blue/a", 8)
    for number in range(4):
        world.runs(f"red/{number}", 2)
    world.waits("blue/new", 4)
    found = changes(world.why("blue/new"))["after running jobs end"]
    # of blue/a alone 8 would come back: it is the one job that is enough
    assert found.parts == {"workloads": ["blue/a"]}
    world.objects[-1]["spec"]["podSets"][0]["count"] = 3
    found = changes(world.why("blue/new"))["after running jobs end"]
    assert found.parts == {"workloads": ["blue/a", "red/0", "red/1"]}


def test_one_of_several_that_would_do_is_named():
    world = two_queues()
    for number in range(8):
        world.runs(f"red/{number}", 2)
    world.waits("blue/new", 2)
    found = changes(world.why("blue/new"))["after running jobs end"]
    assert found.message == "wait until red/0 ends: 2 GPUs of flavor h100; any one of 8 running jobs would do"


def test_fewer_pods_fit_now():
    world = two_queues()
    world.runs("red/a", 8)
    world.runs("blue/a", 3)
    world.waits("blue/new", 2, pods=4)
    found = changes(world.why("blue/new"))["fewer pods"]
    assert found.parts == {"podset": "main", "from": 4, "pods": 2}
    assert (found.message, found.then) == ("ask for 2 pods instead of 4", Verdict.FITS)


def test_a_strict_queue_is_blocked_by_its_head():
    world = two_queues(queueingStrategy="StrictFIFO")
    world.runs("red/a", 8)
    world.waits("blue/big", 12)
    world.waits("blue/new", 1)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.BEHIND
    assert (
        answer.headline
        == "blue/new waits behind blue/big, the head of queue blue, which works strictly in order (StrictFIFO)"
    )
    assert (answer.place.position, answer.place.waiting, answer.place.ahead) == (2, 2, ("blue/big",))


def test_the_same_behind_a_parked_job_fits_in_a_best_effort_queue():
    world = two_queues()
    world.runs("red/a", 8)
    world.waits("blue/big", 12)
    world.waits("blue/new", 1)
    assert world.why("blue/new").verdict is Verdict.FITS


def test_whoever_is_ahead_and_fits_takes_the_room_first():
    world = two_queues()
    world.runs("red/a", 8)
    world.waits("blue/first", 6)
    world.waits("blue/new", 4)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.BEHIND
    assert answer.first == ("blue/first",)
    assert "blue/first, ahead of it in queue blue, which fits now and takes the room" in answer.headline
    assert answer.looks[0].quotas[0].missing == 2


def test_more_than_there_can_ever_be_never_starts():
    world = two_queues()
    world.waits("blue/new", 17)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert answer.headline == (
        "blue/new can never start as it is: it asks for 17 GPUs, and queue blue never has more than 16 of flavor h100, "
        "with all others idle"
    )
    assert changes(answer)["more quota"].parts["resources"] == {GPU: {"from": 8, "to": 9}}


def test_a_borrow_limit_is_named_and_raised_as_far_as_needed():
    world = LiveWorld()
    world.queue("blue", {"h100": {"nominal": 4, "borrow": 2}})
    world.queue("red", {"h100": 8})
    world.waits("blue/new", 9)
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert answer.looks[0].quotas[0].limit == "blue"
    found = changes(answer)
    assert found["higher borrow limit"].parts == {
        "node": "blue", "flavor": "h100", "resources": {GPU: {"from": 2, "to": 5}},
    }  # fmt: skip
    assert found["higher borrow limit"].then is Verdict.BORROWS


def test_the_borrow_limit_of_a_cohort_above_is_found():
    world = LiveWorld()
    world.cohort("org")
    cohort = world.cohort("team", "org", {"h100": {"nominal": 0, "borrow": 3}})
    world.queue("blue", {"h100": 2}, cohort="team")
    world.queue("red", {"h100": 8}, cohort="org")
    world.waits("blue/new", 6)
    answer = world.why("blue/new")
    assert answer.looks[0].quotas[0].limit == "team"
    assert changes(answer)["higher borrow limit"].parts["resources"] == {GPU: {"from": 3, "to": 4}}
    cohort["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["borrowingLimit"] = "4"
    assert world.why("blue/new").verdict is Verdict.BORROWS


def test_a_resource_without_quota_is_named_with_the_way_out():
    world = two_queues()
    world.waits("blue/new", 1, requests={GPU: "1", "ephemeral-storage": "10Gi"})
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert [o.why for o in answer.obstacles] == [Why.UNCOVERED]
    assert "ask for ephemeral-storage, and queue blue counts only nvidia.com/gpu" in answer.headline
    assert changes(answer)["without a resource"].parts == {"resources": ["ephemeral-storage"]}


def test_a_taint_closes_a_flavor_and_tolerating_it_opens_it():
    world = LiveWorld()
    world.flavor("spot", nodeTaints=[{"key": "spot", "value": "true", "effect": "NoSchedule"}])
    world.queue("blue", {"h100": 2, "spot": 8}, cohort="")
    world.runs("blue/old", 2)
    world.waits("blue/new", 4)
    answer = world.why("blue/new")
    assert [(look.flavor, look.reasons[0].why) for look in answer.looks] == [
        ("h100", Why.OVER_MAXIMUM),
        ("spot", Why.UNTOLERATED_TAINT),
    ]
    found = changes(answer)["other flavor"]
    assert found.message == "let the pods take flavor spot: tolerate spot=true:NoSchedule"


def test_a_node_selector_closes_a_flavor():
    world = LiveWorld("h100", "a100")
    world.queue("blue", {"h100": 1, "a100": 8}, cohort="")
    world.waits("blue/new", 4, pod={"nodeSelector": {"pool": "h100"}})
    answer = world.why("blue/new")
    assert answer.verdict is Verdict.NEVER
    assert answer.looks[1].reasons[0].why is Why.NODE_AFFINITY
    assert changes(answer)["other flavor"].parts == {"flavor": "a100", "podset": "main"}


def test_another_queue_of_the_namespace_may_take_it():
    world = two_queues()
    world.add("LocalQueue", "spare", {"clusterQueue": "red"}, "blue")
    world.queue("full", {"h100": 0}, cohort="", namespace=False)
    world.add("LocalQueue", "tight", {"clusterQueue": "full"}, "blue")
    world.waits("blue/new", 1, queue="tight")
    found = changes(world.why("blue/new"))["other queue"]
    assert found.parts == {"localQueue": "main", "queue": "blue"}


def test_a_higher_declared_priority_preempts():
    world = two_queues(**ANY)
    for name, value in (("low", 1), ("high", 10), ("higher", 20)):
        world.add("WorkloadPriorityClass", name)["value"] = value
    world.runs("blue/old", 8, priority=5)
    world.runs("red/old", 8)
    world.waits("blue/new", 2, priority=1)
    found = changes(world.why("blue/new"))["higher priority"]
    assert found.parts == {"from": 1, "priority": 10, "class": "high"}
    assert found.then is Verdict.PREEMPTS
