from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from kohort.objects.podsets import PodSet, pod_requests, requests

TABLE = json.loads((Path(__file__).parents[2] / "data" / "matching.json").read_text(encoding="utf-8"))["pods"]


def pod(*containers, init=(), **spec):
    return {"spec": {"containers": list(containers), "initContainers": list(init), **spec}}


def container(requests=None, limits=None, **more):
    return {"resources": {"requests": requests or {}, "limits": limits or {}}, **more}


def texts(template, *limit_ranges):
    found = pod_requests(template, limit_ranges)
    assert found.problems == ()
    return {name: amount.plain() for name, amount in found.values.items()}


@pytest.mark.parametrize("row", TABLE)
def test_agrees_with_the_real_library(row):
    found = pod_requests({"spec": row["spec"]})
    assert found.problems == ()
    assert {k: Decimal(q.nano).scaleb(-9) for k, q in found.values.items()} == {
        k: Decimal(text) for k, text in row["requests"].items()
    }


def test_containers_add_up_and_init_containers_take_turns():
    template = pod(
        container({"cpu": "1"}), container({"cpu": "500m", "memory": "1Gi"}), init=[container({"cpu": "2"})]
    )
    assert texts(template) == {"cpu": "2", "memory": "1Gi"}


def test_sidecars_run_beside_everything_after_them():
    sidecar = container({"cpu": "1"}, restartPolicy="Always")
    late = container({"cpu": "3"})
    assert texts(pod(container({"cpu": "2"}), init=[sidecar, late])) == {"cpu": "4"}
    assert texts(pod(container({"cpu": "2"}), init=[late, sidecar])) == {"cpu": "3"}


def test_limits_stand_in_for_absent_requests():
    template = pod(container({"cpu": "1"}, {"cpu": "4", "example.com/gpu": "8"}))
    assert texts(template) == {"cpu": "1", "example.com/gpu": "8"}


def test_overhead_is_added_and_pod_level_requests_replace():
    template = pod(container({"cpu": "1", "example.com/gpu": "1"}), overhead={"cpu": "250m"})
    assert texts(template) == {"cpu": "1250m", "example.com/gpu": "1"}
    template["spec"]["resources"] = {
        "requests": {"cpu": "3", "example.com/gpu": "9"},
        "limits": {"memory": "2Gi"},
    }
    assert texts(template) == {"cpu": "3250m", "memory": "2Gi", "example.com/gpu": "1"}


def limit_range(kind="Container", **item):
    return {"kind": "LimitRange", "spec": {"limits": [{"type": kind, **item}]}}


@pytest.mark.parametrize(
    ("item", "stated", "cpu"),
    [
        ({"defaultRequest": {"cpu": "1"}}, ({}, {}), "1"),
        ({"defaultRequest": {"cpu": "1"}}, ({"cpu": "2"}, {}), "2"),
        ({"default": {"cpu": "3"}}, ({}, {}), "3"),
        ({"max": {"cpu": "5"}}, ({}, {}), "5"),
        ({"min": {"cpu": "100m"}}, ({}, {}), "100m"),
        ({"min": {"cpu": "100m"}, "max": {"cpu": "5"}, "default": {"cpu": "3"}}, ({}, {}), "3"),
        # Kueue defaults the request before it looks at the container's own limit.
        ({"defaultRequest": {"cpu": "1"}}, ({}, {"cpu": "4"}), "1"),
        ({"default": {"cpu": "3"}, "defaultRequest": {"cpu": "2"}}, ({}, {}), "2"),
    ],
)
def test_limit_range_defaults(item, stated, cpu):
    assert texts(pod(container(*stated)), limit_range(**item)) == {"cpu": cpu}


def test_of_several_limit_ranges_the_first_default_wins():
    first, second = (
        limit_range(defaultRequest={"cpu": "1"}),
        limit_range(defaultRequest={"cpu": "2", "memory": "1Gi"}),
    )
    assert texts(pod(container()), first, second) == {"cpu": "1", "memory": "1Gi"}
    assert texts(pod(container()), second, first) == {"cpu": "2", "memory": "1Gi"}


def test_a_limit_range_of_pods_defaults_pod_level_resources_only():
    ranges = limit_range("Pod", default={"memory": "8Gi"})
    assert texts(pod(container({"cpu": "1"})), ranges) == {"cpu": "1"}
    assert texts(pod(container({"cpu": "1"}), resources={}), ranges) == {"cpu": "1", "memory": "8Gi"}


def test_a_limit_range_reaches_init_containers_too():
    template = pod(container({"ephemeral-storage": "1Gi"}), init=[container()])
    assert texts(template, limit_range(defaultRequest={"ephemeral-storage": "5Gi"})) == {
        "ephemeral-storage": "5Gi"
    }


def test_zero_is_a_request():
    assert texts(pod(container({"example.com/gpu": 0}))) == {"example.com/gpu": "0"}


def test_what_is_no_quantity_is_named_and_left_out():
    template = pod(container({"cpu": "1", "memory": "10GB"}), "x")
    template["spec"]["overhead"] = ["cpu"]
    template["spec"]["initContainers"] = {"no": "list"}
    found = pod_requests(template, [limit_range(default={"cpu": "many"}), None])
    assert {k: q.plain() for k, q in found.values.items()} == {"cpu": "1"}
    assert found.problems == (
        (
            ("limitRanges", 0, "spec", "limits", 0, "default", "cpu"),
            '"many" is not a quantity: it must start with a number',
        ),
        (
            ("spec", "containers", 0, "resources", "requests", "memory"),
            '"10GB" is not a quantity: the unit "GB" is not known; did you mean G?',
        ),
        (("spec", "containers", 1), "it is not a container"),
        (("spec", "initContainers"), "it is not a list of containers"),
        (("spec", "overhead"), "it is not a mapping of resources to quantities"),
    )


@pytest.mark.parametrize("template", [None, {}, [], "x", {"spec": None}])
def test_without_a_spec_nothing_is_requested(template):
    found = pod_requests(template)
    assert (found.values, found.problems) == ({}, (((), "the pod template has no spec"),))


def test_requests_are_those_of_one_pod():
    podset = PodSet("main", 4, pod(container({"cpu": "500m"})), ())
    assert {k: q.plain() for k, q in requests(podset).items()} == {"cpu": "500m"}
