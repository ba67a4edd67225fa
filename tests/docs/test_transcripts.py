"""The transcripts in the documentation are what really happens: every `console` block is run again and compared.

In a block, lines that start with `$ ` are commands (bash), the lines below are their output, both streams together.
All blocks of one page share one copy of the shipped organisation. KOHORT_UPDATE_GOLDENS=1 rewrites the pages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
PAGES = [
    p
    for p in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```console\n" in p.read_text("utf-8")
]


@pytest.fixture
def organisation(tmp_path):
    for name in (
        "kohort.yaml",
        "clusters",
        "queues",
        "teams",
        "workloads",
        "ci/exceptions",
        "ci/policies",
        "ci/schemas",
        "docs/snapshots",
    ):
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target)
        elif source.is_file():
            shutil.copy(source, target)
    return tmp_path


def run(command: str, folder: Path) -> str:
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + (f"(exit {done.returncode})\n" if done.returncode else "")


def replay(block: str, folder: Path) -> str:
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            lines += [line, *run(line[2:], folder).rstrip("\n").splitlines()]
    return "\n".join(line.rstrip() for line in lines if line is not None) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_transcripts_are_true(page, organisation):
    text = page.read_text("utf-8")
    fresh = BLOCK.sub(lambda m: f"```console\n{replay(m.group(1), organisation)}```", text)
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        page.write_text(fresh, "utf-8")
    assert page.read_text("utf-8") == fresh


def test_there_are_transcripts():
    assert {p.name for p in PAGES} >= {"README.md", "asking-for-quota.md"}
