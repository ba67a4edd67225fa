"""Colours: for a terminal, never where NO_COLOR or a dumb terminal says so, and also into a pipe where FORCE_COLOR asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

QUEUE = (
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: blue}}\nspec:\n"
    "  namespaceSelector: {{}}\n  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n"
    "    flavors: [{{name: h100, resources: [{{name: nvidia.com/gpu, nominalQuota: {quota}}}]}}]\n"
)
COMMANDS = {"plan": ("plan", "-q", "old.yaml", "new.yaml"), "check": ("check", "-q", "wrong.yaml")}


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, quota in (("old", "8"), ("new", "16"), ("wrong", "-1")):
        (tmp_path / f"{name}.yaml").write_text(QUEUE.format(quota=quota), "utf-8")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("variables", "colored"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_a_pipe_gets_colours_where_they_are_asked_for(folder, command, variables, colored):
    own = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    done = subprocess.run(
        [sys.executable, "-m", "kohort.cli.main", *COMMANDS[command]],
        cwd=folder, env={**own, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "blue" in done.stdout, done.stderr
    assert ("\x1b[" in done.stdout) is colored
