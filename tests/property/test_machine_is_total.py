"""Whatever objects hold, the machine takes them and comes to rest."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.objects.kube import KubeObject, Typed
from kohort.semantics.settings import Settings
from kohort.simulator.machine import Machine
from kohort.simulator.settings import read_settings

KINDS = [
    "Namespace", "LimitRange", "WorkloadPriorityClass", "Topology", "ResourceFlavor", "AdmissionCheck", "Cohort",
    "ClusterQueue", "LocalQueue", "Workload", "Pod",
]  # fmt: skip
FIELDS = [
    "parentName", "cohortName", "clusterQueue", "stopPolicy", "queueName", "podSets", "priority", "active", "preemption",
    "resourceGroups", "flavors", "coveredResources", "name", "resources", "nominalQuota", "borrowingLimit", "count",
    "minCount", "template", "spec", "status", "conditions", "type", "reason", "lastTransitionTime", "admission",
    "podSetAssignments", "resourceUsage", "admissionChecks", "state", "reclaimablePods", "namespaceSelector",
    "matchLabels", "matchExpressions", "topologyName", "nodeLabels", "nodeTaints", "levels", "nodeLabel", "fairSharing",
    "weight", "queueingStrategy", "priorityClassRef", "admissionChecksStrategy", "onFlavors", "requeueState",
    "schedulingStats", "evictions", "waitForPodsReady", "timeout", "requeuingStrategy", "backoffLimitCount",
    "preemptionStrategies", "admissionFairSharing", "usageHalfLifeTime", "resourceWeights", "transformations", "outputs",
]  # fmt: skip
NAMES = st.sampled_from(["a", "b", "", "gpu", "QuotaReserved", "Evicted", "True", "2026-01-01T00:00:00Z"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | NAMES | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | NAMES, inner, max_size=4)
    ),
    max_leaves=25,
)


@st.composite
def objects(draw):
    kind, name, space = draw(st.sampled_from(KINDS)), draw(NAMES), draw(NAMES)
    data = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": kind,
        "metadata": {"name": name, "labels": draw(values)},
        "spec": draw(values),
        "status": draw(values),
        "value": draw(values),
    }
    return KubeObject(data["apiVersion"], kind, name, space, data, Typed("any.yaml"))


@settings(max_examples=50, deadline=None)
@given(st.lists(objects(), max_size=6), st.lists(objects(), max_size=4), st.booleans())
def test_any_objects_are_taken(first, later, removes):
    machine = Machine.start(first, settings=Settings(), stop_time=0)
    machine.settle()
    for number, each in enumerate(later):
        if removes:
            machine.remove(each.kind, each.namespace, each.name, number * 1000)
        else:
            machine.apply(each, number * 1000)
        machine.settle()
        machine.view()


def valid() -> list[dict]:
    pods = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"gpu": "1"}}}]}}
    quota = {
        "name": "f",
        "resources": [{"name": "gpu", "nominalQuota": 4, "borrowingLimit": 2, "lendingLimit": 1}],
    }
    groups = [{"coveredResources": ["gpu"], "flavors": [quota]}]
    given = {"name": "main", "count": 1, "flavors": {"gpu": "f"}, "resourceUsage": {"gpu": "1"}}
    holds = [
        {"type": kind, "status": "True", "reason": kind, "lastTransitionTime": "2026-01-01T00:00:00Z"}
        for kind in ("QuotaReserved", "Admitted", "Evicted")
    ]
    checks = {"admissionChecks": [{"name": "check", "onFlavors": ["f"]}]}
    queue = {
        "cohortName": "child",
        "namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]},
        "preemption": {"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority"}},
        "resourceGroups": groups,
        "admissionChecksStrategy": checks,
        "fairSharing": {"weight": "2"},
    }
    ask = {"name": "main", "count": 2, "minCount": 1, "template": pods}
    return [
        {"kind": "ResourceFlavor", "spec": {"nodeLabels": {"a": "b"}, "topologyName": "t"}, "name": "f"},
        {"kind": "Topology", "spec": {"levels": [{"nodeLabel": "rack"}]}, "name": "t"},
        {
            "kind": "AdmissionCheck",
            "spec": {"controllerName": "c"},
            "status": {"conditions": holds},
            "name": "check",
        },
        {"kind": "Cohort", "spec": {"parentName": "root", "resourceGroups": groups}, "name": "child"},
        {"kind": "ClusterQueue", "spec": queue, "name": "q"},
        {
            "kind": "LocalQueue",
            "spec": {"clusterQueue": "q", "fairSharing": {"weight": "1"}},
            "name": "l",
            "space": "n",
        },
        {"kind": "WorkloadPriorityClass", "value": 5, "name": "high"},
        {
            "kind": "Workload",
            "spec": {"queueName": "l", "podSets": [ask], "priorityClassRef": {"name": "high"}},
            "status": {"conditions": holds, "admission": {"clusterQueue": "q", "podSetAssignments": [given]}},
            "name": "runs",
            "space": "n",
        },
        {"kind": "Workload", "spec": {"queueName": "l", "podSets": [ask]}, "name": "waits", "space": "n"},
    ]


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def made(plain: dict) -> KubeObject:
    name, space = plain.pop("name"), plain.pop("space", "")
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "metadata": {"name": name}, **plain}
    return KubeObject(data["apiVersion"], plain["kind"], name, space, data, Typed("any.yaml"))


@settings(max_examples=150, deadline=None)
@given(st.data(), values, st.booleans())
def test_valid_objects_with_one_strange_value(data, value, fair):
    documents = valid()
    target = data.draw(st.sampled_from(documents))
    spots = [path for path in places(target) if path and path[0] in ("spec", "status", "value")]
    *way, last = data.draw(st.sampled_from(spots))
    inner = target
    for step in way:
        inner = inner[step]
    inner[last] = value
    sharing = read_settings({"fairSharing": {}} if fair else None, "0.19.1")
    machine = Machine.start([made(each) for each in documents], settings=sharing)
    machine.settle()
    for each in valid():
        machine.apply(made(each), machine.world.now)
    machine.settle()
    machine.run_until(10_000_000)
    machine.view()


@settings(max_examples=50, deadline=None)
@given(values, st.sampled_from(["0.15.2", "0.19.1", "0.20.0", "strange"]))
def test_any_configuration_is_read(configuration, kueue):
    found = read_settings(configuration if isinstance(configuration, dict) else None, kueue)
    assert found.batch > 0
    Machine.start([], settings=found).settle()
