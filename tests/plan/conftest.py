"""The organisation of these tests in a Git repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import git, write
from plan_world import FILES


@pytest.fixture
def repo(tmp_path) -> Path:
    root = tmp_path / "org"
    root.mkdir()
    write(root, FILES)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    return root
