"""GitLab's jobs and the examples for Bitbucket, plain shells and pre-commit: the scripts that are shown are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from playing import ROOT, Hub, git
from stub_forge import Forge

GITLAB = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
PAGE = (ROOT / "docs/forges.md").read_text("utf-8")
PINNED = "kohort @ git+https://github.com/kohort/kohort@" + "0" * 40


def block(after, language):
    """The first code block below a heading."""
    below = PAGE.partition(f"\n## {after}\n")[2]
    return re.search(rf"```{language}\n(.*?)```", below, re.DOTALL).group(1)


def takes(hub):
    hub.edit("teams/blue/team.yaml", "gpus: 8}", "gpus: 16}")
    hub.edit("teams/red/team.yaml", "gpus: 8}", "gpus: 0}")


@pytest.fixture
def hub(tmp_path):
    return Hub(tmp_path / "hub")


@pytest.fixture
def forge():
    with Forge() as running:
        running.token = "glpat-1"
        yield running


def clone(hub, folder, head):
    """What a runner lays out: the change's commit, detached, with the branch it goes to only at its origin."""
    git(hub.server, "clone", "--quiet", "--no-checkout", hub.path, folder)
    git(folder, "fetch", "--quiet", "origin", "refs/pull/7/head")
    git(folder, "checkout", "--quiet", "--detach", head)
    git(folder, "branch", "--quiet", "--delete", "--force", "main")
    return folder


def run(script, where, **variables):
    """As a runner does: all lines in one shell, which ends with the first that fails. Nothing is installed."""
    tools = where.parent / "tools"
    tools.mkdir(exist_ok=True)
    for name in ("apt-get", "pip"):
        (tools / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "$TOOLS_LOG"\n', "utf-8")
        (tools / name).chmod(0o755)
    env = {
        "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(where.parent),
        "TOOLS_LOG": str(where.parent / "tools.log"),
        "PYTHONUTF8": "1",
        **variables,
    }
    lines = script if isinstance(script, str) else "\n".join(script)
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", lines],
        cwd=where,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def merge_request(where, head, forge, **more):
    return {
        "CI_PROJECT_DIR": str(where),
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_COMMIT_SHA": head,
        "CI_API_V4_URL": forge.url,
        "GITLAB_USER_LOGIN": "alice",
        "KOHORT_PATH": ".",
        **more,
    }


def test_a_merge_request_gets_its_plan_and_its_comment(hub, forge, tmp_path):
    head = hub.propose(takes)
    where = clone(hub, tmp_path / "work", head)
    variables = merge_request(where, head, forge, KOHORT_TOKEN="glpat-1")
    done = run(GITLAB["kohort-plan"]["script"], where, **variables)
    assert done.returncode == 0, done.stderr
    assert "8 → 16 GPUs" in done.stdout
    assert sorted(file.name for file in where.glob("plan.*")) == sorted(
        GITLAB["kohort-plan"]["artifacts"]["paths"]
    )
    (note,) = forge.comments
    assert note["login"] == "quota-bot"
    assert "8 | 16" in note["body"]


def test_a_fork_is_compared_with_the_project_it_goes_to_and_writes_no_comment(hub, forge, tmp_path):
    """In the fork's own pipeline `origin` is the fork, whose branches its owner writes."""
    head = hub.propose(takes)
    fork = Hub(tmp_path / "fork")
    fork.move(lambda hub: hub.edit("kohort.yaml", "[platform-admins]", "[platform-admins, mallorys]"))
    where = clone(hub, tmp_path / "work", head)
    git(where, "remote", "set-url", "origin", fork.path)
    variables = merge_request(
        where, head, forge, CI_PROJECT_ID="43", CI_MERGE_REQUEST_PROJECT_URL=f"file://{hub.path}"
    )
    done = run(GITLAB["kohort-plan"]["script"], where, **variables)
    assert done.returncode == 0, done.stderr
    assert "mallorys" not in (where / "plan.json").read_text("utf-8")
    assert "Group platform-admins" in (where / "plan.json").read_text("utf-8")
    assert forge.comments == []


def test_a_repository_in_a_folder_leaves_its_artifacts_where_gitlab_looks(hub, forge, tmp_path):
    inside = hub.path / "quota"
    inside.mkdir()
    for name in ("kohort.yaml", "clusters", "queues", "teams", "workloads"):
        (hub.path / name).rename(inside / name)
    hub.commit("in a folder")
    head = hub.propose(lambda hub: hub.edit("quota/teams/blue/team.yaml", "gpus: 8}", "gpus: 99}"))
    where = clone(hub, tmp_path / "work", head)
    done = run(
        GITLAB["kohort-plan"]["script"], where, **merge_request(where, head, forge, KOHORT_PATH="quota")
    )
    assert done.returncode == 1, done.stderr
    assert "CAP901" in (where / "plan.md").read_text("utf-8")


def test_what_is_installed_is_named_by_commit_everywhere():
    """No registry holds a package of this name that is known to be ours."""
    job = GITLAB[".kohort"]
    assert job["variables"]["KOHORT"] == PINNED
    assert job["before_script"][-1] == 'pip install --quiet "$KOHORT"'
    bitbucket = yaml.safe_load(block("Bitbucket", "yaml"))
    (step,) = bitbucket["pipelines"]["pull-requests"]["**"]
    assert f'pip install --quiet "{PINNED}"' in step["step"]["script"]
    assert not re.findall(
        r"pip install (?:--quiet )?kohort\b(?! @)", PAGE + (ROOT / "README.md").read_text("utf-8")
    )


def test_what_gitlab_is_told_is_what_it_knows():
    for name, job in GITLAB.items():
        known = {"extends", "image", "variables", "before_script", "rules", "script", "artifacts"}
        assert set(job) <= known, name
        assert all(isinstance(line, str) for line in (*job.get("script", ()), *job.get("before_script", ())))
        assert all(set(rule) == {"if"} for rule in job.get("rules", ()))
    assert set(GITLAB["kohort"]["artifacts"]["reports"]) == {"codequality", "junit"}


def test_bitbuckets_script(hub, tmp_path):
    head = hub.propose(takes)
    where = clone(hub, tmp_path / "work", head)
    pipeline = yaml.safe_load(block("Bitbucket", "yaml"))
    assert pipeline["clone"] == {"depth": "full"}
    (step,) = pipeline["pipelines"]["pull-requests"]["**"]
    done = run(step["step"]["script"], where, BITBUCKET_PR_DESTINATION_BRANCH="main", BITBUCKET_COMMIT=head)
    assert done.returncode == 0, done.stderr
    assert "8 → 16 GPUs" in done.stdout
    assert "8 | 16" in (where / step["step"]["artifacts"][0]).read_text("utf-8")
    assert (tmp_path / "tools.log").read_text("utf-8").count("pip install") == 1


def test_the_script_for_anywhere(hub, tmp_path):
    head = hub.propose(takes)
    where = clone(hub, tmp_path / "work", head)
    script = block("Anywhere", "bash")
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=where,
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "REVIEWER": "rita",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert (
        "team red: its guarantee falls by 8 GPUs (h100 on pokprod: 8 to 0) (open: Group red-leads)"
        in done.stdout
    )


def test_the_hooks_that_are_shown_are_those_that_there_are():
    (shown,) = yaml.safe_load(block("Before a commit", "yaml"))["repos"]
    assert [hook["id"] for hook in shown["hooks"]] == [hook["id"] for hook in HOOKS]
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False
        matches = re.compile(hook["files"])
        changes = (
            "kohort.yaml",
            "teams/blue/team.yaml",
            "clusters/pokprod/inventory.yml",
            "queues/cohorts.yaml",
        )
        assert all(matches.search(file) for file in (*changes, "workloads/a/b.yaml", "ci/policies/p.yaml"))
        assert not any(matches.search(file) for file in ("README.md", "docs/x.yaml", "teams/blue/notes.md"))
