"""Any load on any small tree: the same seed gives the same run, no quota is held twice, renaming changes nothing but names."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.model.scenario import Draw, JobSource, Restarts, Scenario, Times
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject, Typed
from kohort.simulator.metrics.steps import steps_of
from kohort.simulator.metrics.use import use_of
from kohort.simulator.play import play
from kohort.simulator.preparing.plain import prepare_plain
from kohort.simulator.record import End, Outcome
from kohort.spans import Origin

API = "kueue.x-k8s.io/v1beta2"
GPU = "nvidia.com/gpu"
HORIZON = 6 * 3_600_000


def obj(api, kind, name, body, namespace=""):
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return KubeObject(
        api,
        kind,
        name,
        namespace,
        {"apiVersion": api, "kind": kind, "metadata": metadata, **body},
        Typed("t"),
    )


@st.composite
def loads(draw):
    """Quotas of up to three queues of one cohort, nodes or none, and a source of jobs for each queue."""
    return {
        "quotas": draw(st.lists(st.integers(0, 12), min_size=1, max_size=3)),
        "nodes": draw(st.lists(st.integers(1, 8), max_size=3)),
        "reclaim": draw(st.sampled_from(["Never", "LowerPriority", "Any"])),
        "within": draw(st.sampled_from(["Never", "LowerPriority", "LowerOrNewerEqualPriority"])),
        "strategy": draw(st.sampled_from(["BestEffortFIFO", "StrictFIFO"])),
        "every": draw(st.lists(st.integers(5, 90), min_size=3, max_size=3)),
        "gpus": draw(st.lists(st.integers(1, 6), min_size=3, max_size=3)),
        "priority": draw(st.lists(st.sampled_from(["", "high"]), min_size=3, max_size=3)),
        "checkpoint": draw(st.sampled_from([None, 600_000])),
        "wrapped": draw(st.booleans()),
        "seed": draw(st.integers(0, 1000)),
    }


def ready(load, prefix=""):
    objects = [
        obj(API, "ResourceFlavor", "gpu", {}),
        obj(API, "WorkloadPriorityClass", "high", {"value": 10}),
    ]
    sources = []
    for i, quota in enumerate(load["quotas"]):
        name = f"{prefix}q{i}"
        group = {
            "coveredResources": [GPU],
            "flavors": [{"name": "gpu", "resources": [{"name": GPU, "nominalQuota": quota}]}],
        }
        spec = {
            "cohortName": "all",
            "namespaceSelector": {},
            "queueingStrategy": load["strategy"],
            "preemption": {"reclaimWithinCohort": load["reclaim"], "withinClusterQueue": load["within"]},
            "resourceGroups": [group],
        }
        objects.append(obj(API, "ClusterQueue", name, {"spec": spec}))
        objects.append(obj(API, "LocalQueue", "lq", {"spec": {"clusterQueue": name}}, name))
        sources.append(
            JobSource(
                name=f"load{i}",
                times=Times(law="poisson", every=load["every"][i] * 60_000),
                duration=Draw(kind="lognormal", mean=1_800_000, deviation=1.0),
                namespace=name,
                queue="lq",
                priority=load["priority"][i],
                gpus=Draw(kind="uniform", low=1, high=load["gpus"][i]),
                checkpoint=load["checkpoint"],
                restarts=Restarts() if load["wrapped"] else None,
                path=("spec", "jobs", i),
            )
        )
    for i, gpus in enumerate(load["nodes"]):
        status = {"capacity": {GPU: gpus}, "allocatable": {GPU: gpus}}
        objects.append(obj("v1", "Node", f"n{i}", {"status": status}))
    scenario = Scenario(
        name="any",
        origin=Origin("t"),
        manifests=("-",),
        horizon=HORIZON,
        jobs=tuple(sources),
        seed=load["seed"],
    )
    return prepare_plain(Cluster(objects), scenario)


def story(run):
    """Everything about a run but the names of queues."""
    return [
        (
            job.key.partition("/")[2],
            job.outcome,
            job.resets,
            [(*a[:4], a.kept, a.nodes) for a in job.attempts],
        )
        for job in run.jobs
    ]


SOME = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SOME
@given(loads())
def test_a_run_keeps_the_rules_of_quota_and_time(load):
    run = play(ready(load))
    total = sum(load["quotas"])
    held = defaultdict(list)
    for job in run.jobs:
        until = job.submitted
        for attempt in job.attempts:
            end = attempt.ended if attempt.ended >= 0 else HORIZON
            assert until <= attempt.admitted <= end  # attempts follow each other
            assert attempt.started == -1 or attempt.admitted <= attempt.started <= end
            assert 0 <= attempt.kept <= job.duration or attempt.end is not End.SUCCEEDED
            until = end
            held[job.team] += [(attempt.admitted, job.amount), (end, -job.amount)]
        if job.outcome is Outcome.SUCCEEDED:
            assert sum(attempt.kept for attempt in job.attempts) == job.duration
            assert job.finished == job.attempts[-1].ended
        assert job.finished <= HORIZON
    everything = steps_of(change for changes in held.values() for change in changes)
    assert all(0 <= value <= total for _, value in everything)  # never more than all quota
    use = use_of(run)
    assert 0 <= use.useful <= use.running <= use.held
    for each in run.capacity:
        assert 0 <= each.whole <= each.free <= each.healthy == sum(load["nodes"])


@SOME
@given(loads())
def test_one_seed_gives_one_run(load):
    assert play(ready(load)) == play(ready(load))


@SOME
@given(loads())
def test_names_of_queues_decide_nothing(load):
    assert story(play(ready(load))) == story(play(ready(load, "renamed-")))
