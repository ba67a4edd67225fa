"""The story of docs/plan.md as a page: in the shipped organisation team blue takes 8 GPUs from team red."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "pictures" / "plan.png"
DIGEST = PICTURE.with_suffix(".sha256")
RENEW = "python ci/screenshot.py"
_SHIPPED = ("kohort.yaml", "clusters", "queues", "teams", "workloads", "ci/policies", "docs/snapshots")
_COMMIT = "export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z && git init -q -b main . && git add -A && git -c user.name=blue -c user.email=blue@example.com commit -q -m before"
_TAKE = (
    "sed -i 's/gpus: 8}/gpus: 16}/' teams/blue/team.yaml && sed -i 's/gpus: 8}/gpus: 0}/' teams/red/team.yaml"
)
_PLAN = "plan -q --snapshot pokprod=docs/snapshots/pokprod.yaml --format html=plan.html"


def make_page(folder: Path) -> Path:
    """Play the story in an empty folder; the page that comes of it, with what runs on the cluster."""
    for name in _SHIPPED:
        source, target = ROOT / name, folder / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    script = f"{_COMMIT} && {_TAKE} && '{sys.executable}' -m kohort.cli.main {_PLAN}"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr or done.stdout  # a policy of the base objects
    return folder / "plan.html"


def digest(page: Path) -> str:
    """Of the page's text without the name of the commit, which nobody chooses."""
    text = re.sub(r"\([0-9a-f]{10,}\)", "(…)", page.read_text("utf-8"))
    return hashlib.sha256(text.encode()).hexdigest()
