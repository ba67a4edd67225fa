"""`kohort where` from the command line: how a place is typed, and what is said where nothing is found."""

import pytest
from click.testing import CliRunner

from kohort.cli.main import cli

TEAM = "teams/blue/team.yaml"


def asked(*arguments):
    return CliRunner().invoke(cli, ["where", *arguments])


@pytest.mark.parametrize(
    ("here", "typed"),
    [
        (".", f"{TEAM}:{{}}"),
        (".", f"./{TEAM}:{{}}"),
        (".", f"{TEAM}:{{}}:3"),  # as reports print it
        ("teams", "blue/team.yaml:{}"),
        ("teams", f"{TEAM}:{{}}"),  # as `kohort where` prints it
        ("teams/blue", "../blue/team.yaml:{}"),
        ("/", f"{{root}}/{TEAM}:{{}}"),
    ],
)
def test_a_place_may_be_typed_from_anywhere(repository, monkeypatch, here, typed):
    lines = (repository / TEAM).read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if "gpus: 16" in line)
    monkeypatch.chdir(repository / here)
    result = asked(typed.replace("{root}", str(repository)).replace("{}", str(number)))
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"{TEAM}  spec.queues[0].quota.lab[0] decides ")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (f"{TEAM}:10000", f"nothing is declared or compiled at line 10000 of {TEAM}"),
        ("teams/nobody/team.yaml:1", "there is no file teams/nobody/team.yaml in the repository"),
        (TEAM, f"'{TEAM}' is not FILE:LINE"),
        (f"{TEAM}:-1", f"'{TEAM}:-1' is not FILE:LINE"),
    ],
)
def test_what_is_not_there_is_said_to_be(repository, monkeypatch, typed, message):
    monkeypatch.chdir(repository)
    result = asked(typed)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, f"Error: {message}\n" in result.output) == (2, True), result.output


def test_outside_of_any_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = asked("team.yaml:1")
    assert result.exit_code == 2
    assert "neither the working directory nor the file lies in a Kohort repository" in result.output
