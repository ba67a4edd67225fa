"""What the actions and workflows are made of: pins, rights, no code from strangers, credentials, and zizmor's judgement."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playing import ACTIONS, ROOT, WORKFLOWS

FILES = [
    ROOT / "action.yml",
    ROOT / "ci/github/plan/action.yml",
    *(ROOT / "ci/github/workflows").glob("*.yml"),
]
JOBS = [job for flow in WORKFLOWS.values() for job in flow["jobs"].values()]
STEPS = [step for job in JOBS for step in job["steps"]]
ALL = STEPS + [step for action in ACTIONS.values() for step in action["runs"]["steps"]]


def test_no_script_holds_an_expression_and_no_credentials_stay_in_the_checkout():
    assert not [step for step in ALL if "${{" in step.get("run", "")]
    checkouts = [step for step in STEPS if str(step.get("uses", "")).startswith("actions/checkout@")]
    assert len(checkouts) == 2
    for step in checkouts:
        assert step["with"]["persist-credentials"] is False
        assert step["with"]["ref"] == (
            "${{ github.event.pull_request.base.ref || github.event.merge_group.base_sha }}"
        )


def test_every_action_is_pinned_to_a_commit():
    used = [step["uses"] for step in ALL if "uses" in step]
    assert len(used) == 8
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each) for each in used)


@pytest.mark.parametrize(
    "file", ["action.yml", "ci/github/plan/action.yml", "ci/gitlab.yml", "docs/forges.md"]
)
def test_a_run_says_its_day_so_that_grants_and_exceptions_end(file):
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    commands = re.findall(r"^ *(?:- )?(kohort (?:check|plan) .*)$", text, re.MULTILINE)
    assert commands
    arguments = re.findall(r"^ *arguments=.*$", text, re.MULTILINE)
    assert all('--at "$(date -u +%F)"' in each for each in arguments or commands)


def test_no_job_is_left_out_by_a_condition_since_that_counts_as_passed():
    assert not [job for job in JOBS if "if" in job]


def test_rights_are_given_per_job_and_are_few():
    assert all(flow["permissions"] == {} for flow in WORKFLOWS.values())
    given = {
        (name, job): rights.get("permissions", {})
        for name, flow in WORKFLOWS.items()
        for job, rights in flow["jobs"].items()
    }
    assert given == {
        ("kohort", "plan"): {"contents": "read", "pull-requests": "write"},
        ("kohort", "check"): {"contents": "read", "security-events": "write"},
        ("kohort-review", "review"): {},
        ("kohort-again", "again"): {"actions": "write"},
    }


def test_a_change_of_the_base_branch_is_planned_anew():
    """What was agreed to for another branch would stay green, since a check belongs to the commit alone."""
    events = WORKFLOWS["kohort"][True]  # YAML 1.1 reads the key `on` so
    assert events["pull_request_target"]["types"] == [
        "opened", "synchronize", "reopened", "ready_for_review", "edited",
    ]  # fmt: skip
    assert "merge_group" in events
    assert "pull_request" not in events


def test_what_builds_it_is_pinned_as_what_runs_it_is():
    installs = [step for step in ALL if step.get("name") == "Install"]
    assert len(installs) == 2
    for step in installs:
        assert step["env"]["PIP_CONSTRAINT"] == step["env"]["PIP_BUILD_CONSTRAINT"]
        assert step["env"]["PIP_CONSTRAINT"].endswith("/constraints.txt")
    assert "hatchling==" in (ROOT / "ci/constraints.txt").read_text("utf-8")


def test_zizmor_finds_nothing():
    tool = Path(sys.executable).parent / "zizmor"
    done = subprocess.run(
        [tool, "--offline", "--no-progress", "--persona", "pedantic", *FILES],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    meant = [file.name for file in FILES if "zizmor: ignore" in file.read_text("utf-8")]
    assert sorted(meant) == ["kohort-again.yml", "kohort.yml"]  # the ones that are meant, and say why
