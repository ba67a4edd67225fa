"""The simulator's pages in a real browser: drawn, light and dark, quiet, for the keyboard and by the accessibility rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from chromium import needs_axe, needs_browser
from pixels import pixels
from reading import is_quiet, operate, overflow, violations, walk

from kohort.engine.outcome import Settings
from kohort.engine.simulating import Asked, runs, stage
from kohort.simulator.reports.formats import FORMATS
from kohort.simulator.reports.html.comparing import page_of_difference, page_of_seeds

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "simulator"))
from small_world import WORLD, played, scenario

SPEC = (
    "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, pods: 2, duration: 2h}\n"
    "- {name: b, namespace: red, queue: lq, at: 1h, gpus: 8, duration: 1h}\n"
)
BLUE, ORANGE = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]


CHANCE = SPEC.replace("at: 0s", "every: {poisson: 1h}").replace("at: 1h", "every: {poisson: 2h}")


@pytest.fixture(scope="module")
def many_pages(tmp_path_factory):
    """Two configurations, and one over its seeds."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "kueue.yaml").write_text(WORLD, "utf-8")
    (folder / "small.yaml").write_text(scenario(CHANCE, "12h"), "utf-8")
    more = folder / "more"
    more.mkdir()
    (more / "kueue.yaml").write_text(WORLD.replace("nominalQuota: 16", "nominalQuota: 8"), "utf-8")
    base, head = (
        runs(stage(Asked(str(folder / "small.yaml"), on=on), Settings()).ready, range(1, 5), Settings())
        for on in ("", str(more))
    )
    files = {"compared": folder / "compared.html", "seeds": folder / "seeds.html"}
    files["compared"].write_text(page_of_difference(base, head, ("main", "HEAD")), "utf-8")
    files["seeds"].write_text(page_of_seeds(base), "utf-8")
    return files


@pytest.fixture(scope="module")
def run_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    file = folder / "run.html"
    file.write_text(FORMATS["html"](played(folder, SPEC)), "utf-8")
    return file


@pytest.mark.parametrize(("scheme", "paper"), [("light", (255, 255, 255)), ("dark", (0x12, 0x18, 0x1F))])
def test_the_charts_are_drawn_in_the_colours_of_the_teams(browser, run_page, scheme, paper):
    page = browser.open(run_page, scheme=scheme, width=800)
    width, height, found = pixels(page.picture(height=900))
    is_quiet(page)
    assert (width, height) == (800, 900)
    assert found.most_common(1)[0][0] == paper
    near = sum(
        count
        for color, count in found.items()
        if all(abs(a - b) < 24 for a, b in zip(color, BLUE, strict=True))
    )
    assert near > 5_000  # blue holds 16 GPUs for half of the time
    assert found[ORANGE] > 1_000


def test_the_browser_reads_what_was_written(browser, run_page):
    page = browser.open(run_page)
    assert page.run("document.querySelectorAll('svg[role=img]').length") == 4
    assert "Jobs that wait" in page.run("[...document.querySelectorAll('h2')].map(e => e.textContent)")
    titles = page.run("[...document.querySelectorAll('rect title')].map(e => e.textContent)")
    assert "blue/a-1, team blue, 16 GPUs: 0:00:00 to 2:00:00 on n0, n1, succeeded" in titles


def test_the_keyboard_reaches_tables_and_opens_what_is_folded(browser, run_page):
    page = browser.open(run_page)
    assert walk(page) == [
        "Chart of the jobs that wait",
        "Chart of the GPUs held",
        "Chart of shares",
        "Waits",
        "Shares and waste",
        "Chart of jobs",
        "The jobs as a table",
    ]
    assert operate(page) == 1
    page.run("document.querySelector('details').open = true")
    rows = page.run("[...document.querySelectorAll('details tr')].map(e => e.innerText)")
    assert rows[1] == "blue/a-1\tblue\t16\t0:00:00\t0s\t–\tsucceeded\t2:00:00"
    is_quiet(page)


def test_a_narrow_screen_holds_the_page(browser, run_page):
    assert overflow(browser.open(run_page), 400) == []


@needs_axe
def test_axe_has_no_objection_to_a_run(browser, run_page):
    page = browser.open(run_page)
    assert violations(page) == {}
    is_quiet(page)


@pytest.mark.parametrize("name", ["compared", "seeds"])
def test_pages_of_many_runs_are_quiet_and_for_the_keyboard_and_hold_on_narrow_screens(
    browser, many_pages, name
):
    page = browser.open(many_pages[name])
    stops = walk(page)
    over_time = ["Chart of the jobs that wait", "Chart of the GPUs held", "All measures"]
    assert stops[-3:] == over_time
    assert ("Chart of waits" in stops) == (name == "compared")
    charts = page.run(
        "[...document.querySelectorAll('svg[role=img]')].map(e => e.getBoundingClientRect().width > 600)"
    )
    assert charts == [True] * len(charts)
    assert len(charts) == {"compared": 6, "seeds": 2}[name]
    assert overflow(page, 400) == []
    is_quiet(page)


@needs_axe
@pytest.mark.parametrize("name", ["compared", "seeds"])
def test_axe_has_no_objection_to_many_runs(browser, many_pages, name):
    page = browser.open(many_pages[name])
    assert violations(page) == {}
    is_quiet(page)


def test_marks_of_changes_differ_by_shape_and_by_word(browser, many_pages):
    page = browser.open(many_pages["compared"], scheme="dark")
    script = "[...document.querySelectorAll('circle')].map(e => getComputedStyle(e).fill)"
    hollow = "rgb(18, 24, 31)"  # the paper of the dark page
    fills = page.run(script)
    words = page.run("[...document.querySelectorAll('text.row[text-anchor=end]')].map(e => e.textContent)")
    assert len(fills) == len(words) > 10
    for fill, text in zip(fills, words, strict=True):
        assert (fill == hollow) == text.endswith(("may be chance", "alike"))
