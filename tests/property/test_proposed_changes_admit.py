"""Every change that an answer proposes, made in the objects themselves, admits the job in a world read anew."""

import copy
import json
import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "why"))
from live_world import GPU, LiveWorld

from kohort.engine.asking import Inquiry
from kohort.live.snapshot import take
from kohort.why.answer import Lever

POLICIES = st.fixed_dictionaries(
    {
        "withinClusterQueue": st.sampled_from(["Never", "LowerPriority", "LowerOrNewerEqualPriority"]),
        "reclaimWithinCohort": st.sampled_from(["Never", "LowerPriority", "Any"]),
    }
)
FAIR = {
    "apiVersion": "config.kueue.x-k8s.io/v1beta2",
    "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
}


@st.composite
def worlds(draw):
    """A small crowded cluster: two flavors, a cohort or two, running jobs of several queues, and one job that waits."""
    world = LiveWorld("h100", "a100")
    world.flavor("spot", nodeTaints=[{"key": "spot", "value": "true", "effect": "NoSchedule"}])
    world.cohort("org")
    world.cohort(
        "all", "org", {"h100": {"nominal": draw(st.integers(0, 3)), "borrow": draw(st.integers(0, 6))}}
    )
    size = st.integers(0, 6)
    names = ["blue", "red", "green"]
    for name in names:
        quota = {
            "h100": {"nominal": draw(size)},
            "a100": {"nominal": draw(size)},
            "spot": {"nominal": draw(size)},
        }
        if draw(st.booleans()):
            quota["h100"]["borrow"] = draw(size)
        if draw(st.booleans()):
            quota["a100"]["lend"] = min(draw(size), quota["a100"]["nominal"])
        cohort = "org" if name == "green" else "all"
        world.queue(name, quota, cohort=cohort, preemption=draw(POLICIES))
    for name, value in (("low", 1), ("high", 8)):
        world.add("WorkloadPriorityClass", name)["value"] = value
    for number in range(draw(st.integers(3, 12))):
        world.runs(
            f"{draw(st.sampled_from(names))}/r{number}",
            draw(st.integers(1, 4)),
            flavor=draw(st.sampled_from(["h100", "a100"])),
            priority=draw(st.integers(0, 5)),
        )
    world.add("LocalQueue", "other", {"clusterQueue": "green"}, "blue")
    requests = {GPU: str(draw(st.integers(1, 5)))}
    if draw(st.integers(0, 4)) == 4:
        requests["example.com/disk"] = "1"
    world.waits(
        "blue/new", 0, pods=draw(st.integers(1, 4)), priority=draw(st.integers(0, 5)), requests=requests
    )
    return world.objects


def find(objects, kind, name):
    return next(o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name)


def limit_of(objects, name, flavor):
    for kind in ("ClusterQueue", "Cohort"):
        for each in objects:
            if each["kind"] == kind and each["metadata"]["name"] == name:
                flavors = each["spec"]["resourceGroups"][0]["flavors"]
                return next(f for f in flavors if f["name"] == flavor)["resources"][0]
    raise LookupError(name)


def make(change, objects):
    """The change, made in the objects."""
    job = find(objects, "Workload", "new")
    podset = job["spec"]["podSets"][0]
    container = podset["template"]["spec"]["containers"][0]
    parts = change.parts
    match change.lever:
        case Lever.FEWER_PODS:
            podset["count"] = parts["pods"]
        case Lever.OTHER_QUEUE:
            job["spec"]["queueName"] = parts["localQueue"]
        case Lever.OTHER_FLAVOR:
            podset["template"]["spec"] |= {
                "nodeSelector": {"pool": parts["flavor"]},
                "tolerations": [{"operator": "Exists"}],
            }
        case Lever.LESS:
            for resource in parts["resources"]:
                del container["resources"]["requests"][resource]
        case Lever.PRIORITY:
            job["spec"]["priority"] = parts["priority"]
        case Lever.AFTER:
            objects[:] = [
                o
                for o in objects
                if f"{o['metadata'].get('namespace')}/{o['metadata']['name']}" not in parts["workloads"]
            ]
        case Lever.QUOTA:
            for sizes in parts["resources"].values():
                limit_of(objects, parts["queue"], parts["flavor"])["nominalQuota"] = str(sizes["to"])
        case Lever.BORROW:
            for sizes in parts["resources"].values():
                limit_of(objects, parts["node"], parts["flavor"])["borrowingLimit"] = str(sizes["to"])


def inquiry(objects, configuration):
    data = json.dumps({"kind": "List", "items": objects}).encode()
    return Inquiry(take([("x.json", data)], lambda step: None, kueue="0.19.1", configuration=configuration))


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(), st.booleans())
def test_every_proposed_change_admits(objects, fair):
    configuration = FAIR if fair else None
    asked = inquiry(objects, configuration)
    answer = asked.why("blue/new")
    assert asked.why("blue/new") == answer  # asking changes nothing
    for change in answer.changes:
        edited = copy.deepcopy(objects)
        make(change, edited)
        after = inquiry(edited, configuration).why("blue/new")
        assert after.verdict is change.then, (change, after.headline)
    if answer.verdict.admitted:
        assert answer.changes == ()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(), st.randoms())
def test_the_order_of_objects_in_a_snapshot_decides_nothing(objects, random):
    shuffled = list(objects)
    random.shuffle(shuffled)
    # flavors are in the order of the queue, lenders and users in the order of their size and name
    assert inquiry(objects, None).why("blue/new") == inquiry(shuffled, None).why("blue/new")
