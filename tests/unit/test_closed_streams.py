"""A shell can start a command with its streams closed: the exit code stays, and nothing is a defect."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("tree --cluster pokprod", ">&-", 0),
        ("plan -q old new", ">&-", 0),
        ("check -", "<&-", 4),
        ("why nobody", ">&- 2>&- <&-", 2),
    ],
)
def test_a_closed_stream_is_no_defect(tmp_path, arguments, closed, code):
    for side in ("old", "new"):
        (tmp_path / side).write_text("", "utf-8")
    folder = ROOT if arguments.startswith("tree") else tmp_path
    command = f'"{sys.executable}" -c "from kohort.cli.main import main; main()" {arguments} {closed}'
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, "internal error" in done.stderr) == (code, False), done.stderr
