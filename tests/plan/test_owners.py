"""CODEOWNERS from the declared admins."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from plan_world import FILES

from kohort.cli.main import cli
from kohort.engine.outcome import Settings
from kohort.engine.planning import plan_repositories
from kohort.source.tree import MemoryTree


@pytest.fixture
def organisation(tmp_path: Path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def owners(*arguments):
    return CliRunner().invoke(
        cli, ["owners", "--organisation", "example", *map(str, arguments)], standalone_mode=False
    )


def test_admins_own_everything_teams_their_folders_and_nobody_what_is_compiled(organisation):
    lines = owners(organisation).output.splitlines()
    assert lines[1] == "* @example/platform-admins"
    assert "/clusters/pokprod/ @example/platform-admins @example/pokprod-admins" in lines
    assert "/teams/blue/ @example/blue-leads" in lines
    assert not [
        line for line in lines if line.startswith("/teams/red/")
    ]  # it names no admins: the first line holds
    assert lines[-4:] == [f"/clusters/{c}/{f}/" for c in ("pokprod", "vela") for f in ("manifests", "argocd")]


def test_the_later_line_wins_so_compiled_output_comes_last(organisation):
    lines = owners(organisation).output.splitlines()
    assert lines.index("/clusters/pokprod/manifests/") > lines.index(
        "/clusters/pokprod/ @example/platform-admins @example/pokprod-admins"
    )


def test_names_that_no_forge_knows_are_left_out_and_said(organisation):
    file = organisation / "teams/blue/team.yaml"
    file.write_text(
        file.read_text("utf-8").replace("[blue-leads]", '[blue-leads, "cn=leads,dc=example @everyone"]'),
        "utf-8",
    )
    done = owners(organisation)
    assert "/teams/blue/ @example/blue-leads\n" in done.output
    assert "'cn=leads,dc=example @everyone' is no name of a forge and was left out" in done.output


def test_written_then_checked(organisation, tmp_path):
    out = tmp_path / "forge" / "CODEOWNERS"
    assert owners(organisation, "--out", out, "--check").return_value == 1
    assert owners(organisation, "--out", out).return_value == 0
    assert owners(organisation, "--out", out, "--check").return_value == 0
    out.write_text("* @mallory\n", "utf-8")
    done = owners(organisation, "--out", out, "--check")
    assert done.return_value == 1
    assert "differs from what `kohort owners` makes" in done.output


def test_a_repository_that_cannot_be_read_whole_loses_no_owners(organisation):
    (organisation / "teams/blue/team.yaml").write_text("kind: [", "utf-8")
    assert "cannot be read whole" in str(owners(organisation).exception)


def rewritten(organisation, file, old, new):
    file = organisation / file
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_a_team_whose_admins_no_forge_knows_is_owned_by_the_organisations(organisation):
    """A line without owners would ask nobody."""
    rewritten(organisation, "teams/blue/team.yaml", "[blue-leads]", '["blue leads", "cn=leads"]')
    done = owners(organisation)
    assert "/teams/blue/ @example/platform-admins\n" in done.output
    assert done.output.count("is no name of a forge and was left out") == 2


@pytest.mark.parametrize("admins", ["{groups: ['all admins']}", "{}"])
def test_everything_never_belongs_to_nobody(organisation, admins):
    rewritten(organisation, "kohort.yaml", "{groups: [platform-admins]}", admins)
    done = owners(organisation)
    assert "everything would belong to nobody" in str(done.exception)
    assert "* " not in done.output


@pytest.mark.parametrize("name", ["a b", "x\n* @mallory", "", "@example", "-x", "a\x1b[2J"])
def test_what_is_no_organisation_of_a_forge_is_written_nowhere(organisation, name):
    done = CliRunner().invoke(
        cli, ["owners", "--organisation", name, str(organisation)], standalone_mode=False
    )
    assert "is no organisation of a forge" in str(done.exception)
    assert "@mallory\n" not in done.output
    assert "\x1b" not in str(done.exception)


def test_a_user_who_is_a_mail_address_is_one_for_a_forge_too(organisation):
    people = '{groups: [platform-admins], users: ["carol@example.com", "a b@example.com", "@example.com", "x@y@z"]}'
    rewritten(organisation, "kohort.yaml", "{groups: [platform-admins]}", people)
    done = owners(organisation)
    assert done.output.splitlines().count("* @example/platform-admins carol@example.com") == 1
    assert done.output.count("is no name of a forge and was left out") == 3


def test_who_is_listed_twice_or_as_a_group_and_a_user_is_written_once_each(organisation):
    people = (
        "{groups: [platform-admins, platform-admins, pokprod-admins], users: [platform-admins, carol, carol]}"
    )
    rewritten(organisation, "kohort.yaml", "{groups: [platform-admins]}", people)
    lines = owners(organisation).output.splitlines()
    everybody = "@example/platform-admins @example/pokprod-admins @platform-admins @carol"
    assert lines[1] == f"* {everybody}"
    assert f"/clusters/pokprod/ {everybody}" in lines


@pytest.mark.parametrize(
    "name",
    ["#leads", "!leads", "a*", "[a]", "a\\\\b", "leads # x", "a,b", "ä", "a/b", "..", "-a", "/"],
)
def test_names_that_mean_something_in_the_file_are_left_out(organisation, name):
    rewritten(organisation, "teams/blue/team.yaml", "[blue-leads]", f'[blue-leads, "{name}"]')
    done = owners(organisation)
    assert "/teams/blue/ @example/blue-leads\n" in done.output
    assert "is no name of a forge and was left out" in done.output


def owned_by(lines, path):
    """As a forge reads the file: the last line that matches."""
    found = [
        line.split() for line in lines if line.startswith("*") or path.startswith(line.split()[0].strip("/"))
    ]
    return found[-1][1:]


@pytest.mark.parametrize(
    "file",
    [
        "kohort.yaml", "queues/cohorts.yaml", "clusters/pokprod/cluster.yaml", "clusters/vela/cluster.yaml",
        "teams/blue/team.yaml", "teams/red/team.yaml", "clusters/pokprod/manifests/teams/blue.yaml",
    ],
)  # fmt: skip
def test_a_plan_asks_the_same_people_about_a_file_as_the_forge_does(organisation, file):
    before = {name: text.encode() for name, text in FILES.items()}
    after = {**before, file: before.get(file, b"") + b"# a remark\n"}
    plan = plan_repositories(MemoryTree(before), MemoryTree(after), Settings(actor="mallory")).plan
    asked = [one.people for one in plan.approvals if one.rule == "owned-files"]
    expected = [name.replace("Group ", "@example/") for people in asked for name in people]
    lines = owners(organisation).output.splitlines()[1:]
    assert owned_by(lines, file) == expected
    assert bool(expected) is ("manifests" not in file)
