"""The rehearsal in the documentation is what really happens: its commands are run again and their output compared.

Blocks marked `shell-session` need the lab; they share one copy of the shipped organisation. KOHORT_UPDATE_GOLDENS=1 writes
the page again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shipped import ROOT

pytestmark = [pytest.mark.lab, pytest.mark.slow]
PAGE = ROOT / "docs" / "rehearsal.md"
BLOCK = re.compile(r"```shell-session\n(.*?)```", re.DOTALL)
CLOCK = re.compile(r"^ *\d+:\d\d(?=  )", re.MULTILINE)


def run(command: str, folder: Path) -> str:
    """The output of a command, both streams together, with the clock at zero."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "LANG": "C.UTF-8", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    said = CLOCK.sub("  0:00", done.stdout)
    return said + (f"(exit {done.returncode})\n" if done.returncode else "")


def comparable(page: str) -> list[str]:
    """The page's lines; what happened between two points of rest is sorted, and moments in between are left out.

    Whether work is seen pending its preemptions depends on when one looks.
    """
    found: list[str] = []
    events: list[str] = []
    for line in page.splitlines():
        if line.startswith("  0:00  "):
            if "Pending the preemption" not in line:
                events.append(line)
            continue
        found += [*sorted(events), line]
        events = []
    return [*found, *sorted(events)]


def replay(block: str, folder: Path) -> str:
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            lines += [line, *run(line[2:], folder).rstrip("\n").splitlines()]
    return "".join(f"{line.rstrip()}\n" for line in lines)


@pytest.mark.timeout(400)
def test_the_rehearsal_in_the_docs_is_true(need: Callable[..., None], tmp_path: Path) -> None:
    need("etcd", "kubernetes", "kueue", "appwrapper", "kwok", "schedulerplugins")
    organisation = tmp_path / "organisation"
    for name in ("kohort.yaml", "clusters", "queues", "teams", "workloads", "ci/exceptions", "ci/schemas"):
        source, target = ROOT / name, organisation / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        elif source.is_file():
            shutil.copy(source, target)
    text = PAGE.read_text("utf-8")
    fresh = BLOCK.sub(lambda m: f"```shell-session\n{replay(m.group(1), organisation)}```", text)
    if os.environ.get("KOHORT_UPDATE_GOLDENS"):
        PAGE.write_text(fresh, "utf-8")
    assert comparable(PAGE.read_text("utf-8")) == comparable(fresh)
