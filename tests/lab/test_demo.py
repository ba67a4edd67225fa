"""The tutorial, played whole: compiled manifests by a real Argo CD, then each step of the story."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kohort.lab.demo import STEPS, play
from kohort.lab.organisation import load
from kohort.lab.patience import stretched

pytestmark = [pytest.mark.lab, pytest.mark.long]
ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(3600)
def test_every_step_goes_as_expected_in_under_six_minutes(need: Callable[..., None]) -> None:
    need("etcd", "kubernetes", "kueue", "appwrapper", "kwok", "schedulerplugins", "argocd")
    lines: list[str] = []
    began = time.monotonic()
    outcomes = play(load(ROOT, "pokprod"), lines.append, lines.append)
    account = "\n".join(lines)
    assert [each.name for each in outcomes] == [step.__name__.replace("_", " ") for step in STEPS]
    assert [f"{each.name}: {each.text}" for each in outcomes if not each.agrees] == [], account
    assert time.monotonic() - began < stretched(360)
    # Who runs, who waits and why, who was suspended and for whom, who was reset.
    assert "blue/short-1       runs with 8 of nvidia.com/gpu on h100" in account
    assert "insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed" in account
    assert "blue/normal-3      suspended for blue/important (InClusterQueue)" in account
    assert "blue/normal-3      suspended for red/first (InCohortReclamation)" in account
    assert "blue/large         is reset" in account
