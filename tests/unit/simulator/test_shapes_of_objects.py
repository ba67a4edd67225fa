"""Jobs from templates: quota counts what Kueue's configuration makes of their requests, nodes what the pods really take."""

from __future__ import annotations

from fractions import Fraction

from kohort.semantics.settings import Settings, Transformation
from kohort.simulator.preparing.shapes import shape_of_object

NODES = {"nvidia.com/mig-1g.5gb": 2, "example.com/nic": 1}
POD = {
    "nodeSelector": {"pool": "mig"},
    "containers": [{"name": "c", "resources": {"requests": {"cpu": "500m", **NODES}, "limits": NODES}}],
}
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "train"},
    "spec": {"parallelism": 3, "template": {"metadata": {"annotations": {}}, "spec": POD}},
}
RULES = Settings(
    excluded_prefixes=("example.com/",),
    transformations=(
        Transformation("nvidia.com/mig-1g.5gb", {"example.net/memory": Fraction(5)}, replace=True),
    ),
)


def test_quota_counts_after_exclusions_and_transformations_and_nodes_before_them():
    shape = shape_of_object(JOB, RULES, (), gang=True)
    (main,) = shape.podsets
    assert (main.name, main.count) == ("main", 3)
    assert main.requests == {"cpu": 500, "example.net/memory": 10}
    assert main.on_node == {"cpu": 500, **NODES}
    assert main.pod == {"nodeSelector": {"pool": "mig"}}
    assert (shape.devices, shape.cores, shape.pods, shape.gang) == (9, 1500, 3, True)


def test_without_rules_both_are_the_same():
    (main,) = shape_of_object(JOB, Settings(), (), gang=False).podsets
    assert main.requests == main.on_node == {"cpu": 500, **NODES}
    assert main.of_node is None


def test_limit_ranges_fill_what_the_template_leaves_open():
    limits = {"spec": {"limits": [{"type": "Container", "defaultRequest": {"memory": "1Gi"}}]}}
    (main,) = shape_of_object(JOB, RULES, (limits,), gang=False).podsets
    assert main.requests["memory"] == main.on_node["memory"] == 2**30


def test_topology_that_the_template_asks_for_is_asked_for():
    annotations = {"kueue.x-k8s.io/podset-required-topology": "rack"}
    template = {"metadata": {"annotations": annotations}, "spec": POD}
    (main,) = shape_of_object(
        {**JOB, "spec": {"parallelism": 3, "template": template}}, RULES, (), gang=False
    ).podsets
    assert main.topology is not None


def test_an_object_without_pods_has_no_shape():
    shape = shape_of_object(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}, RULES, (), gang=True
    )
    assert (shape.podsets, shape.pods, shape.gang) == ((), 0, False)
