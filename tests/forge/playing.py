"""Plays a job of our workflow on an event: Git, the shell of every step, our own actions, a stub of the forge's API."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml
from expressions import filled, holds

ROOT = Path(__file__).resolve().parents[2]
ACTIONS = {
    "kohort/kohort/ci/github/plan": yaml.safe_load((ROOT / "ci/github/plan/action.yml").read_text("utf-8")),
    "kohort/kohort": yaml.safe_load((ROOT / "action.yml").read_text("utf-8")),
}
WORKFLOWS = {
    file.stem: yaml.safe_load(file.read_text("utf-8"))
    for file in (ROOT / "ci/github/workflows").glob("*.yml")
}
SOURCES = ("kohort.yaml", "clusters", "queues", "teams", "workloads", "ci/policies", "ci/exceptions")


def git(repository, *arguments):
    identity = ["-c", "user.name=alice", "-c", "user.email=alice@example.com", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", repository, *identity, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


class Hub:
    """The repository on the forge, with its branch and the commits of one pull request (number 7)."""

    def __init__(self, folder):
        self.server = folder
        self.path = folder / "example" / "quota"
        self.path.mkdir(parents=True)
        for name in SOURCES:
            source, target = ROOT / name, self.path / name
            if source.is_dir():
                shutil.copytree(source, target)
            elif source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        git(self.path, "init", "--quiet", "--initial-branch=main")
        self.base = self.commit("base")

    def edit(self, file, old, new):
        path = self.path / file
        text = path.read_text("utf-8")
        assert old in text, (file, old)
        path.write_text(text.replace(old, new, 1), "utf-8")

    def commit(self, message="change"):
        git(self.path, "add", "--all")
        git(self.path, "commit", "--quiet", "--allow-empty", "--message", message)
        return git(self.path, "rev-parse", "HEAD")

    def propose(self, change=lambda hub: None):
        """The head of pull request 7: on its ref alone, as a fork's is, while the branch stays where it was."""
        main = git(self.path, "rev-parse", "main")
        git(self.path, "checkout", "--quiet", "--detach", "main")
        change(self)
        head = self.commit("the change")
        git(self.path, "update-ref", "refs/pull/7/head", head)
        git(self.path, "checkout", "--quiet", "main")
        assert git(self.path, "rev-parse", "main") == main
        return head

    def move(self, change):
        """The branch goes on."""
        change(self)
        return self.commit("the branch goes on")


def pull_request(hub, head, action="synchronize", author="alice", base="main"):
    """The payload of an event about the pull request, as far as anything may look at it."""
    return {
        "action": action,
        "sender": {"login": author},
        "pull_request": {
            "number": 7,
            "user": {"login": author},
            "head": {"sha": head, "ref": "more-gpus"},
            "base": {"sha": hub.base, "ref": base},
        },
    }


class Job:
    """One run of a job, with what GitHub would set."""

    def __init__(self, folder, hub, forge, payload, event="pull_request_target"):
        folder.mkdir()
        self.folder, self.hub = folder, hub
        self.where, self.temp = folder / "work", folder / "temp"
        self.temp.mkdir()
        self.summary = folder / "summary"
        self.used, self.said, self.codes = [], {}, {}
        self.contexts = {
            "status": "success",
            "github": {
                "event": payload,
                "event_name": event,
                "server_url": f"file://{hub.server}",
                "repository": "example/quota",
                "token": "ghs_secret",
            },
            "runner": {"temp": str(self.temp)},
            "steps": {},
            "env": {},
        }
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_REPOSITORY": "example/quota",
            "GITHUB_API_URL": forge.url,
            "PYTHONUTF8": "1",
        }

    def play(self, name, workflow="kohort"):
        """All steps of the job in their order."""
        flow = WORKFLOWS[workflow]
        self.contexts["env"] = {key: filled(text, self.contexts) for key, text in flow.get("env", {}).items()}
        for step in flow["jobs"][name]["steps"]:
            if holds(step.get("if"), self.contexts):
                self._step(step)
        return self

    @property
    def passed(self):
        return self.contexts["status"] == "success"

    def _step(self, step):
        uses = str(step.get("uses", "")).partition("@")[0]
        if uses == "actions/checkout":
            given = {key: filled(text, self.contexts) for key, text in step["with"].items()}
            git(self.hub.server, "clone", "--quiet", self.hub.path, self.where)
            if given["ref"]:
                git(self.where, "checkout", "--quiet", given["ref"].removeprefix("refs/heads/"))
        elif uses in ACTIONS:
            self._action(step, ACTIONS[uses])
        elif uses:
            self.used.append((uses, {k: filled(v, self.contexts) for k, v in step.get("with", {}).items()}))
        else:
            self._run(step, self.contexts, self.contexts["env"])

    def _action(self, step, action):
        """Our own action: the steps that run, but for the installation, with its inputs; and its outputs."""
        given = {name: str(one.get("default", "")) for name, one in action["inputs"].items()}
        given |= {key: filled(text, self.contexts) for key, text in step.get("with", {}).items()}
        inner = {**self.contexts, "inputs": given, "steps": {}}
        for each in action["runs"]["steps"]:
            if "run" in each and each["name"] != "Install" and holds(each.get("if"), inner):
                self._run(each, inner, self.contexts["env"])
                inner["status"] = self.contexts["status"]
        outputs = {name: filled(one["value"], inner) for name, one in action["outputs"].items()}
        self.contexts["steps"][step["id"]] = {"outputs": outputs}

    def _run(self, step, contexts, env):
        assert "${{" not in step["run"], "an expression in a script is code from whoever fills it"
        output = self.folder / "output"
        output.write_text("", "utf-8")
        env = {**env, **{name: filled(text, contexts) for name, text in step.get("env", {}).items()}}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.where if self.where.is_dir() else self.folder,
            env=self.environment | env | {"GITHUB_OUTPUT": str(output)},
            capture_output=True,
            text=True,
            check=False,
        )
        name = step.get("name", "")
        self.said[name], self.codes[name] = done.stdout + done.stderr, done.returncode
        if done.returncode:
            self.contexts["status"] = "failure"
        if "id" in step:
            lines = output.read_text("utf-8").splitlines()
            contexts["steps"][step["id"]] = {"outputs": dict(line.split("=", 1) for line in lines)}
