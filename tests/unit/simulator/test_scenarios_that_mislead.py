"""Scenarios in which something stands for nothing: a run that went on would tell what nobody asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from small_world import staged

from kohort.cli.simulate import command
from kohort.engine.usage import UsageProblem

JOB = "jobs: [{name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, duration: 1h}]"


def messages(found) -> list[tuple[str, str, int]]:
    places = found.outcome.places
    return [(f.code, f.message, places.span(f.primary.origin).line) for f in found.outcome.report.findings]


def rewrite(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


def test_two_sources_of_one_name_would_submit_the_same_jobs(tmp_path):
    twice = "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 1, duration: 1h}\n"
    found = staged(tmp_path, twice + twice.splitlines()[1].replace("blue", "red"))
    assert found.ready is None
    assert messages(found) == [
        (
            "SRC105",
            "Scenario small: spec.jobs[1].name `a` is the name of jobs[0] already: their jobs would be one and the same",
            9,
        )
    ]


def test_a_team_that_cannot_be_read_is_named_before_anything_is_played(organisation):
    rewrite(organisation / "teams/blue/team.yaml", "namespaces: [blue]", "namespaces: []")
    with pytest.raises(UsageProblem, match=r"^Team blue cannot be read; `kohort check` says why$"):
        CliRunner().invoke(command, ["tutorial"], catch_exceptions=False, standalone_mode=False)


def test_a_team_whose_namespace_another_took_has_no_queue(organisation):
    rewrite(organisation / "teams/blue/team.yaml", "namespaces: [blue]", "namespaces: [red]")
    done = CliRunner().invoke(command, ["tutorial"], catch_exceptions=False, standalone_mode=False)
    assert done.return_value == 1
    assert (
        "jobs large have no queue: nothing could be compiled for queue red of team red on pokprod"
        in done.output
    )
    assert "error[CMP102]: team red claims namespace red, which is team blue's" in done.output


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            "{at: 1h, remove: {kind: LocalQueue, namespace: blue, name: qq}}",
            "SRC131",
            "there is no LocalQueue blue/qq; did you mean `blue/lq`?",
        ),
        (
            "{at: 1h, remove: {kind: LocalQeue, namespace: blue, name: lq}}",
            "SRC131",
            "no run follows objects of kind `LocalQeue`; did you mean `LocalQueue`?",
        ),
        ("{at: 1h, apply: {kind: Cohort}}", "SRC103", "spec.changes[0].apply lacks `apiVersion`"),
        (
            "{at: 1h, apply: {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: all}}",
            "SRC103",
            "spec.changes[0].apply lacks `metadata.name`",
        ),
    ],
)
def test_a_change_that_would_do_nothing_is_an_error_at_its_line(tmp_path, change, code, message):
    found = staged(tmp_path, f"{JOB}\nchanges:\n- {change}")
    assert found.ready is None
    assert messages(found) == [(code, f"Scenario small: {message}", 9)]


def test_what_a_server_would_refuse_is_not_applied_in_a_run_either(tmp_path):
    queue = "metadata: {name: red}, spec: {cohortName: all, namespaceSelector: {}, queueingStrategy: Best}"
    change = f"{{at: 1h, apply: {{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, {queue}}}}}"
    found = staged(tmp_path, f"{JOB}\nchanges:\n- {change}")
    assert found.ready is None
    assert [(code, line) for code, _, line in messages(found)] == [("KUE204", 9)]


def test_what_was_removed_before_can_come_back_and_go_again(tmp_path):
    queue = "{kind: LocalQueue, namespace: blue, name: lq}"
    again = (
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: blue}, "
        "spec: {clusterQueue: blue}}"
    )
    lines = [
        f"- {{at: 10m, remove: {queue}}}",
        f"- {{at: 20m, apply: {again}}}",
        f"- {{at: 30m, remove: {queue}}}",
    ]
    good = staged(tmp_path, "\n".join([JOB, "changes:", *lines]))
    assert good.ready is not None
    bad = staged(tmp_path, "\n".join([JOB, "changes:", *lines, f"- {{at: 40m, remove: {queue}}}"]))
    assert messages(bad) == [("SRC131", "Scenario small: there is no LocalQueue blue/lq", 12)]


def test_jobs_of_two_traces_and_of_a_source_keep_apart(tmp_path):
    head = "JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|NNodes|AllocTRES|State\n"
    row = "1|ann|x|gpu|2026-01-05T00:00:00|2026-01-05T00:00:00|2026-01-05T01:00:00|3600|1|cpu=1,gres/gpu=1|COMPLETED\n"
    (tmp_path / "one.txt").write_text(head + row, "utf-8")
    (tmp_path / "two.txt").write_text(head + row, "utf-8")
    text = (
        "jobs: [{name: slurm, namespace: blue, queue: lq, at: 0s, gpus: 1, duration: 1h}]\n"
        "traces:\n- {format: slurm, file: one.txt, queues: {'*': blue/lq}}\n- {format: slurm, file: two.txt, queues: {'*': blue/lq}}"
    )
    found = staged(tmp_path, text)
    assert found.ready is not None
    assert [job.name for job in found.ready.load] == ["slurm-1-2-of-trace", "slurm-1-3-of-trace"]
