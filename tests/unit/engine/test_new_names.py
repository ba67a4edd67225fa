"""`kohort init` and `kohort new`: whatever name is accepted, the repository passes its own check."""

import pytest
from click.testing import CliRunner

from kohort.cli.main import cli
from kohort.engine.outcome import Settings
from kohort.engine.repository import load_repository
from kohort.source.tree import WorkDir

# Names that YAML reads as something else, and ordinary ones.
NAMES = ("true", "null", "on", "y", "123", "012", "0x1", "1e3", "2026-01-01", "blue", "a-b")


def run(*arguments):
    result = CliRunner().invoke(cli, list(arguments))
    return result.exit_code, result.output


def test_every_name_that_is_accepted_is_read_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("init", "--name", "1e3")[0] == 0
    for name in NAMES:
        assert run("new", "team", name)[0] == 0, name
    assert run("new", "cluster", "null", "--flavor", "123")[0] == 0
    assert run("new", "team", "last", "--cluster", "null")[0] == 0
    repo = load_repository(WorkDir(tmp_path), Settings()).repo
    assert [f.message for f in repo.findings if "no Flavor 123" not in f.message] == []
    assert repo.organisation is not None
    assert repo.organisation.name == "1e3"
    assert {*NAMES, "first", "last"} == set(repo.teams)
    assert repo.teams["012"].namespaces == ("012",)
    assert list(repo.teams["last"].queues[0].quota) == ["null"]


@pytest.mark.parametrize(
    ("folder", "name"),
    [("Näme ü 1", "n-me-1"), ("9", "9"), ("--", "example"), ("UPPER_case", "upper-case"), ("ü", "example")],
)
def test_any_folder_gives_a_name(tmp_path, folder, name):
    assert run("init", str(tmp_path / folder))[0] == 0
    repo = load_repository(WorkDir(tmp_path / folder), Settings()).repo
    assert repo.findings == ()
    assert repo.organisation is not None
    assert repo.organisation.name == name


def test_a_bad_name_writes_nothing(tmp_path):
    code, text = run("init", str(tmp_path / "x"), "--name", "Bad Name!")
    assert code != 0
    assert "'Bad Name!' is no name for an organisation: 'B' at position 1 is not allowed" in text
    assert not (tmp_path / "x").exists()
