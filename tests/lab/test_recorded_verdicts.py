"""The recorded verdicts are still what the real server says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kohort.lab import job_verdicts
from kohort.lab.build import build
from kohort.lab.configurations import try_configuration
from kohort.lab.controlplane import ControlPlane
from kohort.lab.verdicts import KINDS, record

pytestmark = [pytest.mark.lab, pytest.mark.slow]
FOLDER = Path(__file__).parents[1] / "conformance"
JOBS = "jobs.yaml"  # of many kinds, judged by Kueue alone
FILES = sorted(path for path in (FOLDER / "webhooks").rglob("*.yaml") if path.name != JOBS)
BY_FILE = {kind.lower(): kind for kind in KINDS}


def load(path: Path) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    document: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    return document


def comparable(verdict: dict[str, Any]) -> dict[str, Any]:
    """Several faults come in the order of a Go map, which differs from run to run."""
    if verdict["accepted"]:
        return verdict
    words = sorted(re.findall(r"[^\s,\[\]]+", verdict["message"]))
    return {**verdict, "message": words, "causes": sorted(map(str, verdict["causes"]))}


@pytest.fixture(scope="module")
def judges(programs: None) -> Iterator[ControlPlane]:
    """A control plane with the AppWrapper webhook too."""
    with ControlPlane(["appwrapper"]) as running:
        yield running


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(FOLDER / "webhooks")) for path in FILES])
def test_the_server_still_says_the_same(judges: ControlPlane, path: Path) -> None:
    recorded = load(path)["verdicts"]
    now = record(judges, BY_FILE[path.stem], recorded)
    pairs = zip(recorded, now, strict=True)
    differing = [(old, new) for old, new in pairs if comparable(old) != comparable(new)]
    assert differing == []


def test_the_job_webhooks_still_say_the_same(programs: None) -> None:
    recorded = [*load(FOLDER / "webhooks" / JOBS)["verdicts"]]
    recorded += load(FOLDER / "webhooks" / "updates" / JOBS)["verdicts"]
    with ControlPlane(["kueue"], kueue_configuration=job_verdicts.CONFIGURATION) as plane:
        pairs = job_verdicts.again(plane, recorded)
    assert len(pairs) == len(recorded) - sum("running" in each for each in recorded)
    assert [old["id"] for old, said in pairs if comparable(dict(old)) != comparable(said)] == []


def test_every_kind_is_recorded_with_both_answers() -> None:
    for kind in KINDS:
        verdicts = load(FOLDER / "webhooks" / f"{kind.lower()}.yaml")["verdicts"]
        assert len(verdicts) >= 25, kind
        assert {each["accepted"] for each in verdicts} == {True, False}, kind


def test_the_manager_still_judges_configurations_the_same(programs: None) -> None:
    program = build(["kueue"])["kueue"]
    differing = []
    for each in load(FOLDER / "configuration" / "manager.yaml")["verdicts"]:
        start = try_configuration(program, each["configuration"])
        if (start.starts, start.step, start.error) != (
            each["starts"],
            each.get("step", ""),
            each.get("error", ""),
        ):
            differing.append((each, start))
    assert differing == []
