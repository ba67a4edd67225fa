"""The simulator's pages in a real browser: drawn, light and dark, quiet, for the keyboard and by the accessibility rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from chromium import needs_axe, needs_browser
from pixels import pixels
from reading import is_quiet, operate, overflow, violations, walk

from kohort.simulator.reports.formats import FORMATS

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "simulator"))
from small_world import played

SPEC = (
    "jobs:\n- {name: a, namespace: blue, queue: lq, at: 0s, gpus: 8, pods: 2, duration: 2h}\n"
    "- {name: b, namespace: red, queue: lq, at: 1h, gpus: 8, duration: 1h}\n"
)
BLUE, ORANGE = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]


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
