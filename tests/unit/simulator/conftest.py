"""The shipped organisation, for tests of the commands that play its scenarios."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def organisation(tmp_path, monkeypatch):
    """A copy of it as the working directory."""
    for name in ("kohort.yaml", "clusters", "queues", "teams", "workloads"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
