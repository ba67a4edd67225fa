from __future__ import annotations

from datetime import date

import pytest
from capacity_building import GPU, KUEUE, cluster, flavor, job, local_queue, node, obj, queue

from kohort.capacity import assess
from kohort.capacity.shapes import copies, gang, largest_pod
from kohort.capacity.summary import inventory_age
from kohort.capacity.words import amount, listed, number
from kohort.objects.cluster import Outage
from kohort.rules.capacity import job_larger_than_ever, no_headroom, pod_larger_than_node
from kohort.spans import Origin


@pytest.mark.parametrize(
    ("request_", "units", "fits"),
    [
        ({GPU: 4}, {GPU: 8}, 2),
        ({GPU: 3, "cpu": 1000}, {GPU: 8, "cpu": 1500}, 1),
        ({GPU: 9}, {GPU: 8}, 0),
        ({GPU: 1}, {}, 0),
        ({"cpu": 1}, {"cpu": 1000, "pods": 110}, 110),
        ({"pods": 1}, {"pods": 7}, 7),
        ({}, {GPU: 8}, 1),
    ],
)
def test_copies(request_, units, fits):
    assert copies(request_, units) == fits


def test_gang_and_largest_pod():
    made = cluster(
        flavor("f"),
        node("a", {GPU: 8, "cpu": 90}),
        node("b", {GPU: 7, "cpu": 96}),
        node("c", {GPU: 8, "cpu": 96}),
    )
    supply = assess(made).supplies["f"]
    assert gang({GPU: 4}, supply.nodes) == 5
    assert gang({GPU: 4}, supply.nodes, enough=2) == 2
    assert largest_pod(supply, [GPU, "cpu"]) == {GPU: 8, "cpu": 96000}


def messages(rule, made):
    return [f.message for f in rule.check(made)]


def test_pod_that_no_node_holds():
    made = cluster(
        flavor("f"),
        queue("cq", {"f": {GPU: 16}}),
        local_queue("cq"),
        job("big", {GPU: 16}),
        job("ok", {GPU: 8}, pods=2),
        node("a", {GPU: 8}),
        node("b", {GPU: 8}),
    )
    assert messages(pod_larger_than_node, made) == [
        "Job team/big: one pod asks 16 GPUs, and no healthy node of flavor f is that large (the largest has 8 GPUs)"
    ]
    assert messages(job_larger_than_ever, made) == []


def test_pod_that_only_a_lost_node_holds():
    made = cluster(
        flavor("f"),
        queue("cq", {"f": {GPU: 8}}),
        local_queue("cq"),
        job("big", {GPU: 8}),
        node("small", {GPU: 4}),
        node("down", {GPU: 8}, cordoned=True),
    )
    found = list(pod_larger_than_node.check(made))
    assert [f.help for f in found] == [("it would fit on down, which do not count now",)]


def test_gang_that_does_not_fit_at_once():
    """24 of 24 GPUs by quota, but in nodes of 7, only one pod of 4 each."""
    made = cluster(
        flavor("f"),
        queue("cq", {"f": {GPU: 24}}),
        local_queue("cq"),
        job("gang", {GPU: 4}, pods=5),
        *(node(f"n{i}", {GPU: 7}) for i in range(4)),
    )
    found = list(job_larger_than_ever.check(made))
    assert [f.message for f in found] == [
        "Job team/gang asks 5 pods of 4 GPUs at once; the 4 healthy nodes of flavor f hold 4 of them when empty"
    ]
    assert "necessary, but not sufficient" in found[0].help[1]
    assert messages(pod_larger_than_node, made) == []


def test_second_flavor_may_hold_what_the_first_cannot():
    made = cluster(
        flavor("small", {"s": "1"}),
        flavor("large", {"s": "2"}),
        queue("cq", {"small": {GPU: 8}, "large": {GPU: 8}}),
        local_queue("cq"),
        job("j", {GPU: 8}),
        node("a", {GPU: 4}, {"s": "1"}),
        node("b", {GPU: 8}, {"s": "2"}),
    )
    assert messages(pod_larger_than_node, made) == []
    assert messages(job_larger_than_ever, made) == []


@pytest.mark.parametrize("order", [1, -1])
def test_two_groups_need_one_node_for_both(order):
    spec = [
        {
            "coveredResources": [GPU],
            "flavors": [{"name": "g", "resources": [{"name": GPU, "nominalQuota": 8}]}],
        },
        {
            "coveredResources": ["cpu"],
            "flavors": [{"name": "c", "resources": [{"name": "cpu", "nominalQuota": 100}]}],
        },
    ]
    made = cluster(
        flavor("g", {"gpu": "yes"}),
        flavor("c", {"cpu": "yes"}),
        obj(KUEUE, "ClusterQueue", "cq", spec={"namespaceSelector": {}, "resourceGroups": spec[::order]}),
        local_queue("cq"),
        job("j", {GPU: 1, "cpu": 64}),
        node("both", {GPU: 8, "cpu": 32}, {"gpu": "yes", "cpu": "yes"}),
        node("cpu", {"cpu": 96}, {"cpu": "yes"}),
    )
    assert messages(pod_larger_than_node, made) == [
        (
            f"Job team/j: one pod asks 1 GPU / 64 cpu, and no healthy node of flavor {' and '.join('gc'[::order])} is that large "
            "(the largest has 8 GPUs / 32 cpu)"
        ),
    ]


@pytest.mark.parametrize(
    ("gpus", "cpus", "judged"), [(8, 8, True), (8, 9, False), (5, 13, False), (64, 1, True)]
)
def test_up_to_64_choices_of_flavors_are_tried_and_of_more_nothing_is_claimed(gpus, cpus, judged):
    def one(resource, names):
        flavors = [{"name": n, "resources": [{"name": resource, "nominalQuota": 99}]} for n in names]
        return {"coveredResources": [resource], "flavors": flavors}

    names = ([f"g{i}" for i in range(gpus)], [f"c{i}" for i in range(cpus)])
    spec = [one(resource, some) for resource, some in zip((GPU, "cpu"), names, strict=True)]
    made = cluster(
        *(flavor(name) for some in names for name in some),
        obj(KUEUE, "ClusterQueue", "cq", spec={"namespaceSelector": {}, "resourceGroups": spec}),
        local_queue("cq"),
        job("j", {GPU: 9, "cpu": 1}),
        node("n", {GPU: 8, "cpu": 32}),
    )
    assert bool(messages(pod_larger_than_node, made)) is judged


@pytest.mark.parametrize("order", [1, -1])
def test_a_node_of_one_of_two_flavors_is_no_place_though_it_has_the_devices_of_both(order):
    groups = [
        {"coveredResources": [r], "flavors": [{"name": f, "resources": [{"name": r, "nominalQuota": 100}]}]}
        for f, r in (("g", GPU), ("c", "cpu"))
    ]
    made = cluster(
        flavor("g", {"gpu": "yes"}),
        flavor("c", {"cpu": "yes"}),
        obj(KUEUE, "ClusterQueue", "cq", spec={"namespaceSelector": {}, "resourceGroups": groups[::order]}),
        local_queue("cq"),
        job("j", {GPU: 1, "cpu": 64}),
        node("both", {GPU: 8, "cpu": 32}, {"gpu": "yes", "cpu": "yes"}),
        node("cpu", {GPU: 8, "cpu": 96}, {"cpu": "yes"}),
        node("gpu", {GPU: 8, "cpu": 96}, {"gpu": "yes"}),
    )
    assert len(messages(pod_larger_than_node, made)) == 1


def test_pod_brings_its_own_toleration():
    taint = [{"key": "t", "effect": "NoSchedule"}]
    objects = [
        flavor("f", {"a": "b"}),
        queue("cq", {"f": {GPU: 8}}),
        local_queue("cq"),
        node("s", {GPU: 4}, {"a": "b"}),
        node("n", {GPU: 8}, {"a": "b"}, taints=taint),
    ]
    assert len(messages(pod_larger_than_node, cluster(*objects, job("j", {GPU: 8})))) == 1
    brave = job("j", {GPU: 8}, tolerations=[{"operator": "Exists"}])
    assert messages(pod_larger_than_node, cluster(*objects, brave)) == []


def test_nothing_is_claimed_of_uncovered_elastic_or_unknown():
    objects = [
        flavor("f"),
        queue("cq", {"f": {GPU: 8}}, checks=[{"name": "prov"}]),
        local_queue("cq"),
        obj(KUEUE, "AdmissionCheck", "prov", spec={"controllerName": "kueue.x-k8s.io/provisioning-request"}),
        node("n", {GPU: 1}),
    ]
    for one in (
        job("a", {GPU: 8}),
        job("b", {"cpu": 1, GPU: 8}),
        job("c", {GPU: 8}, queue_name="nowhere"),
        job("d", {GPU: 0}),
    ):
        made = cluster(*objects, one)
        assert messages(pod_larger_than_node, made) == messages(job_larger_than_ever, made) == []


def test_partial_admission_counts_the_least():
    small = job("j", {GPU: 4}, pods=4)
    small.data["metadata"]["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "2"}
    objects = [flavor("f"), queue("cq", {"f": {GPU: 8}}), local_queue("cq")]
    assert messages(job_larger_than_ever, cluster(*objects, small)) == []
    assert messages(job_larger_than_ever, cluster(*objects, job("j", {GPU: 4}, pods=3))) == [
        "Job team/j asks 12 GPUs, but ClusterQueue cq can never have more than 8 GPUs of flavor f: it waits for ever"
    ]


def test_headroom_after_a_node_and_a_rack():
    topology = obj(KUEUE, "Topology", "dc", spec={"levels": [{"nodeLabel": "rack"}, {"nodeLabel": "host"}]})
    nodes = [node(f"n{i}", {GPU: 8}, {"a": "b", "rack": f"r{i // 2}", "host": f"n{i}"}) for i in range(4)]
    made = cluster(topology, flavor("f", {"a": "b"}, topology="dc"), queue("q", {"f": {GPU: 20}}), *nodes)
    room = assess(made).headroom[0]
    assert (room.promised, room.healthy) == (20, 32)
    assert (room.node.what, room.node.units, room.node.deficit) == ("n0", 8, 0)
    assert (room.rack.what, room.rack.units, room.rack.deficit) == ("rack=r0", 16, 4)
    assert messages(no_headroom, made) == []
    tight = cluster(topology, flavor("f", {"a": "b"}, topology="dc"), queue("q", {"f": {GPU: 25}}), *nodes)
    assert (
        messages(no_headroom, cluster(flavor("f"), queue("q", {"f": {GPU: 8}}), node("only", {GPU: 8}))) == []
    )
    assert messages(no_headroom, tight) == [
        "flavor f has no headroom: 25 of 32 GPUs are guaranteed; the loss of node n0 (8) breaks guarantees of 1 GPU"
    ]


def test_headroom_is_joint_and_racks_may_come_from_maintenance():
    outage = Outage("m", "", frozenset(), ("rack", "gone"), Origin("m.yaml"))
    made = cluster(
        flavor("any"),
        flavor("f", {"a": "b"}),
        queue("q", {"f": {GPU: 8}}),
        queue("p", {"any": {GPU: 8}}),
        node("n1", {GPU: 8}, {"a": "b", "rack": "r1"}),
        node("n2", {GPU: 8}, {"a": "b", "rack": "r1"}),
        outages=(outage,),
    )
    assert [(r.flavor, r.node.deficit, r.rack.deficit) for r in assess(made).headroom] == [
        ("any", 8, 16),
        ("f", 8, 16),
    ]


def preemption(**policies):
    return {"preemption": policies}


def test_largest_jobs_by_policy():
    made = cluster(
        flavor("f"),
        queue("never", {"f": {GPU: 4}}, "org"),
        queue("keeps", {"f": {GPU: 4}}, "org", lending={GPU: 1}),
        queue("reclaims", {"f": {GPU: 4}}, "org", **preemption(reclaimWithinCohort="Any")),
        queue(
            "pushes",
            {"f": {GPU: 4}},
            "org",
            **preemption(reclaimWithinCohort="Any", borrowWithinCohort={"policy": "LowerPriority"}),
        ),
        queue("alone", {"f": {GPU: 4}}),
    )
    jobs = {j.queue: (j.guaranteed, j.reclaim, j.borrowing) for j in assess(made).largest_jobs}
    assert jobs == {
        "never": (0, 0, 13),
        "keeps": (3, 3, 16),
        "reclaims": (4, 4, 13),
        "pushes": (4, 13, 13),
        "alone": (4, 4, 4),
    }
    small = cluster(*made.objects, node("n", {GPU: 10}))
    assert {j.borrowing for j in assess(small).largest_jobs} == {10, 4}


def test_summary_lines_and_age():
    made = cluster(
        flavor("f"),
        queue("q", {"f": {GPU: 4, "cpu": 8}}),
        node("n", {GPU: 8, "cpu": 16}),
        node("m", {GPU: 8, "cpu": 16}, ready="False"),
        observed="2026-05-01",
    )
    assert assess(made).summary(date(2026, 5, 31)) == (
        "inventory of 2026-05-01 (30 days old on 2026-05-31)",
        "f: 1 of 2 nodes usable, 8 of 16 GPUs, promised 4 GPUs, largest pod 8 GPUs / 16 cpu, at once 1, out: m (Ready=False)",
    )
    assert assess(made).summary()[0] == "inventory of 2026-05-01"


def test_words():
    assert number(95210, "cpu") == "95210m"
    assert number(1_000_000, "cpu") == "1000"
    assert number(2_000_000_000_000, "memory") == "2T"
    assert number(8 * 2**30, "memory") == "8Gi"
    assert number(2**63 - 1, GPU) == "unlimited"
    assert [amount(n, GPU) for n in (0, 1, 2)] == ["0 GPUs", "1 GPU", "2 GPUs"]
    assert amount(4, "example.com/slice-1g") == "4 example.com/slice-1g"
    assert listed("abcdef", 5) == "a, b, c, d, e, f"
    assert listed("abcdefghi", 5) == "a, b, c, d, e and 4 more"


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2026-04-29", "inventory of 2026-05-01 (after 2026-04-29)"),
        ("2026-04-30", "inventory of 2026-05-01 (after 2026-04-30)"),
        ("2026-05-01", "inventory of 2026-05-01 (0 days old on 2026-05-01)"),
        ("2026-05-02", "inventory of 2026-05-01 (1 day old on 2026-05-02)"),
        ("2026-05-03", "inventory of 2026-05-01 (2 days old on 2026-05-03)"),
    ],
)
def test_the_age_of_an_inventory_in_days(day, said):
    assert inventory_age(cluster(observed="2026-05-01"), date.fromisoformat(day)) == said
