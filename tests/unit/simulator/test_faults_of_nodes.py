"""What node failures do to jobs: AppWrapper's resets and their limits, plain jobs, checkpoints, slack."""

from __future__ import annotations

import pytest
from small_world import KEY, NODES, QUOTA, WORLD, jobs_of, node, played, queue

from kohort.simulator.record import End, Outcome

MINUTE = 60_000
HOUR = 60 * MINUTE
SILENT = 350_000  # 50 s until NotReady is believed, 300 s until pods are evicted


def only(run, key="blue/a-1"):
    return jobs_of(run)[key]


def ends(job):
    return [attempt.end for attempt in job.attempts]


JOB = "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, pods: 2, duration: 1h%s}]\n"
WRAPPED = JOB % ", restarts: {pause: 90s, limit: 3}"


def test_a_lost_node_takes_its_pods_after_the_graces_and_costs_a_retry(tmp_path):
    run = played(tmp_path, WRAPPED + "nodes: [{at: 10m, node: n0, ready: false}]")
    job = only(run)
    first, second = job.attempts
    assert first.end is End.NODE_LOST
    assert first.nodes == ("n0", "n1")
    lost = 10 * MINUTE + SILENT
    assert first.ended == -(-lost // MINUTE) * MINUTE  # AppWrapper looks once a minute
    assert second.started == first.ended + 10 * MINUTE  # pods of a lost node are deleted by force only then
    assert second.nodes == ("n1", "n2")
    assert (job.resets, first.kept) == (1, 0)
    assert job.finished == second.started + HOUR


def test_a_node_that_is_back_in_time_moves_nobody(tmp_path):
    run = played(tmp_path, WRAPPED + "nodes: [{at: 10m, node: n0, ready: false, for: 5m}]")
    assert ends(only(run)) == [End.SUCCEEDED]
    assert only(run).finished == HOUR


def test_a_plain_job_makes_its_pods_anew_at_once(tmp_path):
    run = played(tmp_path, JOB % "" + "nodes: [{at: 10m, node: n0, ready: false}]")
    first, second = only(run).attempts
    assert first.ended == second.started == 10 * MINUTE + SILENT
    assert second.nodes == ("n1", "n2")


def test_a_checkpoint_keeps_what_was_done_before_it(tmp_path):
    run = played(
        tmp_path,
        JOB % ", checkpoint: 4m, startup: 1m" + "nodes: [{at: 10m, node: n0, ready: false}]",
    )
    first, second = only(run).attempts
    assert (
        first.kept == 8 * MINUTE
    )  # work stopped at 10 min, one of them the start-up: 9, of which 8 are saved
    assert second.kept == 52 * MINUTE
    assert only(run).finished == second.started + MINUTE + 52 * MINUTE


def test_an_evicting_label_moves_wrapped_work_without_a_retry_and_plain_work_not_at_all(tmp_path):
    event = f"nodes: [{{at: 10m30s, node: n0, labels: {{{KEY}: EVICT}}}}]"
    wrapped = only(played(tmp_path, WRAPPED + event))
    assert ends(wrapped) == [End.NODE_UNHEALTHY, End.SUCCEEDED]
    assert wrapped.attempts[0].ended == 11 * MINUTE
    assert wrapped.attempts[1].started == 11 * MINUTE + 90_000
    assert wrapped.attempts[1].nodes == ("n1", "n2")
    assert wrapped.resets == 0
    assert ends(only(played(tmp_path, JOB % "" + event))) == [End.SUCCEEDED]


@pytest.mark.parametrize(
    "event", ["cordon: true", f"labels: {{{KEY}: TESTING}}", "lost: {nvidia.com/gpu: 2}"]
)
def test_other_faults_move_nobody(tmp_path, event):
    run = played(tmp_path, WRAPPED + f"nodes: [{{at: 10m, node: n0, {event}}}]")
    assert ends(only(run)) == [End.SUCCEEDED]
    assert run.capacity[-2 if "lost" in event else -1].healthy == (22 if "lost" in event else 16)


def test_a_failing_job_is_reset_to_its_limit_and_then_fails(tmp_path):
    """A21: two resets, then Failed; AppWrapper looks once a minute."""
    spec = "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, gpus: 1, duration: 1s, fails: true, restarts: {limit: 2, pause: 1s}}]"
    job = only(played(tmp_path, spec))
    assert ends(job) == [End.FAILED] * 3
    assert (job.resets, job.outcome) == (2, Outcome.FAILED)
    assert job.finished == 182_000  # the lab measured 182.8 s


def test_a_failing_plain_job_fails_at_once(tmp_path):
    spec = "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, gpus: 1, duration: 1s, fails: true}]"
    job = only(played(tmp_path, spec))
    assert (ends(job), job.finished) == ([End.FAILED], 1000)


def test_pods_without_nodes_are_reset_after_the_warmup_until_the_job_fails(tmp_path):
    run = played(tmp_path, WRAPPED.replace("limit: 3", "limit: 1"), QUOTA + node("n0"))
    job = only(run)
    assert ends(job) == [End.NOT_PLACED] * 2
    assert job.attempts[0].ended == 5 * MINUTE
    assert job.attempts[1].ended == 5 * MINUTE + 90_000 + 5 * MINUTE
    assert (job.outcome, job.finished) == (Outcome.FAILED, 690_000)
    assert all(attempt.started == -1 for attempt in job.attempts)


def test_a_plain_job_without_nodes_is_evicted_by_kueue_after_half_an_hour(tmp_path):
    """waitForPodsReady is on by default from Kueue 0.19 on."""
    run = played(tmp_path, JOB % "", QUOTA + node("n0"), horizon="40m")
    first = only(run).attempts[0]
    assert (first.end, first.reason, first.ended) == (End.EVICTED, "PodsReadyTimeout", 30 * MINUTE)


def test_nodes_free_again_start_who_waits(tmp_path):
    spec = (
        "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, duration: 1h}\n"
        "- {name: b, namespace: red, queue: lq, at: 1m, gpus: 8, duration: 10m}\n"
    )
    job = only(played(tmp_path, spec, QUOTA + node("n0"), horizon="2h"), "red/b-1")
    (late,) = [attempt for attempt in job.attempts if attempt.started >= 0]
    assert late.started >= HOUR
    assert job.outcome is Outcome.SUCCEEDED


def test_without_nodes_quota_alone_decides_and_the_answer_says_so(tmp_path):
    run = played(tmp_path, WRAPPED, QUOTA)
    assert not run.placed
    assert run.notes == (
        "no nodes are known: quota alone decided, and pods ran as soon as their job was admitted",
    )
    assert only(run).attempts[0].nodes == ()
    assert run.capacity == ()


def test_quota_edits_take_effect_when_they_come(tmp_path):
    spec = (
        "jobs: [{name: a, namespace: red, queue: lq, at: 0s, count: 3, gpus: 8, duration: 1h}]\n"
        "changes:\n"
        "- {at: 0s, clusterQueue: red, flavor: gpu, borrow: {nvidia.com/gpu: 0}}\n"
        "- {at: 10m, clusterQueue: red, flavor: gpu, nominal: {nvidia.com/gpu: 16}}\n"
        "- {at: 20m, clusterQueue: red, flavor: gpu, borrow: {nvidia.com/gpu: any}}\n"
    )
    jobs = jobs_of(played(tmp_path, spec))
    admitted = [jobs[f"red/a-{n}"].attempts[0].admitted // MINUTE for n in (1, 2, 3)]
    assert admitted == [0, 10, 20]


def test_objects_come_and_go(tmp_path):
    spec = (
        "jobs: [{name: a, namespace: red, queue: lq, at: [0s, 30m], gpus: 8, duration: 10m}]\n"
        "changes: [{at: 20m, remove: {kind: LocalQueue, namespace: red, name: lq}}]"
    )
    jobs = jobs_of(played(tmp_path, spec))
    assert jobs["red/a-1"].outcome is Outcome.SUCCEEDED
    assert jobs["red/a-2"].outcome is Outcome.WAITING


def test_slack_lends_what_is_healthy_beyond_the_guarantees(tmp_path):
    """A9: without what slack lends blue stops at its own; nobody is evicted for it."""
    world = (
        QUOTA.replace("nominalQuota: 16", "nominalQuota: 8")
        + queue("slack", 8).split("---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue")[0]
    )
    spec = (
        "slack: {followsAfter: 5m}\n"
        "jobs: [{name: a, namespace: blue, queue: lq, at: [0s, 1m, 20m, 21m, 22m], gpus: 8, duration: 10m}]\n"
        "nodes: [{at: 2m, node: n2, cordon: true, for: 30m}]"
    )
    run = played(tmp_path, spec, world + NODES)
    changed = [(line.at, line.about) for line in run.timeline if line.what == "changed"]
    assert changed == [(7 * MINUTE, "ClusterQueue slack"), (37 * MINUTE, "ClusterQueue slack")]
    jobs = jobs_of(run)
    admitted = [jobs[f"blue/a-{n}"].attempts[0].admitted // MINUTE for n in range(1, 6)]
    assert admitted[:4] == [0, 1, 20, 21]  # 16 GPUs: its own and what red lends
    assert admitted[4] >= 30  # a third waits, since slack lends nothing while a node is out


def test_priorities_preempt_and_the_victim_runs_again(tmp_path):
    spec = (
        "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, pods: 3, duration: 1h}\n"
        "- {name: b, namespace: blue, queue: lq, at: 10m, gpus: 8, duration: 5m, priority: high}\n"
    )
    jobs = jobs_of(played(tmp_path, spec, WORLD))
    first, second = jobs["blue/a-1"].attempts
    assert (first.end, first.reason, first.by) == (End.EVICTED, "InClusterQueue", "blue/b-1")
    assert first.ended == jobs["blue/b-1"].attempts[0].started == 10 * MINUTE
    assert second.started >= 15 * MINUTE
