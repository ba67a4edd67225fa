"""What the shared cases say about admission under load, played on the machine."""

from __future__ import annotations

import pytest
from lint_case import answers
from simulate_case import SHARED, Simulated, kube

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the repository")

GPU = "nvidia.com/gpu"


def spec_of(case, name):
    return case.machine.world.state.specs[name].obj.data


def test_02_priority_never_counts_while_quota_exceeds_the_hardware():
    case = Simulated("02", "input.yaml", "workloads.yaml")
    assert case.states == {"first-low": "admitted", "second-high": "admitted"}
    assert case.evicted == []
    honest = Simulated(
        "02",
        "input.yaml",
        "workloads.yaml",
        edit=lambda text: text.replace("nominalQuota: 8", "nominalQuota: 4"),
    )
    assert honest.states == {"first-low": "pending", "second-high": "admitted"}
    assert honest.evicted == [("team-a/first-low", "InClusterQueue", "team-a/second-high")]


@answers("15", 0)
def test_15_a_limit_range_asks_for_what_the_queue_does_not_cover():
    case = Simulated("15", "input.yaml", "workload.yaml")
    assert case.states == {"step": "pending"}
    assert case.message("step") == (
        "couldn't assign flavors to pod set main: resource ephemeral-storage unavailable in ClusterQueue"
    )


def test_16_a_zero_request_of_an_uncovered_resource_by_version():
    assert Simulated("16", "input.yaml", "workload.yaml", kueue="0.17.0").states == {"w": "admitted"}
    older = Simulated("16", "input.yaml", "workload.yaml", kueue="0.16.0")
    assert older.states == {"w": "pending"}
    assert "resource nvidia.com/roce_gdr unavailable in ClusterQueue" in older.message("w")


@answers("18", 3)
def test_18_jobs_without_requests():
    case = Simulated("18", "input.yaml", "workloads.yaml")
    assert case.states == {"no-requests": "admitted", "gpu-only": "pending", "cpu-job": "admitted"}
    assert "resource nvidia.com/gpu unavailable in ClusterQueue" in case.message("gpu-only")
    assert case.flavors("no-requests") == {"main": {}}
    assert case.flavors("cpu-job") == {"main": {"cpu": "gpu-flavor"}}

    def pods(text):
        covered = text.replace('["cpu", "memory"]', '["cpu", "memory", "pods"]')
        return covered.replace(
            "nominalQuota: 36Gi", "nominalQuota: 36Gi\n      - {name: pods, nominalQuota: 9}"
        )

    assert Simulated("18", "input.yaml", "workloads.yaml", edit=pods).flavors("no-requests") == {
        "main": {"pods": "gpu-flavor"}
    }


def test_21_a_selector_counts_only_for_flavors_that_have_its_key():
    case = Simulated("21", "input.yaml", "workload.yaml", kueue="0.17.5")
    assert case.states == {"w": "pending"}
    assert "flavor plain doesn't match node affinity" in case.message("w")


def test_24_quota_of_a_cohort_adds_to_its_members():
    case = Simulated("24", "input.yaml", "workloads.yaml")
    assert case.states == {"a1": "admitted", "a2": "admitted", "b1": "admitted"}
    case = Simulated("24", "input.yaml", "workloads.yaml", only=("a1", "a2"))
    cohort = case.machine.world.state.cohorts["team-ab"].obj.data
    bare = {**cohort, "spec": {}}
    again = Simulated("24", "input.yaml", only=("none",))
    again.machine.apply(kube(bare), 0)
    for name in ("a1", "a2", "b1"):
        whole = Simulated("24", "input.yaml", "workloads.yaml", only=(name,))
        work = whole.machine.work(f"team-{name[0]}/{name}")
        fresh = type(work)(work.key, work.queue, work.podsets)
        again.now += 10_000
        again.machine.submit(fresh, again.now)
        again.settle()
    assert again.states == {"a1": "admitted", "a2": "admitted", "b1": "pending"}


@answers("25", 0, 2)
def test_25_only_listed_flavors_are_borrowed():
    case = Simulated("25", "input.yaml", "workloads.yaml")
    assert case.states == {"w1": "admitted", "w2": "pending"}
    assert "insufficient unused quota for nvidia.com/gpu in flavor base, 8 more needed" in case.message("w2")
    queue = spec_of(case, "base-queue")
    group = queue["spec"]["resourceGroups"][0]
    listed = [*group["flavors"], {"name": "topo", "resources": [{"name": GPU, "nominalQuota": 0}]}]
    edited = {**queue, "spec": {**queue["spec"], "resourceGroups": [{**group, "flavors": listed}]}}
    case.machine.apply(kube(edited), case.now + 10_000)
    case.settle()
    assert case.states == {"w1": "admitted", "w2": "admitted"}
    assert case.flavors("w2") == {"main": {GPU: "topo"}}
    assert case.view.reservations["base-queue"] == {"base": {GPU: 8}, "topo": {GPU: 8}}


def test_28_who_lends_nothing_and_who_borrows_nothing():
    case = Simulated("28", "input.yaml", "workloads.yaml")
    assert case.states == {"d": "pending", "c": "pending", "p": "admitted"}
    assert "maximum capacity (8)" in case.message("d")
    assert "maximum capacity (4)" in case.message("c")


@answers("38", 0)
def test_38_an_absent_selector_selects_no_namespace():
    case = Simulated("38", "input.yaml", "workloads.yaml")
    assert case.states == {"w1": "pending", "w2": "admitted"}
    assert case.message("w1") == "workload namespace doesn't match ClusterQueue selector"


def test_57_g_is_less_than_gi():
    assert Simulated("57", "input.yaml", "workloads.yaml", only=("fits",)).states == {"fits": "admitted"}
    large = Simulated("57", "input.yaml", "workloads.yaml", only=("too-big",))
    assert large.states == {"too-big": "pending"}
    assert "maximum capacity" in large.message("too-big")


@answers("71", 1)
def test_71_quota_below_use_evicts_nobody_and_admits_nobody():
    case = Simulated("71", "before.yaml", "running.yaml")
    assert case.states == {"w": "admitted"}
    smaller = Simulated("71", "after.yaml")
    case.machine.apply(kube(spec_of(smaller, "a")), case.now + 10_000)
    case.settle()
    assert case.states == {"w": "admitted"}
    work = case.machine.work("team-a/w")
    one = tuple(type(ask)(ask.name, 1, {GPU: 1}) for ask in work.podsets)
    case.now += 10_000
    case.machine.submit(type(work)("team-a/next", "q", one), case.now)
    case.settle()
    assert case.states == {"w": "admitted", "next": "pending"}
    assert "1 more needed" in case.message("next")  # Kueue reads room below zero as none
