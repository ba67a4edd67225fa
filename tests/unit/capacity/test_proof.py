from __future__ import annotations

from capacity_building import GPU, KUEUE, cluster, cohort, flavor, node, obj, queue

from kohort.capacity import assess
from kohort.capacity.proof import Lack
from kohort.objects.cluster import Allowance
from kohort.spans import Origin

HERE = Origin("cluster.yaml")


def lacks(made):
    return [
        (s.cause, s.flavors, [(k.resource, k.promised, k.supply) for k in s.lacks])
        for s in assess(made).shortages
    ]


def test_flavors_that_share_nodes_are_proven_jointly():
    """Each flavor fits alone, both together do not."""
    objects = [
        flavor("any"),
        flavor("h100", {"gpu": "h100"}),
        queue("a", {"any": {GPU: 12}}),
        queue("b", {"h100": {GPU: 8}}),
        node("n1", {GPU: 8}, {"gpu": "h100"}),
        node("n2", {GPU: 8}, {"gpu": "a100"}),
    ]
    assert lacks(cluster(*objects)) == [("quota", ("any", "h100"), [(GPU, 20, 16)])]
    objects[2] = queue("a", {"any": {GPU: 8}})
    assert lacks(cluster(*objects)) == []


def test_only_the_flavors_at_fault_are_named():
    made = cluster(
        flavor("any"),
        flavor("h100", {"gpu": "h100"}),
        queue("a", {"any": {GPU: 2}}),
        queue("b", {"h100": {GPU: 9}}),
        node("n1", {GPU: 8}, {"gpu": "h100"}),
        node("n2", {GPU: 8}),
    )
    assert lacks(made) == [("quota", ("h100",), [(GPU, 9, 8)])]


def test_resources_of_one_shortage_stand_together_devices_first():
    made = cluster(
        flavor("f"),
        queue("a", {"f": {"cpu": 10, "memory": "4Gi", GPU: 3}}),
        node("n", {GPU: 2, "cpu": 8, "memory": "4Gi"}),
    )
    assert lacks(made) == [("quota", ("f",), [(GPU, 3, 2), ("cpu", 10000, 8000)])]


def test_cohort_quota_counts_and_zero_does_not():
    made = cluster(
        flavor("f"),
        cohort("org", {"f": {GPU: 5}}),
        queue("a", {"f": {GPU: 4}}, "org"),
        queue("z", {"f": {GPU: 0}}, "org"),
        node("n", {GPU: 8}),
    )
    assert lacks(made) == [("quota", ("f",), [(GPU, 9, 8)])]
    assert [p.name for p in assess(made).promises.of(["f"], GPU)] == ["Cohort org", "ClusterQueue a"]


def test_missing_flavor_and_queues_in_a_cycle_promise_nothing():
    made = cluster(
        flavor("f"),
        cohort("x", parent="y"),
        cohort("y", parent="x"),
        queue("lost", {"f": {GPU: 99}}, "x"),
        queue("typo", {"g": {GPU: 99}}),
        node("n", {GPU: 8}),
    )
    assert lacks(made) == []


def test_bounded_overcommit():
    objects = [flavor("f"), queue("a", {"f": {GPU: 12}}), node("n", {GPU: 8})]
    allowed = (Allowance("f", GPU, 150, "bursty", HERE),)
    assert lacks(cluster(*objects, allowances=allowed)) == []
    objects[1] = queue("a", {"f": {GPU: 13}})
    shortage = assess(cluster(*objects, allowances=allowed)).shortages[0]
    assert shortage.lacks == (Lack(GPU, 13, 12, 8, 8, 0, 150),)
    assert shortage.lacks[0].excess == 1


def test_unbounded_for_all_resources_of_a_flavor():
    made = cluster(
        flavor("f"),
        queue("a", {"f": {GPU: 99, "cpu": 99}}),
        node("n", {GPU: 8, "cpu": 8}),
        allowances=(Allowance("f", "", None, "autoscaled", HERE),),
    )
    assert lacks(made) == []
    assert assess(made).promises.unbounded == {("f", GPU): "autoscaled", ("f", "cpu"): "autoscaled"}


def check(name, controller):
    return obj(KUEUE, "AdmissionCheck", name, spec={"controllerName": controller})


def test_elastic_only_where_the_check_applies():
    objects = [
        flavor("spot"),
        flavor("own", {"a": "b"}),
        check("prov", "kueue.x-k8s.io/provisioning-request"),
        queue(
            "gated", {"spot": {GPU: 50}, "own": {GPU: 9}}, checks=[{"name": "prov", "onFlavors": ["spot"]}]
        ),
        node("n", {GPU: 8}, {"a": "b"}),
    ]
    assert lacks(cluster(*objects)) == [("quota", ("own",), [(GPU, 9, 8)])]
    objects[2] = check("prov", "example.com/other")
    assert lacks(cluster(*objects)) == [("quota", ("spot", "own"), [(GPU, 59, 8)])]
    del objects[2]
    assert lacks(cluster(*objects)) == [("quota", ("spot", "own"), [(GPU, 59, 8)])]


def test_cohort_quota_is_elastic_only_if_all_members_are():
    objects = [
        flavor("f"),
        check("mk", "kueue.x-k8s.io/multikueue"),
        cohort("org", {"f": {GPU: 40}}),
        queue("a", {"f": {GPU: 40}}, "org", checks=[{"name": "mk"}]),
        node("n", {GPU: 8}),
    ]
    assert lacks(cluster(*objects)) == []
    assert lacks(cluster(*objects, queue("b", {"f": {GPU: 1}}, "org"))) == [("quota", ("f",), [(GPU, 41, 8)])]


def test_virtual_resources_are_those_no_node_states():
    made = cluster(flavor("f"), queue("a", {"f": {"tokens": 5, GPU: 1}}), node("n", {GPU: "0"}))
    assert lacks(made) == [("quota", ("f",), [(GPU, 1, 0)])]
    assert list(assess(made).promises.virtual) == ["tokens"]


def test_homeless_flavor_is_no_shortage():
    made = cluster(flavor("f", {"gpu": "x"}), queue("a", {"f": {GPU: 5}}), node("n", {GPU: 8}))
    assert assess(made).homeless == {"f"}
    assert assess(made).shortages == ()


def test_taints_are_the_cause_only_with_labels():
    taint = [{"key": "t", "effect": "NoSchedule"}]
    labelled = cluster(
        flavor("f", {"a": "b"}), queue("q", {"f": {GPU: 8}}), node("n", {GPU: 8}, {"a": "b"}, taints=taint)
    )
    assert lacks(labelled) == [("taint", ("f",), [(GPU, 8, 0)])]
    bare = cluster(flavor("f"), queue("q", {"f": {GPU: 8}}), node("n", {GPU: 8}, taints=taint))
    assert lacks(bare) == [("quota", ("f",), [(GPU, 8, 0)])]
    both = cluster(
        flavor("f", {"a": "b"}), queue("q", {"f": {GPU: 9}}), node("n", {GPU: 8}, {"a": "b"}, taints=taint)
    )
    assert lacks(both) == [("quota", ("f",), [(GPU, 9, 0)])]


def test_flavor_taints_do_not_help_the_pod():
    tainted = flavor("f", {"a": "b"})
    tainted.data["spec"]["nodeTaints"] = [{"key": "t", "effect": "NoSchedule"}]
    made = cluster(
        tainted,
        queue("q", {"f": {GPU: 8}}),
        node("n", {GPU: 8}, {"a": "b"}, taints=[{"key": "t", "effect": "NoSchedule"}]),
    )
    assert lacks(made) == [("taint", ("f",), [(GPU, 8, 0)])]


def test_topology_levels_are_the_cause():
    topology = obj(KUEUE, "Topology", "dc", spec={"levels": [{"nodeLabel": "rack"}, {"nodeLabel": "host"}]})
    made = cluster(
        topology,
        flavor("f", {"a": "b"}, topology="dc"),
        queue("q", {"f": {GPU: 16}}),
        node("n1", {GPU: 8}, {"a": "b", "rack": "r", "host": "n1"}),
        node("n2", {GPU: 8}, {"a": "b", "host": "n2"}),
    )
    assert lacks(made) == [("topology", ("f",), [(GPU, 16, 8)])]
    assert [str(e) for e in assess(made).supplies["f"].excluded] == ["n2 (no label rack)"]


def test_cordon_taint_is_not_told_twice():
    taint = [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]
    made = cluster(flavor("f"), node("n", {GPU: 8}, taints=taint, cordoned=True))
    assert [str(e) for e in assess(made).supplies["f"].excluded] == ["n (spec.unschedulable)"]


def slack_cluster(team, slack, *nodes, lending=None):
    return cluster(
        flavor("f"),
        queue("team", {"f": {GPU: team}}, "org"),
        queue("slack", {"f": {GPU: slack}}, "org", lending),
        *nodes,
        slack_queues=frozenset({"slack"}),
    )


def lent(made):
    return [(entry.nominal, entry.lends, entry.may_lend) for entry in assess(made).lending]


UP, DOWN = node("up", {GPU: 8}), node("down", {GPU: 8}, cordoned=True)


def test_slack_shrinks_by_what_is_lost():
    assert lent(slack_cluster(4, 8, UP, node("up2", {GPU: 4}))) == [(8, 8, 8)]
    assert lent(slack_cluster(4, 8, UP, node("down", {GPU: 4}, cordoned=True))) == [(8, 8, 4)]
    assert lent(slack_cluster(4, 8, UP, node("down", {GPU: 4}, cordoned=True), lending={GPU: 3})) == [
        (8, 3, 4)
    ]
    assert lent(slack_cluster(16, 8, UP, DOWN)) == [(8, 8, 0)]


def test_slack_that_absorbs_the_loss_is_no_shortage():
    assert lacks(slack_cluster(8, 8, UP, DOWN)) == []


def test_deficit_beyond_slack():
    assert lacks(slack_cluster(12, 4, UP, DOWN)) == [("deficit", ("f",), [(GPU, 12, 8)])]


def test_slack_and_teams_beyond_all_hardware_is_too_much_quota():
    assert lacks(slack_cluster(8, 9, UP, DOWN)) == [("quota", ("f",), [(GPU, 17, 16)])]
    assert lacks(slack_cluster(17, 4, UP, DOWN)) == [("quota", ("f",), [(GPU, 21, 16)])]


def test_assessment_is_made_once():
    made = cluster(flavor("f"))
    assert assess(made) is assess(made)
    assert assess(made).judged is False
    assert assess(made).shortages == ()
    assert assess(made).summary() == ()


def test_unlimited_quota_is_said_so():
    made = cluster(flavor("f"), queue("q", {"f": {GPU: "9223372036854775807"}}), node("n", {GPU: 8}))
    lack = assess(made).shortages[0].lacks[0]
    assert lack.excess == lack.promised == 2**63 - 1
