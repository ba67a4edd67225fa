"""What rules on flavors, nodes and jobs say, beyond the shared cases: places, arithmetic, help, and when they keep silent."""

from __future__ import annotations

from capacity_building import GPU, KUEUE, cluster, flavor, job, local_queue, node, obj, queue
from rule_findings import only, silent, table

from kohort.diagnostics import Severity
from kohort.rules.capacity import (
    elastic_flavor,
    flavor_matches_everything,
    flavor_without_nodes,
    job_larger_than_ever,
    no_headroom,
    node_lacks_level,
    node_not_monitored,
    unassigned_hardware,
    virtual_resource,
)


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
