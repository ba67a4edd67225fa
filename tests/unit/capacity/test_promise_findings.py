"""What rules on promises and slack say, beyond the shared cases: places, arithmetic, help, and when they keep silent."""

from __future__ import annotations

from capacity_building import GPU, cluster, cohort, flavor, node, queue
from rule_findings import SLACK, only, silent, table

from kohort.capacity import assess
from kohort.objects.cluster import Allowance, Outage
from kohort.rules.capacity import (
    cohort_repeats_members,
    deficit_beyond_slack,
    overcommit_in_use,
    quota_over_capacity,
    slack_lends_lost,
)
from kohort.spans import Origin


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
    assert found.help == (f"{GPU}: set lendingLimit: 5",)
    assert found.primary.text == "set lendingLimit: 5"
    assert table(found) == [
        ("+", "8 GPUs", "slack nominalQuota"),
        ("-", "3 GPUs", "lost nodes that slack stands in for"),
        ("=", "5 GPUs", "may be lent"),
    ]


def test_help_states_each_resource_in_its_own_unit():
    made = cluster(
        flavor("f"),
        queue("slack", {"f": {GPU: 8, "memory": "8Gi"}}, "org"),
        node("n", {GPU: 5, "memory": "4Gi"}),
        node("down", {GPU: 3, "memory": "4Gi"}, cordoned=True),
        slack_queues=SLACK,
    )
    assert only(slack_lends_lost, made).help == (
        f"{GPU}: set lendingLimit: 5",
        "memory: set lendingLimit: 4Gi",
    )


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


def test_two_slack_queues_share_what_teams_leave():
    made = cluster(
        flavor("f"),
        queue("team", {"f": {GPU: 2}}, "org"),
        queue("s1", {"f": {GPU: 4}}, "org"),
        queue("s2", {"f": {GPU: 4}}, "org"),
        node("n", {GPU: 8}),
        node("down", {GPU: 2}, cordoned=True),
        slack_queues=frozenset({"s1", "s2"}),
    )
    assert [(e.queue.name, e.may_lend) for e in assess(made).lending] == [("s1", 4), ("s2", 2)]


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
