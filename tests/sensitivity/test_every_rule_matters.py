"""Sensitivity: of every rule a version that never fires and one that always fires make a test of its examples fail.

The tests of the examples are run with the broken version in place; what is asserted is that they notice.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kohort.compiler.bundle import Bundle
from kohort.diagnostics import Finding, Severity
from kohort.engine.judge import judge_cluster, judge_repo
from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository, load_repository
from kohort.rules.base import Rule
from kohort.rules.registry import all_rules
from kohort.source.tree import WorkDir
from kohort.spans import Origin

ROOT = Path(__file__).parents[2]
RULES = {rule.code: rule for rule in all_rules()}
CHECKS = ("object_check", "cluster_check", "repo_check")


def load_examples():
    spec = importlib.util.spec_from_file_location(
        "examples_under_test", ROOT / "tests/rules/test_examples.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


EXAMPLES = load_examples()


def never(*_) -> Iterator[Finding]:
    return iter(())


def always(rule: Rule, check: str):
    """Fires once per object that the rule is asked about, or once per cluster or repository."""

    def on_object(obj, cluster):
        yield rule.at(obj, (), "fires", cluster=cluster)

    def on_cluster(cluster):
        for obj in cluster.objects[:1]:
            yield rule.at(obj, (), "fires", cluster=cluster)

    def on_repo(repo):
        yield rule.finding("fires", Origin("kohort.yaml"))

    return {"object_check": on_object, "cluster_check": on_cluster, "repo_check": on_repo}[check]


def own_checks(rule: Rule) -> list[str]:
    return [check for check in CHECKS if getattr(rule, check) is not None]


@pytest.mark.parametrize("code", RULES)
def test_a_rule_that_never_fires_is_noticed(code, monkeypatch):
    EXAMPLES.test_bad_example_gives_the_code(code)  # the control: the real rule passes
    for check in own_checks(RULES[code]):
        monkeypatch.setattr(RULES[code], check, never)
    with pytest.raises(AssertionError):
        EXAMPLES.test_bad_example_gives_the_code(code)


@pytest.mark.parametrize("code", RULES)
def test_a_rule_that_always_fires_is_noticed(code, monkeypatch):
    EXAMPLES.test_good_example_is_silent_and_without_errors(code)
    for check in own_checks(RULES[code]):
        monkeypatch.setattr(RULES[code], check, always(RULES[code], check))
    with pytest.raises(AssertionError):
        EXAMPLES.test_good_example_is_silent_and_without_errors(code)


@cache
def shipped() -> tuple[object, Bundle]:
    """The shipped organisation, read and compiled once."""
    loaded = load_repository(WorkDir(ROOT), Settings())
    return loaded.repo, check_repository(WorkDir(ROOT), Settings())[1]


def on_shipped(code: str) -> list[Finding]:
    """What one rule says about the shipped organisation, all others switched off."""
    repo, bundle = shipped()
    off = dict.fromkeys(RULES.keys() - {code})
    found = [f for built in bundle.clusters.values() for f in judge_cluster(built.cluster, off)]
    return found + judge_repo(repo, off)


def reaches_shipped(rule: Rule) -> bool:
    """Whether the shipped organisation has anything that the rule looks at."""
    kinds = {obj.kind for built in shipped()[1].clusters.values() for obj in built.cluster.objects}
    return own_checks(rule) != ["object_check"] or not kinds.isdisjoint(rule.kinds) or "*" in rule.kinds


@pytest.mark.parametrize("code", RULES)
def test_the_shipped_organisation_is_silent_and_notices_a_rule_that_always_fires(code, monkeypatch):
    rule = RULES[code]
    assert [f.message for f in on_shipped(code) if f.severity is not Severity.INFO] == []
    if not reaches_shipped(rule):
        assert rule.kinds  # nothing to judge there: only the examples can notice
        return
    for check in own_checks(rule):
        monkeypatch.setattr(rule, check, always(rule, check))
    assert "fires" in {f.message for f in on_shipped(code)}


def test_most_rules_reach_the_shipped_organisation():
    unreached = [code for code, rule in RULES.items() if not reaches_shipped(rule)]
    assert len(unreached) < len(RULES) / 3, unreached
