"""The GitHub action and workflow, played here: event payloads, the shell of every step, a stub of the forge's API."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from stub_forge import Forge

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "ci/github/plan/action.yml").read_text("utf-8"))
WORKFLOW_FILE = ROOT / "ci/github/workflows/kohort.yml"
WORKFLOW = yaml.safe_load(WORKFLOW_FILE.read_text("utf-8"))
SOURCES = ("kohort.yaml", "clusters", "queues", "teams", "workloads", "ci/policies", "ci/exceptions")
EXPRESSION = re.compile(r"\$\{\{\s*([^}]*?)\s*\}\}")


def git(repository, *arguments):
    identity = ["-c", "user.name=alice", "-c", "user.email=alice@example.com", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", repository, *identity, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def pull_request(tmp_path_factory):
    """A repository at its base, with the commit of a pull request only among Git's objects."""
    root = tmp_path_factory.mktemp("repository")
    for name in SOURCES:
        source, target = ROOT / name, root / name
        if source.is_dir():
            shutil.copytree(source, target)
        elif source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "base")
    base = git(root, "rev-parse", "HEAD")
    for team, gpus in (("blue", 16), ("red", 0)):
        file = root / f"teams/{team}/team.yaml"
        file.write_text(file.read_text("utf-8").replace("gpus: 8}", f"gpus: {gpus}}}"), "utf-8")
    git(root, "commit", "--quiet", "--all", "--message", "blue takes the GPUs of red")
    head = git(root, "rev-parse", "HEAD")
    git(root, "reset", "--quiet", "--hard", base)
    return root, base, head


class Run:
    """One job run: what GitHub would set, and the outputs of its steps."""

    def __init__(self, folder, where, forge, context):
        self.where, self.context = where, context
        self.output, self.summary = folder / "output", folder / "summary"
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_REPOSITORY": "example/quota",
            "GITHUB_API_URL": forge.url,
            "PYTHONUTF8": "1",
        }
        (folder / "temp").mkdir()

    def step(self, step):
        """Run the shell of a step as GitHub's bash does; expressions only where they may stand: in `env`."""
        assert not EXPRESSION.search(step["run"]), "an expression in a script is code from whoever fills it"
        env = {
            name: EXPRESSION.sub(lambda m: self.context[m.group(1)], text)
            for name, text in step.get("env", {}).items()
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.where,
            env=self.environment | env,
            capture_output=True,
            text=True,
            check=False,
        )

    def outputs(self):
        return dict(line.split("=", 1) for line in self.output.read_text("utf-8").splitlines())


def named(steps, name):
    return next(step for step in steps if step.get("name") == name)


def played(tmp_path, where, forge, base, head, actor="alice"):
    context = {
        "inputs.base": base,
        "inputs.head": head,
        "inputs.path": ".",
        "inputs.actor": actor,
        "github.token": "ghs_secret",
        "github.event.pull_request.number": "7",
        "github.event.pull_request.head.sha": head,
    }
    return Run(tmp_path, where, forge, context)


def test_a_pull_request_gets_its_plan_its_comment_and_its_approvals(tmp_path, pull_request):
    where, base, head = pull_request
    steps = WORKFLOW["jobs"]["plan"]["steps"]
    with Forge() as forge:
        forge.head = head
        run = played(tmp_path, where, forge, base, head)
        done = run.step(named(ACTION["runs"]["steps"], "Plan"))
        assert done.returncode == 0, done.stderr
        outputs = run.outputs()
        assert outputs["changes"] == "true"
        assert "8 → 16" in run.summary.read_text("utf-8")
        run.context |= {f"steps.plan.outputs.{name}": value for name, value in outputs.items()}

        for said in ("made", "unchanged"):
            done = run.step(named(steps, "Comment"))
            assert done.returncode == 0, done.stderr
            assert f"comment: {said}" in done.stderr
        (comment,) = forge.comments
        assert "blue" in comment["body"]
        assert "8 → 16" in comment["body"]

        done = run.step(named(steps, "Who must still agree"))
        assert done.returncode == 1
        assert (
            "team red: its guarantee falls by 8 GPUs (h100 on pokprod: 8 to 0) (open: Group red-leads)"
            in done.stdout
        )

        forge.members = {("red-leads", "rita"), ("platform-admins", "carol")}
        forge.reviews = [
            {"login": name, "state": "APPROVED", "commit_id": head} for name in ("rita", "carol")
        ]
        done = run.step(named(steps, "Who must still agree"))
        assert done.returncode == 0, done.stdout


def test_a_pull_request_that_changes_nothing_gets_no_comment(tmp_path, pull_request):
    where, base, _ = pull_request
    with Forge() as forge:
        run = played(tmp_path, where, forge, base, base)
        done = run.step(named(ACTION["runs"]["steps"], "Plan"))
        assert done.returncode == 0, done.stderr
        assert run.outputs()["changes"] == "false"
        run.context["steps.plan.outputs.markdown"] = run.outputs()["markdown"]
        done = run.step(named(WORKFLOW["jobs"]["plan"]["steps"], "Comment"))
        assert done.returncode == 0, done.stderr
        assert forge.comments == []


@pytest.mark.parametrize(
    "head", ["$(touch owned)", "main; touch owned", "--output=/tmp/x", "refs/heads/main"]
)
def test_what_is_no_commit_is_refused_before_anything_runs(tmp_path, pull_request, head):
    where, base, _ = pull_request
    with Forge() as forge:
        done = played(tmp_path, where, forge, base, head).step(named(ACTION["runs"]["steps"], "Plan"))
    assert done.returncode == 2
    assert "base and head are commits" in done.stdout
    assert not (where / "owned").exists()


def test_no_script_holds_an_expression_and_no_credentials_stay_in_the_checkout():
    for job in WORKFLOW["jobs"].values():
        for step in job["steps"]:
            assert not EXPRESSION.search(step.get("run", ""))
            if str(step.get("uses", "")).startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
                assert step["with"]["ref"] == "${{ github.event.pull_request.base.sha }}"


def test_every_action_is_pinned_to_a_commit():
    steps = [s for job in WORKFLOW["jobs"].values() for s in job["steps"]] + ACTION["runs"]["steps"]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each) for each in used)


def test_zizmor_finds_nothing():
    files = [WORKFLOW_FILE, ROOT / "action.yml", ROOT / "ci/github/plan/action.yml"]
    tool = Path(sys.executable).parent / "zizmor"
    done = subprocess.run(
        [tool, "--offline", "--no-progress", "--persona", "pedantic", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "dangerous-triggers" in WORKFLOW_FILE.read_text("utf-8")  # the one that is meant, and says why
