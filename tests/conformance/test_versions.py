"""Older versions of Kueue: their recorded differences applied to the verdicts of 0.19.1, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kohort.engine.verdicts import apply_differences, compare, read_verdicts

HERE = Path(__file__).parent
# 0.15 stores objects as v1beta1 and rewrites more kinds on the way; its stored forms are not modelled (README, limits).
STORED = {"0.17.1"}
DIFFERENCES = yaml.load((HERE / "webhooks-versions.yaml").read_text("utf-8"), yaml.CSafeLoader)


def recorded():
    for path in sorted((HERE / "webhooks").glob("*.yaml")):
        if path.stem != "appwrapper":  # AppWrapper has versions of its own
            yield from read_verdicts(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader), path.name)


@pytest.mark.parametrize("version", sorted(DIFFERENCES["versions"]))
def test_the_rules_agree_with_that_version(version):
    verdicts = apply_differences(list(recorded()), DIFFERENCES, version)
    wrong = []
    for each in (compare(verdict, version) for verdict in verdicts):
        if not each.agrees:
            wrong.append(
                f"{each.verdict.id}: the server says {each.verdict.message or 'yes'}, we {each.first}"
            )
        if each.stored_agrees is False and version in STORED:
            wrong.append(f"{each.verdict.id}: stored otherwise: {each.stored_difference}")
    assert wrong == []


@pytest.mark.parametrize("version", sorted(DIFFERENCES["versions"]))
def test_the_version_really_differs(version):
    """Judged as 0.19.1, the differences of the other version do not agree: the version is looked at."""
    changed = list(read_verdicts(DIFFERENCES["versions"][version], version))
    assert changed
    assert any(not compare(verdict, "0.19.1").agrees for verdict in changed)
