"""An empty path is a variable that was not set: told, and never taken for the working directory."""

from __future__ import annotations

import pytest
from bounded import kohort

from kohort.cli.exits import Exit


@pytest.mark.parametrize(
    "command",
    [
        "check",
        "check --baseline",
        "compile",
        "compile --out",
        "fix",
        "init",
        "owners",
        "owners --out",
        "plan --out",
        "policy show",
        "policy test",
        "schema --out",
        "verify-plan",
    ],
)
def test_an_empty_path_is_refused_and_nothing_is_written(tmp_path, command):
    (tmp_path / "kohort.yaml").write_text(
        "apiVersion: kohort.dev/v1alpha1\nkind: Organisation\nmetadata: {name: a}\nspec: {}\n"
    )
    done = kohort(tmp_path, *command.split(), "")
    assert done.code == Exit.USAGE
    assert "empty" in done.said or "no such file or folder: ''" in done.said
    assert [path.name for path in tmp_path.iterdir()] == ["kohort.yaml"]
