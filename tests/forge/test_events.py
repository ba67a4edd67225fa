"""Events played through the workflow: what a pull request, its author or a stranger can and cannot bring about."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from playing import ACTIONS, WORKFLOWS, Hub, Job, git, pull_request
from stub_forge import Forge

TAKES = (("teams/blue/team.yaml", "gpus: 8}", "gpus: 16}"), ("teams/red/team.yaml", "gpus: 8}", "gpus: 0}"))
ADMINS = (
    "kohort.yaml",
    "admins: {groups: [platform-admins]}",
    "admins: {groups: [platform-admins], users: [alice]}",
)


def takes(hub):
    for edit in TAKES:
        hub.edit(*edit)


@pytest.fixture
def hub(tmp_path):
    return Hub(tmp_path / "hub")


@pytest.fixture
def forge():
    with Forge() as running:
        yield running


@pytest.fixture
def play(tmp_path, hub, forge):
    runs = []

    def run(head, job="plan", *, event="pull_request_target", **more):
        payload = more.pop("payload", None) or pull_request(hub, head, **more)
        forge.head = forge.head if forge.head != "c0ffee0000" else head
        runs.append(Job(tmp_path / f"run-{len(runs)}", hub, forge, payload, event))
        return runs[-1].play(job)

    return run


def body(forge):
    (comment,) = forge.comments
    return comment["body"]


def test_a_pull_request_gets_its_plan_its_comment_and_its_approvals(hub, forge, play):
    head = hub.propose(takes)
    job = play(head)
    assert not job.passed
    assert job.contexts["steps"]["plan"]["outputs"]["changes"] == "true"
    assert "8 → 16" in job.summary.read_text("utf-8")
    assert "comment: made" in job.said["Comment"]
    assert "8 → 16" in body(forge)
    assert (
        "team red: its guarantee falls by 8 GPUs (h100 on pokprod: 8 to 0) (open: Group red-leads)"
        in job.said["Who must still agree"]
    )
    (kept,) = job.used
    assert kept[1]["path"].endswith("/kohort-plan")
    assert sorted(file.name for file in (job.temp / "kohort-plan").iterdir()) == [
        "plan.html",
        "plan.json",
        "plan.md",
    ]

    forge.members = {("red-leads", "rita"), ("platform-admins", "carol")}
    forge.reviews = [{"login": name, "state": "APPROVED", "commit_id": head} for name in ("rita", "carol")]
    again = play(head)
    assert again.passed, again.said
    assert "comment: unchanged" in again.said["Comment"]


def test_a_pull_request_that_changes_nothing_passes_without_a_comment(hub, forge, play):
    job = play(hub.propose(), action="edited")
    assert job.passed, job.said
    assert job.contexts["steps"]["plan"]["outputs"]["changes"] == "false"
    assert forge.comments == []


def test_findings_and_errors_make_a_comment_too_and_the_check_red(hub, forge, play):
    job = play(hub.propose(lambda hub: hub.edit("teams/blue/team.yaml", "gpus: 8}", "gpus: 99}")))
    assert job.codes["Plan"] == 1
    assert job.contexts["steps"]["plan"]["outputs"]["changes"] == "true"
    assert "CAP901" in body(forge)
    assert "Who must still agree" not in job.said


def test_people_and_rules_are_the_branchs_as_it_is_when_the_run_is_started_again(hub, forge, play):
    """The payload is that of the old event: its base.sha is a commit at which alice was an admin."""
    hub.base = hub.move(lambda hub: hub.edit(*ADMINS))
    head = hub.propose(takes)
    forge.pushes = [("alice", head)]
    before = play(head)
    assert (
        "admins: team blue would be guaranteed 8 GPUs more of h100 on pokprod (agreed by the author)"
        in (before.said["Who must still agree"])
    )
    hub.move(lambda hub: hub.edit(ADMINS[0], ADMINS[2], ADMINS[1]))
    after = play(head)
    assert (
        "guaranteed 8 GPUs more of h100 on pokprod (open: Group platform-admins)"
        in (after.said["Who must still agree"])
    )


def test_nothing_of_the_change_is_run_or_believed(hub, forge, play):
    def hostile(hub):
        takes(hub)
        for name in ("sitecustomize.py", "kohort.py", "conftest.py"):
            (hub.path / name).write_text("open('/tmp/owned-by-a-pull-request', 'w')\n", "utf-8")
        (hub.path / ".gitattributes").write_text("* filter=x diff=y merge=z\n", "utf-8")
        (hub.path / "ci/constraints.txt").write_text("kohort==0\n", "utf-8")

    job = play(hub.propose(hostile))
    assert "8 → 16" in body(forge)
    assert not os.path.exists("/tmp/owned-by-a-pull-request")  # noqa: PTH110
    assert not job.passed


@pytest.mark.parametrize("head", ["", "$(touch owned)", "--output=/tmp/x", "refs/heads/main"])
def test_what_is_no_commit_is_refused_before_anything_runs(hub, play, head):
    real = hub.propose(takes)
    payload = pull_request(hub, head)
    payload["pull_request"]["head"]["sha"] = head
    job = play(real, payload=payload)
    assert job.codes["Plan"] == 2
    assert "base and head are commits" in job.said["Plan"]
    assert not (job.where / "owned").exists()


def test_an_event_without_a_pull_request_is_an_error_and_no_comment(hub, forge, play):
    job = play(hub.propose(), payload={"ref": "refs/heads/main"}, event="workflow_dispatch")
    assert not job.passed
    assert forge.comments == []
    assert "Comment" not in job.said


def test_a_merge_group_is_planned_as_a_whole_and_asks_nobody_again(hub, forge, play):
    head = hub.propose(takes)
    git(hub.path, "update-ref", "refs/heads/gh-readonly-queue/main/pr-7-1", head)
    group = {"head_sha": head, "head_ref": "refs/heads/gh-readonly-queue/main/pr-7-1", "base_sha": hub.base}
    payload = {"action": "checks_requested", "merge_group": group}
    job = play(head, payload=payload, event="merge_group")
    assert job.passed, job.said
    assert list(job.said) == ["Fetch the change as data", "Plan"]
    assert "8 → 16" in job.summary.read_text("utf-8")
    assert forge.comments == []


def test_the_check_looks_at_every_file_whatever_the_attributes_of_the_change_say(hub, play, tmp_path):
    """And its report goes to the pull request, with files named as they are there; links lead nowhere."""
    (tmp_path / "secret.yaml").write_text("kind: Secret\nsecret: hunter2\n", "utf-8")

    def hidden(hub):
        hub.edit("teams/blue/team.yaml", "gpus: 8}", "gpus: 99}")
        (hub.path / "teams/.gitattributes").write_text(
            "blue export-ignore\n*.yaml export-ignore eol=crlf text\n", "utf-8"
        )
        (hub.path / ".gitattributes").write_text("teams export-ignore\nkohort.yaml export-subst\n", "utf-8")
        (hub.path / "teams/blue/more.yaml").symlink_to(tmp_path / "secret.yaml")

    head = hub.propose(hidden)
    job = play(head, "check")
    assert job.codes["Check"] == 1
    assert "::error file=teams/blue/team.yaml,line=19,col=38" in job.said["Check"]
    assert "hunter2" not in job.said["Check"]
    ((uses, given),) = job.used
    assert uses == "github/codeql-action/upload-sarif"
    assert (given["ref"], given["sha"]) == ("refs/pull/7/head", head)
    assert given["checkout_path"] == f"{job.temp}/change"
    results = json.loads((job.temp / "kohort.sarif").read_text("utf-8"))["runs"][0]["results"]
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in results]
    assert {"uri": "teams/blue/team.yaml", "uriBaseId": "%SRCROOT%"} in places
    assert not [each for each in places if each["uri"].startswith(("/", "file:"))]
    assert "CAP901" in job.summary.read_text("utf-8")


def test_plain_manifests_are_checked_without_a_repository(tmp_path):
    """The action alone, as in a repository of somebody else's shape."""
    (tmp_path / "queue.yaml").write_text(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: a}\nspec: {cohortName: 'A B'}\n",
        "utf-8",
    )
    steps = {step.get("name"): step for step in ACTIONS["kohort/kohort"]["runs"]["steps"]}
    env = {
        "PATH": os.environ["PATH"], "ROOT": str(tmp_path), "TARGET": ".", "NODES": "", "FAIL_ON": "error",
        "RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "o"), "GITHUB_STEP_SUMMARY": str(tmp_path / "s"),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", steps["Check"]["run"]],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "::error file=queue.yaml,line=4" in done.stdout


FAKE_GH = """#!/usr/bin/env python3
import json, os, re, sys
said = sys.argv[1:]
print(*said, file=open(os.environ["GH_LOG"], "a"))
if said[:2] == ["run", "list"]:
    (wanted,) = re.findall(r'^map[(]select[(].displayTitle == "([^"]*)"[)][)]\\[0\\].databaseId // empty$', said[-1])
    found = [run["databaseId"] for run in json.loads(os.environ["GH_RUNS"]) if run["displayTitle"] == wanted]
    print(*found[:1])
if said[:2] == ["run", "watch"]:
    sys.exit(1)
"""


@pytest.mark.parametrize(
    ("title", "code", "started"),
    [
        ("kohort review of 7", 0, "run rerun 12"),
        ("kohort review of 8", 0, ""),
        ("kohort review of 7; touch owned", 1, ""),
        ("kohort review of ", 1, ""),
        ('kohort review of 7") | .[]', 1, ""),
        ("something else", 1, ""),
    ],
)
def test_a_review_starts_the_last_plan_of_its_pull_request_again(tmp_path, title, code, started):
    (step,) = WORKFLOWS["kohort-again"]["jobs"]["again"]["steps"]
    runs = [
        {"databaseId": n, "displayTitle": f"kohort plan of {of}"} for n, of in ((13, 77), (12, 7), (11, 7))
    ]
    tool, log = tmp_path / "gh", tmp_path / "log"
    tool.write_text(FAKE_GH, "utf-8")
    tool.chmod(0o755)
    log.touch()
    env = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}", "GH_LOG": str(log), "GH_RUNS": json.dumps(runs),
        "RUNNER_TEMP": str(tmp_path), "TITLE": title,
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    said = log.read_text("utf-8")
    assert ("run rerun" in said) is bool(started)
    assert started in said
    assert not (tmp_path / "owned").exists()


def test_the_names_by_which_the_workflows_find_each_other():
    flows = WORKFLOWS
    assert flows["kohort-again"][True]["workflow_run"]["workflows"] == [flows["kohort-review"]["name"]]
    assert flows["kohort"]["run-name"].startswith("kohort plan of ${{ github.event.pull_request.number ||")
    assert flows["kohort-review"]["run-name"] == "kohort review of ${{ github.event.pull_request.number }}"
    assert "--workflow kohort.yml" in flows["kohort-again"]["jobs"]["again"]["steps"][0]["run"]
