"""Older versions of Kueue: their recorded differences applied to the verdicts of 0.19.1, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kohort.engine.verdicts import apply_differences, compare, read_verdicts

HERE = Path(__file__).parent
# AppWrapper has versions of its own; of jobs nothing was recorded but for 0.19.1.
NOT_RECORDED = ("appwrapper", "jobs")
# 0.15 also rewrites what pod templates hold (quantities, empty texts): not modelled, and these are all.
STORED_OTHERWISE = {"0.15.2": 12, "0.17.1": 0}
DIFFERENCES = yaml.load((HERE / "webhooks-versions.yaml").read_text("utf-8"), yaml.CSafeLoader)


def recorded():
    for path in sorted((HERE / "webhooks").glob("*.yaml")):
        if path.stem not in NOT_RECORDED:
            yield from read_verdicts(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader), path.name)


@pytest.mark.parametrize("version", sorted(DIFFERENCES["versions"]))
def test_the_rules_agree_with_that_version(version):
    verdicts = apply_differences(list(recorded()), DIFFERENCES, version)
    wrong = [
        f"{each.verdict.id}: the server says {each.verdict.message or 'yes'}, we {each.first}"
        for each in (compare(verdict, version) for verdict in verdicts)
        if not each.agrees
    ]
    assert wrong == []


@pytest.mark.parametrize("version", sorted(DIFFERENCES["versions"]))
def test_the_form_that_the_version_stores(version):
    verdicts = apply_differences(list(recorded()), DIFFERENCES, version)
    otherwise = [r for r in (compare(v, version) for v in verdicts) if r.stored_agrees is False]
    assert len(otherwise) == STORED_OTHERWISE[version], [r.stored_difference for r in otherwise]
    assert all(".template.spec" in r.stored_difference for r in otherwise)


@pytest.mark.parametrize("version", sorted(DIFFERENCES["versions"]))
def test_the_version_really_differs(version):
    """Judged as 0.19.1, the differences of the other version do not agree: the version is looked at."""
    changed = list(read_verdicts(DIFFERENCES["versions"][version], version))
    assert changed
    assert any(not compare(verdict, "0.19.1").agrees for verdict in changed)
