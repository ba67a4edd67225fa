"""Grants with a last day: what is said when, and what `kohort fix --at` takes away."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from kohort.cli.main import cli
from kohort.diagnostics import Audience
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.source.tree import MemoryTree

sys.path.insert(0, str(Path(__file__).parents[2] / "plan"))
from plan_world import FILES

RED, BLUE, COHORTS = "teams/red/team.yaml", "teams/blue/team.yaml", "queues/cohorts.yaml"


def until(day, file=RED, old="gpus: 6", files=FILES):
    assert files[file].count(old) == 1
    return {**files, file: files[file].replace(old, f"{old}, until: {day}")}


def found(files, at):
    tree = MemoryTree({name: text.encode() for name, text in files.items()})
    report = check_repository(tree, Settings(at=date.fromisoformat(at) if at else None))[0].report
    return [f for f in report.findings if f.code.startswith("AUT")]


@pytest.mark.parametrize(
    ("at", "code", "words"),
    [
        ("2026-06-30", None, ""),
        ("2026-07-17", "AUT202", "ends on 2026-07-31, in 14 days"),
        ("2026-07-29", "AUT202", "ends on 2026-07-31, in 2 days"),
        ("2026-07-30", "AUT202", "ends on 2026-07-31, tomorrow"),
        ("2026-07-31", "AUT202", "ends on 2026-07-31, today"),
        ("2026-08-01", "AUT201", "ended on 2026-07-31, 1 day ago"),
        ("2026-08-31", "AUT201", "ended on 2026-07-31, 31 days ago"),
        ("9999-12-31", "AUT201", "ended on 2026-07-31"),
        ("0001-01-01", None, ""),
        (None, None, ""),
    ],
)
def test_what_is_said_when(at, code, words):
    findings = found(until("2026-07-31"), at)
    assert [f.code for f in findings] == ([code] if code else [])
    for finding in findings:
        assert finding.message.startswith(f"team red: its grant of h100 on pokprod {words}")
        assert finding.primary.origin.file == RED
        assert finding.primary.origin.path[-1] == "until"
        assert finding.subject == "Team red"
        assert finding.audience is Audience.TEAM


def test_the_last_day_of_all_is_no_overflow():
    assert [f.code for f in found(until("9999-12-31"), "9999-12-30")] == ["AUT202"]


def test_a_pool_of_a_cohort_ends_as_well_and_is_its_admins():
    (one,) = found(until("2026-07-31", COHORTS, "flavor: a100, gpus: 2"), "2026-08-01")
    assert one.message == "cohort research: its grant of a100 on pokprod ended on 2026-07-31, 1 day ago"
    assert (one.primary.origin.file, one.audience, one.fix) == (COHORTS, Audience.ADMIN, None)


@pytest.mark.parametrize("day", ["soon", "2026-13-01", "20261130", "2026-W48-1", "0000-01-01", "[]"])
def test_what_is_no_date_is_told_at_its_place_and_ends_nothing(day):
    tree = MemoryTree({name: text.encode() for name, text in until(day).items()})
    report = check_repository(tree, Settings(at=date(2026, 11, 30)))[0].report
    (wrong,) = [f for f in report.findings if f.primary.origin.path[-1:] == ("until",)]
    assert wrong.code in ("SRC102", "SRC105")
    assert not [f for f in report.findings if f.code.startswith("AUT")]


def fixed(tmp_path, files, *arguments):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    done = CliRunner().invoke(cli, ["fix", *arguments, str(tmp_path)], standalone_mode=False)
    assert done.exception is None, done.output
    return done


def test_fix_removes_a_grant_that_is_over_and_nothing_without_a_date(tmp_path):
    files = until("2026-07-31", BLUE, "flavor: a100, gpus: 2")
    fixed(tmp_path, files)
    assert "until" in (tmp_path / BLUE).read_text("utf-8")
    fixed(tmp_path, files, "--at", "2026-07-31")
    assert "until" in (tmp_path / BLUE).read_text("utf-8")
    done = fixed(tmp_path, files, "--at", "2026-08-01")
    assert "remove the line of quota" in done.output
    text = (tmp_path / BLUE).read_text("utf-8")
    assert "a100" not in text
    assert "{flavor: h100, gpus: 8}" in text
    assert found({**files, BLUE: text}, "2026-08-01") == []


def test_a_cluster_goes_whole_where_all_its_lines_are_over(tmp_path):
    green = "teams/green/team.yaml"
    text = FILES[green].replace(
        "pokprod: [{flavor: h100, gpus: 4, borrow: 4, lend: 2}]",
        "pokprod: [{flavor: h100, gpus: 4, until: 2026-07-31}, {flavor: a100, gpus: 1, until: 2026-07-30}]\n"
        "      vela: [{flavor: cpu, nodes: 1}]",
    )
    assert text != FILES[green]
    fixed(tmp_path, {**FILES, green: text}, "--at", "2026-08-01")
    after = (tmp_path / green).read_text("utf-8")
    assert "pokprod" not in after
    assert "vela: [{flavor: cpu, nodes: 1}]" in after
    tree = MemoryTree({name: (tmp_path / name).read_bytes() for name in FILES})
    report = check_repository(tree, Settings(at=date(2026, 8, 1)))[0].report
    assert not [f for f in report.findings if f.code.startswith(("AUT", "SRC", "YAM"))]


def test_nothing_is_offered_where_nothing_would_be_left():
    (one,) = found(until("2026-07-31"), "2026-08-01")
    assert one.fix is None
    both = until(
        "2026-07-30", BLUE, "flavor: h100, gpus: 8", files=until("2026-07-31", BLUE, "flavor: a100, gpus: 2")
    )
    assert [f.fix for f in found(both, "2026-08-01")] == [None, None]
