"""Shell completion as the shells ask for it: a script, and answers to what was typed so far."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from kohort.cli.main import COMMANDS, cli


def answers(words: str, index: int) -> list[tuple[str, str]]:
    """(completion, its line) that the fish script gets for `words`, of which the word at `index` is being typed."""
    asked = {"_KOHORT_COMPLETE": "fish_complete", "COMP_WORDS": words, "COMP_CWORD": words.split(" ")[index]}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv[0] = 'kohort'; from kohort.cli.main import main; main()",
        ],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split(",", 1)[1] for line in done.stdout.splitlines()]
    return [(line.partition("\t")[0], line.partition("\t")[2]) for line in lines]


def test_commands_are_completed_with_their_lines():
    found = dict(answers("kohort co", 1))
    assert found == {name: line for name, (_, line) in COMMANDS.items() if name.startswith("co")}
    assert "compile" in found


def test_options_of_a_command_are_completed():
    assert [name for name, _ in answers("kohort check --fo", 2)] == ["--format"]


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_the_script_of_each_shell_names_the_command_and_its_variable(shell):
    done = CliRunner().invoke(cli, ["completion", shell], prog_name="kohort")
    assert done.exit_code == 0
    assert "_KOHORT_COMPLETE=" + shell in done.output
    assert "kohort" in done.output.replace("_kohort", "").replace("_KOHORT", "")


def test_an_unknown_shell_is_a_usage_error_that_lists_the_known_ones():
    done = CliRunner().invoke(cli, ["completion", "cmd"], prog_name="kohort")
    assert done.exit_code == 2
    assert "'bash', 'fish', 'zsh'" in done.output


def test_completing_names_imports_no_command():
    code = (
        "import sys\nsys.argv[0] = 'kohort'\nfrom kohort.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(m for m in sys.modules if m.startswith('kohort.cli.') and m.rsplit('.', 1)[1] in "
        f"{sorted(COMMANDS)!r}))"
    )
    env = {**os.environ, "_KOHORT_COMPLETE": "fish_complete", "COMP_WORDS": "kohort c", "COMP_CWORD": "c"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    *completed, imported = done.stdout.splitlines()
    assert len(completed) == sum(name.startswith("c") for name in COMMANDS)
    assert imported == "[]"
