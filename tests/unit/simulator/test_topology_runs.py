"""Scenarios on clusters with topologies: where Kueue puts the pods, what a node event changes, what reports say of it."""

from __future__ import annotations

import json

from small_world import CLASS, jobs_of, played, queue, staged

from kohort.simulator.record import Outcome
from kohort.simulator.reports import jsonl, table

MINUTE = 60_000
RACKS = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: gpu}
spec: {nodeLabels: {pool: gpu}, topologyName: racks}
"""


def node(name: str, gpus: int = 8) -> str:
    labels = f"{{pool: gpu, rack: {name[0]}, kubernetes.io/hostname: {name}}}"
    amounts = f"{{nvidia.com/gpu: {gpus}, pods: 110}}"
    return f"---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {labels}}}\nstatus: {{capacity: {amounts}, allocatable: {amounts}}}\n"


WORLD = RACKS + CLASS + queue("blue", 64) + "".join(node(name) for name in ("a0", "a1", "b0", "b1"))


def job(name: str, pods: int, more: str = "", at: str = "0s", gpus: int = 8) -> str:
    return f"{{name: {name}, namespace: blue, queue: lq, at: {at}, gpus: {gpus}, pods: {pods}, duration: 1h{more}}}"


def run_of(folder, *jobs: str, more: str = "", world: str = WORLD):
    run = played(folder, f"jobs: [{', '.join(jobs)}]\n{more}", world)
    return run, {key.partition("/")[2]: each for key, each in jobs_of(run).items()}


def placed(record) -> dict[str, int]:
    return {"/".join(each.domain): each.pods for each in record.attempts[0].domains}


RACK = ", topology: {required: rack}"


def test_a_rack_holds_all_pods_or_the_job_waits(tmp_path):
    run, jobs = run_of(tmp_path, job("one", 1), job("two", 2, RACK, "1m"), job("three", 2, RACK, "2m"))
    assert placed(jobs["one-1"]) == {"a/a0": 1}
    assert placed(jobs["two-1"]) == {"b/b0": 1, "b/b1": 1}
    assert jobs["two-1"].attempts[0].nodes == ("b0", "b1")
    assert jobs["three-1"].admitted == 60 * MINUTE + 1_000  # rack a is whole again, a batch later
    assert placed(jobs["three-1"]) == {"a/a0": 1, "a/a1": 1}
    assert ("admitted", "blue/two-1", "gpu: b/b0, b/b1") in {
        (e.what, e.about, e.detail) for e in run.timeline
    }


def test_pods_are_bound_where_kueue_put_them_and_not_where_the_scheduler_would(tmp_path):
    _, jobs = run_of(
        tmp_path,
        job("half", 1, RACK, gpus=4),
        job("spread", 2, ", topology: {slices: {level: rack, size: 1}}", "1m", gpus=8),
        job("small", 1, ", topology: {unconstrained: true}", "2m", gpus=4),
    )
    assert jobs["half-1"].attempts[0].nodes == ("a0",)
    assert placed(jobs["spread-1"]) == {"b/b0": 1, "b/b1": 1}
    assert jobs["spread-1"].attempts[0].nodes == tuple(d.split("/")[1] for d in placed(jobs["spread-1"]))
    assert jobs["small-1"].attempts[0].nodes == ("a0",)  # the fullest host that holds it


def test_a_cordon_takes_a_host_out_and_its_end_wakes_who_waits(tmp_path):
    _, jobs = run_of(
        tmp_path,
        job("two", 2, RACK, "2m"),
        job("three", 2, RACK, "3m"),
        more="nodes: [{at: 1m, node: a0, cordon: true, for: 10m}]",
    )
    assert set(placed(jobs["two-1"])) == {"b/b0", "b/b1"}
    assert jobs["three-1"].admitted == 11 * MINUTE + 2_000
    assert set(placed(jobs["three-1"])) == {"a/a0", "a/a1"}


def test_lost_devices_leave_less_of_a_host(tmp_path):
    _, jobs = run_of(
        tmp_path,
        job("one", 1, "", "2m"),
        more="nodes: [{at: 1m, node: a0, lost: {nvidia.com/gpu: 1}}]",
    )
    assert set(placed(jobs["one-1"])) == {"a/a1"}


def test_what_no_rack_holds_waits_for_ever_and_what_is_alone_does_not_ask(tmp_path):
    run, jobs = run_of(tmp_path, job("large", 3, RACK), job("any", 3, "", "1m"))
    assert jobs["large-1"].outcome is Outcome.WAITING
    assert jobs["any-1"].outcome is Outcome.SUCCEEDED
    said = 'couldn\'t assign flavors to pod set main: topology "racks" allows to fit only 2 out of 3 pod(s)'
    assert (jobs["large-1"].message, jobs["any-1"].message) == (said, "")
    assert table.render(run).endswith(f"\nstill waiting, in Kueue's words\n  blue/large-1: {said}\n")


def test_messages_of_waiting_jobs_are_told_together(tmp_path):
    racks = [
        job(name, pods, RACK, f"{at}m")
        for at, (name, pods) in enumerate((("a", 3), ("b", 4), ("c", 5), ("d", 6), ("e", 7)))
    ]
    run, _ = run_of(tmp_path, *racks, job("twin", 3, RACK, "9m"))
    told = table.render(run).partition("still waiting, in Kueue's words\n")[2].splitlines()
    assert told[0].startswith(
        "  blue/twin-1: nothing yet: behind others, or parked with one that asks for the same"
    )
    assert told[-1] == "  3 more jobs with 3 other messages (--format jsonl has all)"
    assert len(told) == 4


def test_without_nodes_there_is_no_topology(tmp_path):
    run, jobs = run_of(tmp_path, job("large", 3, RACK), world=RACKS + CLASS + queue("blue", 64))
    assert jobs["large-1"].outcome is Outcome.SUCCEEDED
    assert placed(jobs["large-1"]) == {}
    assert any("quota alone" in note for note in run.notes)


def test_lines_tell_the_domains(tmp_path):
    run, _ = run_of(tmp_path, job("two", 2, RACK))
    lines = [json.loads(line) for line in jsonl.render(run).splitlines()]
    (told,) = [line for line in lines if line["type"] == "job"]
    assert told["attempts"][0]["domains"] == [
        {"podset": "main", "domain": ["a", "a0"], "pods": 1},
        {"podset": "main", "domain": ["a", "a1"], "pods": 1},
    ]


def test_a_level_that_no_flavor_has_is_told_at_its_line(tmp_path):
    found = staged(tmp_path, f"jobs: [{job('x', 1, ', topology: {required: racks}')}]", WORLD)
    told = [(f.code, f.message, f.help) for f in found.outcome.report.findings if f.code == "SRC131"]
    assert told == [
        (
            "SRC131",
            "Scenario small: jobs x ask for topology level racks, and no flavor of ClusterQueue blue has one; did you mean `rack`?",
            ("levels of its flavors: rack, kubernetes.io/hostname",),
        )
    ]
    bare = WORLD.replace("topologyName: racks", "tolerations: []")
    found = staged(tmp_path, f"jobs: [{job('x', 1, ', topology: {unconstrained: true}')}]", bare)
    assert [f.message for f in found.outcome.report.findings if f.code == "SRC131"] == [
        "Scenario small: jobs x ask for a topology, and no flavor of ClusterQueue blue has one"
    ]


def test_what_a_scenario_may_not_ask_of_a_topology(tmp_path):
    for text, code in (
        ("{}", "SRC103"),
        ("{required: rack, preferred: rack}", "SRC105"),
        ("{slices: {level: rack}}", "SRC103"),
        ("{unconstrained: false}", "SRC104"),
    ):
        found = staged(tmp_path, f"jobs: [{job('x', 1, f', topology: {text}')}]", WORLD)
        assert found.ready is None
        assert code in {f.code for f in found.outcome.report.findings}, text
