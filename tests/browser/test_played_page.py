"""The part of a plan's page that shows a played load, in a real browser."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from chromium import needs_axe, needs_browser
from reading import is_quiet, overflow, violations, walk

from kohort.engine.comparing import plan_paths
from kohort.engine.outcome import Settings
from kohort.engine.playing_plans import Loads, with_loads
from kohort.engine.rendering_plan import render_plan

sys.path.insert(0, str(Path(__file__).parents[1] / "plan"))
import yaml
from test_plan_played import job, manifests

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """Blue has one GPU instead of two; the load is played for three seeds."""
    folder = tmp_path_factory.mktemp("played")
    for name, quota in (("old", 2), ("new", 1)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump_all(manifests(quota)), "utf-8")
    scenario = {
        "apiVersion": "kohort.dev/v1alpha1",
        "kind": "Scenario",
        "metadata": {"name": "small"},
        "spec": {"manifests": ["old.yaml"], "horizon": "10h", "jobs": [job("a")]},
    }
    (folder / "small.yaml").write_text(yaml.safe_dump(scenario), "utf-8")
    sides = (str(folder / "old.yaml"), str(folder / "new.yaml"))
    planned = plan_paths(*sides, Settings()).planned
    loads = Loads((str(folder / "small.yaml"),), range(1, 4))
    done = with_loads(planned, sides, loads, Settings())
    page = folder / "page.html"
    page.write_text(render_plan(done, "html"), "utf-8")
    return page


def test_the_chart_and_the_table_say_the_same(browser, played):
    page = browser.open(played)
    row = page.run(
        "[...document.querySelectorAll('.played tbody tr')].find(e => e.innerText.startsWith('mean wait of blue')).innerText"
    )
    assert row.split("\t") == ["mean wait of blue", "0s", "15m 1s", "+15m 1s", "0s", "worse"]
    drawn = page.run("[...document.querySelectorAll('.played svg text')].map(e => e.textContent)")
    assert drawn[drawn.index("mean wait of blue") + 1] == "+15m 1s ± 0s, worse"
    is_quiet(page)


def test_the_keyboard_reaches_what_narrow_screens_scroll(browser, played):
    page = browser.open(played, width=400)
    names = walk(page)
    assert "Chart 1 of the waits" in names
    assert "Table 1 of the measures" in names


@pytest.mark.parametrize("width", [400, 1000])
def test_nothing_is_wider_than_the_screen(browser, played, width):
    assert overflow(browser.open(played), width) == []


@needs_axe
def test_the_accessibility_rules_hold(browser, played):
    assert violations(browser.open(played)) == {}
