"""What capacity rules say, beyond the shared cases: places, arithmetic, help, and when they keep silent."""

from __future__ import annotations

from capacity_building import GPU, KUEUE, cluster, cohort, flavor, job, local_queue, node, obj, queue

from kohort.capacity import assess
from kohort.diagnostics import Severity
from kohort.objects.cluster import Allowance, Outage
from kohort.rules.capacity import (
    cohort_repeats_members,
    deficit_beyond_slack,
    elastic_flavor,
    flavor_matches_everything,
    flavor_without_nodes,
    job_larger_than_ever,
    no_headroom,
    node_lacks_level,
    node_not_monitored,
    overcommit_in_use,
    quota_over_capacity,
    slack_lends_lost,
    unassigned_hardware,
    virtual_resource,
)
from kohort.spans import Origin

SLACK = frozenset({"slack"})


def only(rule, made):
    found = list(rule.check(made))
    assert len(found) == 1, [f.message for f in found]
    return found[0]


def silent(rule, made):
    return list(rule.check(made)) == []


def table(found):
    return [(t.sign, t.amount, t.text) for t in found.terms]


# CAP901


def test_many_promises_are_cut_to_rows_with_the_rest_summed():
    queues = [queue(f"q{i:02}", {"f": {GPU: 2}}) for i in range(11)]
    found = only(
        quota_over_capacity, cluster(flavor("f"), *queues, queue("big", {"f": {GPU: 3}}), node("n", {GPU: 8}))
    )
    assert found.subject == "ClusterQueue big"
    assert found.primary.text == "the largest of 12 quotas"
    assert "across ClusterQueues [big, q00, q01, q02, q03 and 7 more]" in found.message
    assert table(found)[:1] == [("+", "3", "ClusterQueue big")]
    assert table(found)[7:10] == [
        ("+", "2", "ClusterQueue q06"),
        ("+", "8", "and 4 more"),
        ("=", "25", "GPUs promised as nominalQuota"),
    ]
    assert [label.text for label in found.related] == [
        f"ClusterQueue q0{i} promises 2 GPUs" for i in range(5)
    ]
    assert found.help[0] == "lower the quotas by 17 GPUs in total, or add nodes"


def test_excluded_nodes_are_summed_when_they_are_many():
    down = [node(f"d{i}", {GPU: 1}, cordoned=True) for i in range(10)]
    found = only(
        quota_over_capacity, cluster(flavor("f"), queue("q", {"f": {GPU: 9}}), node("n", {GPU: 8}), *down)
    )
    rows = table(found)
    assert ("+", "18", "on nodes that match the flavor's labels") in rows
    assert ("-", "1", "d7 (spec.unschedulable)") in rows
    assert ("-", "2", "on more nodes that do not count") in rows
    assert ("=", "8", "healthy allocatable") in rows
    assert ("-", "1", "d8 (spec.unschedulable)") not in rows
    assert rows[-1] == (">", "1", "GPU too much")
    assert found.help[0] == "all of it would fit if the 10 GPUs that do not count came back"


def test_joint_shortage_names_the_flavors_and_their_share():
    made = cluster(
        flavor("a"),
        flavor("b"),
        queue("qa", {"a": {GPU: 5}}),
        queue("qb", {"b": {GPU: 6}}),
        node("n", {GPU: 8}),
        node("down", {GPU: 1}, cordoned=True),
    )
    found = only(quota_over_capacity, made)
    assert found.message == (
        "flavors a, b together, resource example.com/gpu: sum of nominalQuota 11 > healthy allocatable 8 (excess 3), "
        "across ClusterQueues [qb, qa]; excluded: down (spec.unschedulable)"
    )
    assert table(found)[:2] == [
        ("+", "6", "ClusterQueue qb, flavor b"),
        ("+", "5", "ClusterQueue qa, flavor a"),
    ]
    assert ("+", "9", "on nodes that match the flavor's labels") in table(found)


def test_overcommit_is_shown_in_message_and_rows():
    allowed = (Allowance("f", GPU, 150, "bursty", Origin("c.yaml")),)
    made = cluster(
        flavor("f"), queue("q", {"f": {GPU: 13}}), node("n", {GPU: 8}), allowances=allowed, declared=True
    )
    found = only(quota_over_capacity, made)
    assert "sum of nominalQuota 13 > 150 % of healthy allocatable, 12 (excess 1)" in found.message
    assert ("×", "150 %", "declared overcommit") in table(found)
    assert (
        found.help[-1]
        == "if it is meant: declare `overcommit` for the flavor in the cluster's declaration, with a reason"
    )


def test_planned_nodes_are_called_planned():
    made = cluster(flavor("f"), queue("q", {"f": {GPU: 9}}), node("n", {GPU: 8}), planned=True)
    assert "> planned allocatable 8" in only(quota_over_capacity, made).message


def test_with_slack_everything_is_held_against_all_nodes():
    made = cluster(
        flavor("f"),
        queue("team", {"f": {GPU: 12}}, "org"),
        queue("slack", {"f": {GPU: 8}}, "org"),
        node("n", {GPU: 8}),
        node("down", {GPU: 8}, cordoned=True),
        slack_queues=SLACK,
    )
    assert silent(quota_over_capacity, made)
    made = cluster(
        *made.objects[1:2],
        flavor("f"),
        queue("slack", {"f": {GPU: 5}}, "org"),
        node("n", {GPU: 16}),
        slack_queues=SLACK,
    )
    found = only(quota_over_capacity, made)
    assert found.subject == "ClusterQueue team"
    assert "sum of nominalQuota 17 > allocatable with every node healthy 16 (excess 1)" in found.message
    assert ("+", "16", "on nodes that match, as if all were healthy") in table(found)


def test_cohort_hint_only_where_the_cohort_repeats():
    base = [flavor("f"), node("n", {GPU: 4}), queue("a", {"f": {GPU: 3}}, "org")]
    hints = [
        only(quota_over_capacity, cluster(*base, cohort("org", {"f": {GPU: units}})))
        .help[0]
        .startswith("the nominalQuota of Cohort org")
        for units in (3, 4)
    ]
    assert hints == [True, False]
    assert (
        only(quota_over_capacity, cluster(*base, queue("b", {"f": {GPU: 3}}, "org")))
        .help[0]
        .startswith("lower the quotas")
    )


# CAP902, CAP903


def test_deficit_names_maintenance_and_every_resource():
    outage = Outage("cooling", "fan", frozenset({"down"}), None, Origin("maintenance/cooling.yaml"))
    made = cluster(
        flavor("f"),
        queue("team", {"f": {GPU: 12, "cpu": 12}}, "org"),
        queue("slack", {"f": {GPU: 4, "cpu": 4}}, "org"),
        node("n", {GPU: 8, "cpu": 8}),
        node("down", {GPU: 8, "cpu": 8}),
        slack_queues=SLACK,
        outages=(outage,),
    )
    found = only(deficit_beyond_slack, made)
    assert (
        "quota deficit 4 GPUs; slack can absorb 4 of 8; quota deficit 4 cpu; slack can absorb 4 of 8"
        in found.message
    )
    assert "excluded: down (maintenance cooling: fan)" in found.message
    assert found.subject == "ClusterQueue slack"
    assert [(label.origin.file, label.text) for label in found.related] == [
        ("maintenance/cooling.yaml", "maintenance cooling"),
        ("ClusterQueue-team.yaml", "ClusterQueue team promises 12 GPUs"),
    ]
    assert silent(slack_lends_lost, made)


def test_slack_limit_is_replaced_where_one_stands():
    made = cluster(
        flavor("f"),
        queue("slack", {"f": {GPU: 8, "memory": "8Gi"}}, "org", {GPU: 6, "memory": "2Gi"}),
        node("n", {GPU: 5, "memory": "4Gi"}),
        node("down", {GPU: 3, "memory": "4Gi"}, cordoned=True),
        slack_queues=SLACK,
    )
    found = only(slack_lends_lost, made)
    assert (
        found.message
        == "slack queue slack, flavor f: lends 6 GPUs but may lend only 5 of 8; lost: down (spec.unschedulable)"
    )
    edit = found.fix.edits[0]
    assert (edit.action, edit.text, edit.origin.path[-1]) == ("replace", '"5"', "lendingLimit")
    assert table(found) == [
        ("+", "8 GPUs", "slack nominalQuota"),
        ("-", "3 GPUs", "lost nodes that slack stands in for"),
        ("=", "5 GPUs", "may be lent"),
    ]


def test_two_slack_queues_share_what_is_left_in_order():
    made = cluster(
        flavor("f"),
        queue("s1", {"f": {GPU: 4}}, "org"),
        queue("s2", {"f": {GPU: 4}}, "org"),
        node("n", {GPU: 5}),
        node("down", {GPU: 3}, cordoned=True),
        slack_queues=frozenset({"s1", "s2"}),
    )
    assert [(e.queue.name, e.may_lend) for e in assess(made).lending] == [("s1", 4), ("s2", 1)]
    assert only(slack_lends_lost, made).subject == "ClusterQueue s2"


# CAP904


def test_flavor_without_nodes_suggests_value_key_or_combination():
    nodes = [
        node("n1", {GPU: 8}, {"gpu": "h100", "zone": "a"}),
        node("n2", {GPU: 8}, {"gpu": "a100", "zone": "b"}),
    ]
    use = queue("q", {"f": {GPU: 1}})
    found = only(flavor_without_nodes, cluster(flavor("f", {"zone": "a", "gpu": "h-100"}), use, *nodes))
    assert found.message == (
        "ResourceFlavor f: none of the 2 nodes carries gpu=h-100, so jobs of ClusterQueues [q] would be admitted and stay Pending"
    )
    assert found.primary.origin.path == ("spec", "nodeLabels", "gpu")
    assert found.help == ("did you mean h100?", "nodes have gpu with the values a100 (1), h100 (1)")
    assert [label.text for label in found.related] == ["ClusterQueue q hands it out"]
    assert only(flavor_without_nodes, cluster(flavor("f", {"zones": "a"}), use, *nodes)).help == (
        "no node has the label zones at all; did you mean zone?",
    )
    both = only(flavor_without_nodes, cluster(flavor("f", {"zone": "b", "gpu": "h100"}), use, *nodes))
    assert "carries zone=b and gpu=h100" in both.message
    assert both.help == ("each label is carried by some node, but no node carries all of them",)


def test_flavor_without_nodes_needs_a_user_and_nodes():
    lone = flavor("f", {"gpu": "x"})
    assert silent(flavor_without_nodes, cluster(lone, node("n", {GPU: 1})))
    assert silent(flavor_without_nodes, cluster(lone, queue("q", {"f": {GPU: 1}})))


# CAP906, CAP907


def test_tolerations_only_flavor_without_nodes_to_learn_from():
    tolerant = flavor("f", tolerations=[{"key": "gpu", "operator": "Exists"}])
    assert silent(flavor_matches_everything, cluster(tolerant))
    assert silent(flavor_matches_everything, cluster(flavor("plain"), flavor("other")))
    found = only(flavor_matches_everything, cluster(tolerant, flavor("other")))
    assert found.help == ("add spec.nodeLabels that only its nodes carry, such as the accelerator's product",)
    assert found.severity is Severity.WARNING


def test_topology_levels_are_judged_for_flavors_in_use_only():
    topology = obj(KUEUE, "Topology", "dc", spec={"levels": [{"nodeLabel": "rack"}]})
    bare = [node(f"n{i}", {GPU: 8}, {"a": "b"}) for i in range(2)]
    made = cluster(topology, flavor("f", {"a": "b"}, topology="dc"), *bare)
    assert silent(node_lacks_level, made)
    found = only(node_lacks_level, cluster(*made.objects, queue("q", {"f": {GPU: 17}})))
    assert (
        found.message
        == "flavor f: n0 lacks rack, n1 lacks rack and are invisible to topology-aware scheduling"
    )
    assert found.severity is Severity.WARNING  # 17 would not fit on 16 either: the error is the quota's


# CAP909 to CAP916


def test_job_without_cohort_has_no_row_for_borrowing():
    made = cluster(flavor("f"), queue("q", {"f": {GPU: 8}}), local_queue("q"), job("j", {GPU: 3}, pods=3))
    found = only(job_larger_than_ever, made)
    assert table(found) == [
        ("+", "8", "nominalQuota of ClusterQueue q"),
        ("=", "8", "the most it can ever have"),
        ("<", "9", "asked"),
    ]
    assert found.primary.text == "3 pods of 3"
    assert found.primary.origin.path[-1] == GPU
    assert [label.origin.file for label in found.related] == ["ClusterQueue-q.yaml"]
    single = cluster(*made.objects[:3], job("j", {GPU: 9}))
    assert only(job_larger_than_ever, single).primary.text == ""
    assert silent(
        job_larger_than_ever, cluster(*made.objects[:3], job("j", {GPU: 8}), job("none", {GPU: 9}, pods=0))
    )


def test_nearest_flavor_is_named():
    quotas = {"small": {GPU: 2}, "large": {GPU: 6}, "medium": {GPU: 4}}
    made = cluster(*map(flavor, quotas), queue("q", quotas), local_queue("q"), job("j", {GPU: 7}))
    assert "never have more than 6 GPUs of flavor large" in only(job_larger_than_ever, made).message


def test_headroom_rows_tell_the_rack():
    topology = obj(KUEUE, "Topology", "dc", spec={"levels": [{"nodeLabel": "rack"}, {"nodeLabel": "host"}]})
    nodes = [node(f"n{i}", {GPU: 8}, {"a": "b", "rack": "r1", "host": f"n{i}"}) for i in range(2)]
    made = cluster(topology, flavor("f", {"a": "b"}, topology="dc"), queue("q", {"f": {GPU: 10}}), *nodes)
    assert table(only(no_headroom, made)) == [
        ("+", "16", "healthy allocatable"),
        ("-", "8", "if node n0 fails"),
        ("<", "10", "guaranteed"),
        (" ", "10", "guarantees broken if rack rack=r1 fails"),
    ]
    flat = cluster(flavor("f"), queue("q", {"f": {GPU: 10}}), node("n1", {GPU: 8}), node("n2", {GPU: 8}))
    assert len(only(no_headroom, flat).terms) == 3


def test_unmatched_nodes_are_summed():
    strangers = [node("s1", {GPU: 8}, {"x": "y"}), node("s2", {GPU: 4}), node("cpu", {"cpu": 4})]
    made = cluster(flavor("f", {"a": "b"}), *strangers)
    found = only(unassigned_hardware, made)
    assert found.message == "no ResourceFlavor matches s1, s2: 12 GPUs unassigned"
    assert found.primary.origin.file == "Node-s1.yaml"
    assert silent(unassigned_hardware, cluster(*strangers))
    single = cluster(flavor("f"), queue("q", {"f": {GPU: 3}}), node("n", {GPU: 8}))
    assert (
        only(unassigned_hardware, single).message
        == "flavor f: hardware 8 (1 node), quota 3 -> 5 GPUs unassigned"
    )


def test_two_nodes_not_monitored():
    made = cluster(
        node("a", {GPU: 1}, {"autopilot.ibm.com/gpuhealth": "PASS"}), node("b", {GPU: 1}), node("c", {GPU: 1})
    )
    assert only(node_not_monitored, made).message.startswith(
        "b, c are not monitored: no label autopilot.ibm.com/gpuhealth"
    )


def test_virtual_resource_suggests_a_near_name():
    made = cluster(
        flavor("f"),
        queue("q", {"f": {"example.com/gpus": 1}}),
        queue("p", {"f": {"example.com/gpus": 2}}),
        node("n", {GPU: 1}),
    )
    found = only(virtual_resource, made)
    assert found.help == ("did you mean example.com/gpu?",)
    assert "its quota in [q, p] is not measured" in found.message
    assert found.primary.origin.path[-2:] == ("resources", 0)
    assert silent(virtual_resource, cluster(*made.objects[:3]))


def test_elastic_flavor_is_told_once_with_its_queues():
    check = obj(KUEUE, "AdmissionCheck", "mk", spec={"controllerName": "kueue.x-k8s.io/multikueue"})
    gated = [queue(name, {"f": {GPU: 99}}, checks=[{"name": "mk"}]) for name in ("a", "b")]
    found = only(elastic_flavor, cluster(flavor("f"), check, *gated, node("n", {GPU: 1})))
    assert found.message == (
        "elastic flavor f: AdmissionCheck mk sends workloads to other clusters, so the quota of ClusterQueues [a, b] is "
        "not measured against nodes"
    )


def test_cohort_that_repeats_its_members():
    members = [queue("a", {"f": {GPU: 3}}, "org"), queue("b", {"f": {GPU: 1}}, "org")]
    found = only(cohort_repeats_members, cluster(flavor("f"), cohort("org", {"f": {GPU: 4}}), *members))
    assert "the tree promises 8 GPUs of flavor f" in found.message
    assert table(found) == [
        ("+", "4 GPUs", "Cohort org"),
        ("+", "4 GPUs", "its 2 members"),
        ("=", "8 GPUs", "promised by the tree"),
    ]
    assert found.primary.origin.path[-1] == "nominalQuota"
    for units in (3, 5):
        assert silent(
            cohort_repeats_members, cluster(flavor("f"), cohort("org", {"f": {GPU: units}}), *members)
        )
    assert silent(cohort_repeats_members, cluster(flavor("f"), cohort("org", {"f": {GPU: 0}}), *members))
    assert silent(cohort_repeats_members, cluster(flavor("f"), cohort("org", {"f": {GPU: 4}})))


def test_overcommit_in_use_only_beyond_healthy():
    where = Origin("clusters/c/cluster.yaml", 0, ("spec", "overcommit", 0))
    allowed = (Allowance("f", GPU, 200, "bursty", where),)
    used = cluster(flavor("f"), queue("q", {"f": {GPU: 9}}), node("n", {GPU: 8}), allowances=allowed)
    found = only(overcommit_in_use, used)
    assert (
        found.message
        == "flavor f is overcommitted on purpose, up to 200 % (bursty): example.com/gpu 9 promised, 8 healthy"
    )
    assert found.primary.origin == where
    exact = cluster(flavor("f"), queue("q", {"f": {GPU: 8}}), node("n", {GPU: 8}), allowances=allowed)
    assert silent(overcommit_in_use, exact)
    broken = cluster(flavor("f"), queue("q", {"f": {GPU: 17}}), node("n", {GPU: 8}), allowances=allowed)
    assert silent(overcommit_in_use, broken)
    assert only(quota_over_capacity, broken).message.startswith(
        "flavor f, resource example.com/gpu: sum of nominalQuota 17"
    )


def test_lost_devices_and_lost_nodes_are_both_taken_off():
    made = cluster(
        flavor("f"),
        queue("q", {"f": {GPU: 20}}),
        node("n", {GPU: 5}, capacity={GPU: 8}),
        node("m", {GPU: 6}, capacity={GPU: 8}),
        node("down", {GPU: 7}, capacity={GPU: 8}, cordoned=True),
    )
    found = only(quota_over_capacity, made)
    assert found.primary.text == "promised here"
    assert found.related == ()
    assert found.message.endswith(
        "; excluded: down (spec.unschedulable), n (3 of 8 GPUs not allocatable), m (2 of 8 GPUs not allocatable)"
    )
    assert table(found)[2:] == [
        ("+", "24", "on nodes that match the flavor's labels"),
        ("-", "8", "down (spec.unschedulable)"),
        ("-", "3", "n: capacity 8, allocatable 5"),
        ("-", "2", "m: capacity 8, allocatable 6"),
        ("=", "11", "healthy allocatable"),
        (">", "9", "GPUs too much"),
    ]


def test_hardware_that_is_all_handed_out_is_no_remark():
    exact = cluster(flavor("f"), queue("q", {"f": {GPU: 8}}), node("n", {GPU: 8, "cpu": 99}))
    assert silent(unassigned_hardware, exact)
    over = cluster(flavor("f"), queue("q", {"f": {GPU: 9}}), node("n", {GPU: 8}))
    assert silent(unassigned_hardware, over)


def test_first_of_equally_near_flavors_is_named():
    made = cluster(
        flavor("a"),
        flavor("b"),
        queue("q", {"a": {GPU: 4}, "b": {GPU: 4}}),
        local_queue("q"),
        job("j", {GPU: 5}),
    )
    assert "of flavor a" in only(job_larger_than_ever, made).message


def test_zero_of_an_uncovered_resource_asks_nothing():
    made = cluster(
        flavor("f"), queue("q", {"f": {GPU: 4}}), local_queue("q"), job("j", {GPU: 5, "memory": 0})
    )
    assert "asks 5 GPUs" in only(job_larger_than_ever, made).message


def test_summary_lists_flavors_with_promises_and_nodes():
    made = cluster(
        flavor("used"),
        flavor("unused"),
        flavor("homeless", {"a": "b"}),
        queue("team", {"used": {GPU: 2}, "homeless": {GPU: 1}}, "org"),
        queue("slack", {"used": {GPU: 3}}, "org"),
        *(node(f"n{i}", {GPU: 2, "cpu": 1}) for i in range(3)),
        slack_queues=SLACK,
    )
    assert assess(made).summary() == (
        "used: 3 of 3 nodes usable, 6 of 6 GPUs, promised 5 GPUs of which 3 slack, largest pod 2 GPUs, at once 3",
    )
