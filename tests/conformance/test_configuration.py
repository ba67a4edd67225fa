"""Kohort refuses exactly the configuration files with which the real manager did not start."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kohort.engine.verdicts import compare, read_verdicts
from kohort.objects.configuration.judge import judge_text

FILE = Path(__file__).parent / "configuration" / "manager.yaml"
RECORDED = yaml.load(FILE.read_text("utf-8"), Loader=yaml.CSafeLoader)
CASES = {entry["id"]: entry for entry in RECORDED["verdicts"]}


def test_all_recorded_cases_are_replayed():
    assert len(CASES) == len(RECORDED["verdicts"]) == 189
    assert sum(entry["starts"] for entry in CASES.values()) == 77


@pytest.mark.parametrize("case", CASES)
def test_refused_exactly_when_the_manager_did_not_start(case):
    faults = judge_text(CASES[case]["configuration"], RECORDED["kueue"])
    assert (not faults) is CASES[case]["starts"], [f"{f.path}: {f.message}" for f in faults]


def test_the_rules_agree_and_point_at_the_same_field():
    results = [compare(verdict, RECORDED["kueue"]) for verdict in read_verdicts(RECORDED, FILE.name)]
    assert len(results) == len(CASES)
    assert [r.verdict.id for r in results if not r.agrees] == []
    # the manager blames the default selector that it made of the namespace; Kohort points at what was typed
    assert [r.verdict.id for r in results if r.path_agrees is False] == ["cf-namespace-bad"]
    assert sum(r.path_agrees is True for r in results) > 60


@pytest.mark.parametrize("case", [case for case, entry in CASES.items() if not entry["starts"]])
def test_each_fault_is_reported_with_a_path_inside_the_configuration(case):
    for fault in judge_text(CASES[case]["configuration"], RECORDED["kueue"]):
        assert fault.message
        assert fault.path or fault.reason == "text"


@pytest.mark.parametrize(
    ("case", "kueue", "starts"),
    [
        ("cf-tls-good", "0.15.2", False),
        ("cf-tls-good", "0.17.1", True),
        ("cf-visibility-good", "0.16.1", False),
        ("cf-visibility-good", "0.17.1", True),
        ("cf-quota-check-ignore", "0.17.1", False),
        ("cf-labels-6", "0.15.2", False),
        ("cf-labels-7", "0.17.1", True),
        ("cf-ready-empty", "0.17.1", False),
        ("cf-ready-zero", "0.17.1", False),
        ("cf-frameworks-all", "0.15.2", False),
        ("cf-gates-locked", "0.15.2", True),
        ("cf-gates-locked", "0.17.1", False),
        ("cf-gates-tas-off", "0.17.1", True),
        ("cf-multi-incremental", "0.17.1", False),
    ],
)
def test_other_versions_by_the_structs_of_their_modules(case, kueue, starts):
    assert (not judge_text(CASES[case]["configuration"], kueue)) is starts
