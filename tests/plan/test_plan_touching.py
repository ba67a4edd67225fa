"""Which workloads each kind of change names. The lab plays the same on a real Kueue (tests/lab/test_plan_classes.py)."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import yaml

from kohort.engine.outcome import Settings
from kohort.engine.planning_plain import plan_manifests
from kohort.engine.snapshot import read_snapshot

API = "kueue.x-k8s.io/v1beta2"
RUN, WAIT = "may-preempt", "requeues-pending"
FAIR = {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}}


def queue(name, nominal, cohort="c", *, within="Never", reclaim="Never", flavor="f", **more):
    quota = {"name": "gpu", "nominalQuota": str(nominal), **{k: str(v) for k, v in more.items()}}
    group = {"coveredResources": ["gpu"], "flavors": [{"name": flavor, "resources": [quota]}]}
    spec = {"namespaceSelector": {}, "resourceGroups": [group]}
    spec["preemption"] = {"withinClusterQueue": within, "reclaimWithinCohort": reclaim}
    return made("ClusterQueue", name, {**spec, **({"cohortName": cohort} if cohort else {})})


def made(kind, name, spec, **meta):
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name, **meta}, "spec": spec}


def local(name, to=""):
    return made("LocalQueue", name, {"clusterQueue": to or name}, namespace="w")


def pool(name, nominal, **spec):
    quota = {"name": "f", "resources": [{"name": "gpu", "nominalQuota": str(nominal)}]}
    return made(
        "Cohort", name, {"resourceGroups": [{"coveredResources": ["gpu"], "flavors": [quota]}], **spec}
    )


def work(name, queue_name, gpus=0, *, at=0, priority=0, cls=""):
    """Work that holds GPUs since minute `at`, or waits."""
    when = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=at)).strftime("%Y-%m-%dT%H:%M:%SZ")
    spec = {"queueName": queue_name, "priority": priority, "podSets": [{"name": "main", "count": 1}]}
    value = made("Workload", name, {**spec, "priorityClassRef": {"name": cls}}, namespace="w")
    value["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    if gpus:
        assigned = {"name": "main", "count": 1, "flavors": {"gpu": "f"}, "resourceUsage": {"gpu": str(gpus)}}
        conditions = [
            {"type": kind, "status": "True", "lastTransitionTime": when}
            for kind in ("QuotaReserved", "Admitted")
        ]
        value["status"] = {
            "conditions": conditions,
            "admission": {"clusterQueue": queue_name, "podSetAssignments": [assigned]},
        }
    return value


@pytest.fixture
def told(tmp_path):
    """Names and classes of the work that a change of queues concerns."""

    def plan(before, after, *works):
        common = [made("ResourceFlavor", "f", {}), made("ResourceFlavor", "g", {})]
        names = dict.fromkeys(each["metadata"]["name"] for each in before if each["kind"] == "ClusterQueue")
        common += [local(name) for name in names]
        for file, objects in (("old", before), ("new", after)):
            given = {(each["kind"], each["metadata"]["name"]) for each in objects}
            rest = [each for each in common if (each["kind"], each["metadata"]["name"]) not in given]
            (tmp_path / f"{file}.yaml").write_text(yaml.safe_dump_all([*rest, *objects]))
        (tmp_path / "s.json").write_text(
            json.dumps({"apiVersion": "v1", "kind": "List", "items": list(works)})
        )
        state = read_snapshot([str(tmp_path / "s.json")])
        old, new = str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml")
        found = plan_manifests(old, new, Settings(), snapshot=state).plan
        return {one.name: one.disruption.value for one in found.work}

    return plan


def test_who_gives_way_is_the_lowest_priority_and_then_the_newest_until_the_guarantee_is_kept(told):
    works = (
        work("old", "b", 4, at=0),
        work("middle", "b", 3, at=1),
        work("new", "b", 2, at=2),
        work("important", "b", 2, at=9, priority=5),
    )
    before, rich = [queue("a", 4, reclaim="Any"), queue("b", 12)], [queue("a", 4, reclaim="Any")]
    assert told(before, [*rich, queue("b", 10)], *works) == {"new": RUN}
    assert told(before, [*rich, queue("b", 8)], *works) == {"new": RUN, "middle": RUN}
    assert told(before, [*rich, queue("b", 1)], *works) == dict.fromkeys(
        ("old", "middle", "new", "important"), RUN
    )


def test_who_lends_more_wakes_others_and_who_may_borrow_more_itself(told):
    works = (work("mine", "a"), work("theirs", "b"))
    lends = [queue("a", 4, lendingLimit=0), queue("b", 4)]
    assert told(lends, [queue("a", 4, lendingLimit=2), queue("b", 4)], *works) == {"theirs": WAIT}
    borrows = [queue("a", 4, borrowingLimit=0), queue("b", 4)]
    assert told(borrows, [queue("a", 4, borrowingLimit=2), queue("b", 4)], *works) == {"mine": WAIT}
    assert told([queue("a", 4, borrowingLimit=2)], [queue("a", 4, borrowingLimit=0)], work("mine", "a")) == {}


def test_less_lent_costs_who_borrowed_only_where_the_lender_takes_it_back(told):
    works = (work("own", "b", 4), work("more", "b", 3, at=1))
    for reclaim, expected in (("Never", {}), ("Any", {"more": RUN})):
        before = [queue("a", 4, reclaim=reclaim, lendingLimit=4), queue("b", 4)]
        assert (
            told(before, [queue("a", 4, reclaim=reclaim, lendingLimit=0), queue("b", 4)], *works) == expected
        )


def test_a_pool_that_comes_grows_or_goes(told):
    members = [queue("a", 2, reclaim="Any"), queue("b", 2)]
    works = (work("own", "b", 2), work("more", "b", 3, at=1), work("waits", "a"))
    assert told(members, [*members, pool("c", 4)], *works) == {"waits": WAIT}
    assert told([*members, pool("c", 2)], [*members, pool("c", 1)], *works) == {"more": RUN}
    assert told([*members, pool("c", 4)], members, *works) == {"more": RUN}
    other = [queue("a", 2), queue("b", 2), queue("far", 2, "d")]
    assert told(other, [*other, pool("c", 4)], work("far-waits", "far")) == {}


def test_a_subtree_that_moves_names_what_it_borrowed_and_what_was_borrowed_where_it_stood(told):
    takes = [queue("asks", 2, "top", reclaim="Any"), queue("there", 2, "other", reclaim="Any")]
    queues = [queue("m", 2, "sub"), queue("stays", 2, "top"), *takes]
    works = (
        work("m-own", "m", 2),
        work("m-more", "m", 1, at=1),
        work("s-own", "stays", 2),
        work("s-more", "stays", 1, at=1),
        work("t-more", "there", 3),  # nobody but its own queue takes back there
    )
    before, after = (
        made("Cohort", "sub", {"parentName": "top"}),
        made("Cohort", "sub", {"parentName": "other"}),
    )
    assert told([*queues, before], [*queues, after], *works) == {"m-more": RUN, "s-more": RUN}


def test_a_policy_names_its_own_work_or_borrowers_and_what_waits_for_them(told):
    works = (
        work("mine", "a", 2),
        work("own", "b", 4),
        work("more", "b", 2, at=1),
        work("waits", "a"),
        work("other", "b"),
    )
    before = [queue("a", 4), queue("b", 4)]
    within = [queue("a", 4, within="LowerPriority"), queue("b", 4)]
    assert told(before, within, *works) == {"mine": RUN, "waits": RUN}
    reclaims = [queue("a", 4, reclaim="Any"), queue("b", 4)]
    assert told(before, reclaims, *works) == {"more": RUN, "waits": RUN}
    assert told(reclaims, before, *works) == {}  # it preempts less
    assert told(reclaims, [queue("a", 4, reclaim="LowerPriority"), queue("b", 4)], *works) == {}


def priority(value):
    return {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": "p"}, "value": value}


def test_a_priority_that_rises_names_whom_its_waiting_work_may_now_preempt(told):
    works = (
        work("low", "a", 2, priority=50),
        work("equal", "a", 1, priority=100),
        work("of-it", "a", 1, priority=0, cls="p"),
        work("waits", "a", cls="p"),
        work("b-own", "b", 4, priority=1),
        work("b-more", "b", 1, at=1, priority=1),
    )
    queues = [queue("a", 4, within="LowerPriority", reclaim="LowerPriority"), queue("b", 4)]
    named = told([*queues, priority(0)], [*queues, priority(100)], *works)
    assert named == {"low": RUN, "of-it": RUN, "b-more": RUN, "waits": RUN}
    idle = [queue("a", 4), queue("b", 4)]
    assert told([*idle, priority(0)], [*idle, priority(100)], *works) == {"waits": RUN}
    assert told([*queues, priority(100)], [*queues, priority(0)], *works) == {"of-it": RUN, "waits": RUN}


def test_a_local_queue_that_waiting_work_names_is_more_than_for_new_work(told):
    before = [queue("a", 4)]
    assert told(before, [*before, local("l", "a")], work("waits", "l"), work("mine", "a")) == {"waits": WAIT}
    assert told(before, [*before, local("l", "a")], work("mine", "a")) == {}


def test_a_taint_wakes_only_queues_that_list_the_flavor(told):
    queues = [queue("a", 4), queue("b", 4, flavor="g")]
    flavor = made("ResourceFlavor", "g", {"nodeTaints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]})
    assert told(queues, [*queues, flavor], work("mine", "a"), work("theirs", "b")) == {"theirs": WAIT}


@pytest.mark.parametrize(
    ("block", "reclaims", "cohort", "classes"),
    [
        (None, "Any", "c", ["may-preempt"]),  # not known: weights may count
        (FAIR, "Any", "c", ["may-preempt"]),
        (FAIR, "Never", "c", ["requeues-pending"]),  # only the order of what waits is another
        (FAIR, "Any", "", ["nothing"]),
        ({}, "Any", "c", ["nothing"]),
    ],
)
def test_weights_cost_running_work_its_place_only_where_somebody_reclaims_fairly(
    tmp_path, block, reclaims, cohort, classes
):
    group = {
        "coveredResources": ["gpu"],
        "flavors": [{"name": "f", "resources": [{"name": "gpu", "nominalQuota": "1"}]}],
    }
    for file, weight in (("old", "1"), ("new", "2")):
        alike = {"namespaceSelector": {}, "resourceGroups": [group], "cohortName": cohort}
        weighed, other = {**alike, "fairSharing": {"weight": weight}}, {"reclaimWithinCohort": reclaims}
        objects = [made("ResourceFlavor", "f", {}), made("ClusterQueue", "a", weighed)]
        objects.append(made("ClusterQueue", "b", {**alike, "preemption": other}))
        if block is not None:
            objects.append({"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", **block})
        (tmp_path / f"{file}.yaml").write_text(yaml.safe_dump_all(objects))
    found = plan_manifests(str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml"), Settings()).plan
    assert [one.disruption.value for one in found.objects] == classes


def test_a_spec_that_becomes_empty_is_told_before_argo_cd_fails_at_it(tmp_path):
    def plan(kind, before, after):
        for file, spec in (("old", before), ("new", after)):
            objects = [made(kind, "x", spec), made("ResourceFlavor", "g", {})]
            (tmp_path / f"{file}.yaml").write_text(yaml.safe_dump_all(objects, sort_keys=False))
        done = plan_manifests(str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml"), Settings())
        return done, [one for one in done.plan.findings if one.code == "PLN005"]

    done, (found,) = plan("Cohort", {"parentName": "up", "fairSharing": {"weight": "2"}}, {})
    assert found.message == (
        "Cohort x: its spec loses parentName, fairSharing and is empty then: a server-side apply of that is refused "
        '(spec: Invalid value: "null")'
    )
    assert found.help == (
        'keep one field: fairSharing: {weight: "1"} says what Kueue takes anyway',
        "or carry it out once by kubectl replace",
    )
    assert found.severity.value == "warning"
    assert done.head.span(found.primary.origin).line == 5
    assert plan("ResourceFlavor", {"nodeLabels": {"a": "b"}}, {})[1]
    assert not plan("Cohort", {"parentName": "up"}, {"fairSharing": {"weight": "1"}})[1]
    assert not plan("Cohort", {}, {"parentName": "up"})[1]
    assert not plan("Cohort", {}, {})[1]
