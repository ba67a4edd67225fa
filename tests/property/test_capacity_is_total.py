"""Whatever shape an object has, capacity answers without an exception; and its findings do not depend on order."""

from __future__ import annotations

import copy
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.capacity import assess
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.objects.slack import slack_queues
from kohort.rules.base import Stage
from kohort.rules.registry import all_rules

KUEUE = "kueue.x-k8s.io/v1beta2"


def _quota(flavor, **units):
    entries = [
        {"name": name.replace("_", "/"), "nominalQuota": n, "lendingLimit": 1} for name, n in units.items()
    ]
    flavors = [{"name": flavor, "resources": entries}]
    return [{"coveredResources": [e["name"] for e in entries], "flavors": flavors}]


OBJECTS = [
    (KUEUE, "Topology", "dc", {"spec": {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": "host"}]}}),
    (KUEUE, "ResourceFlavor", "f", {"spec": {"nodeLabels": {"a": "b"}, "topologyName": "dc"}}),
    (KUEUE, "ResourceFlavor", "g", {"spec": {"tolerations": [{"key": "t", "operator": "Exists"}]}}),
    (KUEUE, "AdmissionCheck", "c", {"spec": {"controllerName": "kueue.x-k8s.io/multikueue"}}),
    (KUEUE, "Cohort", "org", {"spec": {"parentName": "top", "resourceGroups": _quota("f", x_gpu=4)}}),
    (KUEUE, "Cohort", "top", {"spec": {"resourceGroups": _quota("g", cpu=4)}}),
    (
        KUEUE,
        "ClusterQueue",
        "q",
        {"spec": {"cohortName": "org", "resourceGroups": _quota("f", x_gpu=9, cpu=1, pods=9)}},
    ),
    (
        KUEUE,
        "ClusterQueue",
        "slack",
        {"spec": {"cohortName": "org", "resourceGroups": _quota("g", x_gpu=9, tokens=1)}},
    ),
    (
        KUEUE,
        "ClusterQueue",
        "e",
        {
            "spec": {
                "resourceGroups": _quota("f", x_gpu=9),
                "admissionChecksStrategy": {"admissionChecks": [{"name": "c"}]},
            }
        },
    ),
    (KUEUE, "LocalQueue", "l", {"spec": {"clusterQueue": "q"}}),
    (
        "batch/v1",
        "Job",
        "j",
        {
            "spec": {
                "parallelism": 3,
                "template": {
                    "spec": {"containers": [{"name": "m", "resources": {"requests": {"x/gpu": 9, "cpu": 2}}}]}
                },
            }
        },
    ),
    (
        "v1",
        "Node",
        "n",
        {
            "spec": {"taints": [{"key": "t", "effect": "NoSchedule"}], "unschedulable": False},
            "status": {
                "allocatable": {"x/gpu": 7, "cpu": 8},
                "capacity": {"x/gpu": 8, "cpu": 8},
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        },
    ),
    ("v1", "Node", "m", {"spec": {}, "status": {"allocatable": {"x/gpu": 8, "pods": 5}}}),
]
LABELS = {"Node": {"a": "b", "rack": "r", "host": "h"}, "Job": {"kueue.x-k8s.io/queue-name": "l"}}
RULES = [rule for rule in all_rules() if rule.stage is Stage.CAPACITY and rule.cluster_check is not None]


def _objects():
    for api, kind, name, body in copy.deepcopy(OBJECTS):
        data = {
            "apiVersion": api,
            "kind": kind,
            "metadata": {"name": name, "labels": dict(LABELS.get(kind, {}))},
            **body,
        }
        yield KubeObject(api, kind, name, "", data, Typed(f"{name}.yaml"))


def _places(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))


def _judge(objects):
    cluster = Cluster(objects)
    cluster.slack_queues = slack_queues(cluster)
    found = [(f.code, f.message, f.primary.origin) for rule in RULES for f in rule.cluster_check(cluster)]
    assess(cluster).summary()
    assert {job.queue for job in assess(cluster).largest_jobs} <= set(cluster.queues)
    return found


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.just(10**30), st.just("1e30"), st.just("x"), st.just(""), st.just("-1"),
    st.just([]), st.just({}), st.just([[]]), st.just([{}]), st.just({"x": {}}), st.just(1.5), st.just(["q"]),
)  # fmt: skip
SPOTS = [
    (i, path)
    for i, o in enumerate(_objects())
    for path in _places(o.data)
    if path[0] in {"spec", "status", "metadata"}
]


@given(st.lists(st.tuples(st.sampled_from(SPOTS), JUNK), min_size=1, max_size=3))
@settings(max_examples=400, deadline=None)
def test_any_value_anywhere(changes):
    objects = list(_objects())
    for (index, path), junk in changes:
        parent = objects[index].data
        for step in path[:-1]:
            try:
                parent = parent[step]
            except (KeyError, IndexError, TypeError):
                break
        else:
            if isinstance(parent, dict) or (
                isinstance(parent, list) and isinstance(path[-1], int) and path[-1] < len(parent)
            ):
                parent[path[-1]] = junk
    _judge(objects)


def test_the_base_is_not_trivial():
    assert {code for code, *_ in _judge(list(_objects()))} >= {"CAP901", "CAP906", "CAP913", "CAP914"}


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_same_findings_in_any_order_of_objects(seed):
    objects = list(_objects())
    expected = {(code, origin.file) for code, _, origin in _judge(list(_objects()))}
    random.Random(seed).shuffle(objects)
    assert {(code, origin.file) for code, _, origin in _judge(objects)} == expected
