"""What pods ask for: exclusions, transformations, units, LimitRanges, topology, and malformed input."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.objects.podsets import podsets
from kohort.semantics.asks import asks, asks_of, requests_of, work_of
from kohort.semantics.settings import Settings, Transformation
from kohort.semantics.work import TopologyAsk


def template(requests=None, **spec):
    return {"spec": {"containers": [{"resources": {"requests": requests or {}}}], **spec}}


def workload(*podsets, **spec):
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": "train", "namespace": "blue", "uid": "u1"},
        "spec": {"podSets": list(podsets), "queueName": "main", **spec},
    }


def test_cpu_counts_in_milli_cores_and_the_rest_in_whole_units_rounded_up():
    found = requests_of(template({"cpu": "1.5", "memory": "1Ki", "nvidia.com/gpu": "0.5"}), Settings())
    assert found == {"cpu": 1500, "memory": 1024, "nvidia.com/gpu": 1}


def test_excluded_prefixes_are_dropped_before_anything_else():
    settings = Settings(
        excluded_prefixes=("example.com/", "mem"),
        transformations=(Transformation("memory", {"credits": Fraction(1)}),),
    )
    assert requests_of(template({"cpu": 1, "memory": "1Gi", "example.com/nic": 1}), settings) == {"cpu": 1000}


MIG = template({"nvidia.com/mig-1g.5gb": 2, "nvidia.com/mig-2g.10gb": 1, "cpu": "100m"})


def test_replaced_resources_add_up_in_their_outputs():
    rules = (
        Transformation(
            "nvidia.com/mig-1g.5gb", {"gpu-memory": Fraction(5), "credits": Fraction(1, 2)}, replace=True
        ),
        Transformation("nvidia.com/mig-2g.10gb", {"gpu-memory": Fraction(10)}, replace=True),
    )
    assert requests_of(MIG, Settings(transformations=rules)) == {"cpu": 100, "gpu-memory": 20, "credits": 1}


def test_retained_resources_stand_beside_their_outputs():
    rules = (Transformation("nvidia.com/mig-1g.5gb", {"credits": Fraction(1, 3)}),)
    found = requests_of(MIG, Settings(transformations=rules))
    assert (found["nvidia.com/mig-1g.5gb"], found["credits"]) == (2, 1)  # 2/3 rounded up


@pytest.mark.parametrize(("devices", "memory"), [(4, 80), (None, 20)])
def test_multiply_by_another_resource_that_is_requested(devices, memory):
    rules = (Transformation("gpumem", {"total": Fraction(1)}, replace=True, multiply_by="gpu"),)
    requests = {"gpumem": 20} | ({"gpu": devices} if devices else {})
    assert requests_of(template(requests), Settings(transformations=rules))["total"] == memory


def test_negative_outputs_cancel_but_never_take_from_what_was_asked():
    rules = (
        Transformation("a", {"credits": Fraction(-3)}, replace=True),
        Transformation("b", {"credits": Fraction(2)}, replace=True),
    )
    settings = Settings(transformations=rules)
    assert requests_of(template({"a": 1, "b": 4, "credits": 7}), settings) == {"credits": 12}
    assert requests_of(template({"a": 9, "b": 4, "credits": 7}), settings) == {"credits": 7}


def test_negative_requests_count_as_none():
    assert requests_of(template({"cpu": -1}), Settings()) == {"cpu": 0}


def test_limit_ranges_fill_what_the_template_leaves_open():
    limits = {"spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "250m"}}]}}
    (ask,) = asks(workload({"template": template({"memory": "1Gi"})}), Settings(), [limits])
    assert ask.requests == {"memory": 2**30, "cpu": 250}


def test_a_workload_as_submitted():
    obj = workload(
        {"name": "driver", "count": 1, "template": template({"cpu": 1})},
        {
            "name": "workers",
            "count": 8,
            "minCount": 2,
            "template": template({"cpu": 2}, nodeSelector={"zone": "a"}),
        },
        priority=100,
        priorityClassRef={"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"},
        active=False,
        maximumExecutionTimeSeconds=60,
    ) | {"status": {"reclaimablePods": [{"name": "workers", "count": 3}]}}
    work = work_of(obj, Settings())
    assert (work.key, work.queue, work.uid, work.priority) == ("blue/train", "main", "u1", 100)
    assert (work.priority_class, work.active, work.max_execution) == ("high", False, 60_000)
    assert work.reclaimable == {"workers": 3}
    driver, workers = work.podsets
    assert (driver.count, driver.min_count, driver.pod) == (1, None, {})
    assert (workers.name, workers.count, workers.min_count, workers.requests) == (
        "workers",
        8,
        2,
        {"cpu": 2000},
    )
    assert workers.pod == {"nodeSelector": {"zone": "a"}}


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ({"priorityClassRef": {"kind": "PriorityClass", "name": "x"}}, ""),
        ({"priorityClassSource": "kueue.x-k8s.io/workloadpriorityclass", "priorityClassName": "x"}, "x"),
        ({"priorityClassSource": "scheduling.k8s.io/priorityclass", "priorityClassName": "x"}, ""),
        ({}, ""),
    ],
)
def test_only_a_workload_priority_class_is_followed(ref, name):
    assert work_of(workload(**ref), Settings()).priority_class == name


@pytest.mark.parametrize(
    ("request_", "topology"),
    [
        ({"required": "rack"}, TopologyAsk(required="rack")),
        ({"preferred": "rack", "podSetGroupName": "g"}, TopologyAsk(preferred="rack")),
        ({"unconstrained": True}, TopologyAsk(unconstrained=True)),
        (
            {"required": "block", "podSetSliceRequiredTopology": "rack", "podSetSliceSize": 4},
            TopologyAsk(required="block", slice_level="rack", slice_size=4),
        ),
        (
            {
                "required": "block",
                "podsetSliceRequiredTopologyConstraints": [{"topology": "rack", "size": 2}],
            },
            TopologyAsk(required="block", slice_level="rack", slice_size=2),
        ),
        ({"podIndexLabel": "x", "podSetGroupName": "g"}, None),
        (None, None),
    ],
)
def test_topology_requests(request_, topology):
    (ask,) = asks(workload({"template": template(), "topologyRequest": request_}), Settings())
    assert ask.topology == topology
    assert ask.group == ("g" if request_ and "podSetGroupName" in request_ else "")


@pytest.mark.parametrize(
    ("annotations", "topology"),
    [
        ({"podset-required-topology": "rack"}, TopologyAsk(required="rack")),
        ({"podset-unconstrained-topology": "true"}, TopologyAsk(unconstrained=True)),
        (
            {"podset-slice-required-topology": "rack", "podset-slice-size": "2"},
            TopologyAsk(slice_level="rack", slice_size=2),
        ),
        ({"podset-group-name": "g"}, None),
        ({}, None),
    ],
)
def test_topology_of_a_job_stands_in_the_annotations_of_its_pods(annotations, topology):
    pods = template({"cpu": 1}) | {
        "metadata": {"annotations": {f"kueue.x-k8s.io/{k}": v for k, v in annotations.items()}}
    }
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"parallelism": 3, "template": pods}}
    (ask,) = asks_of(podsets(job).found, Settings())
    assert (ask.name, ask.count, ask.topology) == ("main", 3, topology)
    assert ask.group == annotations.get("podset-group-name", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON, JSON, JSON, JSON)
def test_any_shape_anywhere_reads_as_something(podset, count, spec, topology, reclaimed):
    obj = workload(
        podset, {"count": count, "minCount": count, "template": {"spec": spec}, "topologyRequest": topology}
    )
    obj["status"] = {"reclaimablePods": reclaimed}
    work = work_of(obj, Settings())
    assert all(isinstance(ask.count, int) and ask.count >= 0 for ask in work.podsets)
    assert work_of({"metadata": podset, "spec": spec}, Settings()).podsets is not None


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [(1, 1000), (60, 60_000), (0, 0), (-1, 0), ("60", 0), (1.5, 0), (True, 0), (None, 0)],
)
def test_the_longest_run_is_a_positive_whole_number_of_seconds_or_none(seconds, milliseconds):
    obj = workload({"name": "main", "count": 1, "template": template()}, maximumExecutionTimeSeconds=seconds)
    assert work_of(obj, Settings()).max_execution == milliseconds
