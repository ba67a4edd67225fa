"""The page of a plan in a real browser: quiet, for the keyboard, narrow, dark, printed, and by the accessibility rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from chromium import needs_axe, needs_browser
from pixels import pixels
from reading import is_quiet, operate, overflow, violations, walk
from story import make_page

from kohort.engine.rendering_plan import render_plan

sys.path.insert(0, str(Path(__file__).parents[1] / "plan"))
from planned import of_scenario
from test_plan_trees import organisation, plan_of

PAPER, DARK, NOW, WAS = (255, 255, 255), (0x12, 0x18, 0x1F), (0x1F, 0x5F, 0xA8), (0x8A, 0x95, 0xA1)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]


@pytest.fixture(scope="module")
def story(tmp_path_factory) -> Path:
    """Team blue takes 8 GPUs from team red in the shipped organisation, with what runs."""
    return make_page(tmp_path_factory.mktemp("story"))


@pytest.fixture(scope="module")
def pages(story, tmp_path_factory) -> dict[str, Path]:
    """The story, a plan with everything in it, and one of a thousand queues."""
    folder = tmp_path_factory.mktemp("pages")
    plans = {
        "steps": of_scenario("H100 is renamed without a word"),
        "removed": of_scenario("red leaves"),
        "unread": of_scenario("red cannot be read any more"),
        "large": plan_of(
            folder, organisation(lambda n: 8), organisation(lambda n: 8 + n % 3 if n % 40 == 0 else 8)
        ),
    }
    found = {"story": story}
    for name, done in plans.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(render_plan(done, "html"), "utf-8")
    return found


@pytest.mark.parametrize(("scheme", "paper"), [("light", PAPER), ("dark", DARK)])
def test_the_bars_of_the_tree_are_drawn(browser, story, scheme, paper):
    page = browser.open(story, scheme=scheme)
    _, _, found = pixels(page.picture(height=900))
    assert found.most_common(1)[0][0] == paper
    if scheme == "light":
        # at 1,000 pixels the bars have about 270: of 24 GPUs the cohort has 16, blue 16 after 8 and so on
        assert 270 * 9 * 1.8 < found[NOW] < 270 * 9 * 4
        assert 90 * 9 * 1.8 < found[WAS] < 90 * 9 * 4
    is_quiet(page)


def test_the_tree_reads_as_a_list_with_all_numbers(browser, story):
    page = browser.open(story)
    rows = page.run(
        "[...document.querySelectorAll('.rows li')].map(e => e.innerText.replace(/\\s+/g, ' ').replace(' ,', ','))"
    )
    assert rows == [
        "cohort default-cohort guarantee 16, may borrow 0, lends up to 0",
        "queue blue, in default-cohort ~ changed guarantee 8 → 16 (+8), may borrow 16 → 8 (-8), lends up to 8 → 16 (+8)",
        "queue red, in default-cohort ~ changed guarantee 8 → 0 (-8), may borrow 16 → 24 (+8), lends up to 8 → 0 (-8)",
        "slack slack-default-cohort-h100, in default-cohort slack 8, may borrow 16, lends up to 8",
    ]


def test_the_keyboard_reaches_everything_in_reading_order(browser, pages):
    page = browser.open(pages["story"])
    assert walk(page) == [
        "Amounts",
        "~ ClusterQueue blue on pokprod: may preempt running work",
        "~ ClusterQueue red on pokprod: may preempt running work",
    ]
    assert operate(page) == 4
    page.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    page.run("document.body.tabIndex = -1, document.body.focus(), document.activeElement.blur()")
    assert len(walk(page)) == 7  # whole objects too, and their text scrolls
    is_quiet(page)


@pytest.mark.parametrize("name", ["story", "steps", "removed", "unread", "large"])
def test_pages_are_quiet_and_hold_on_narrow_screens(browser, pages, name):
    page = browser.open(pages[name])
    assert page.run("document.querySelectorAll('h1').length") == 1
    assert operate(page, 4) > 0
    assert overflow(page, 400) == []
    page.look(medium="print")
    assert page.run("getComputedStyle(document.body).maxWidth") == "none"
    is_quiet(page)


@needs_axe
@pytest.mark.parametrize("name", ["story", "steps", "removed", "unread", "large"])
def test_axe_has_no_objection_to_a_plan(browser, pages, name):
    page = browser.open(pages[name])
    assert violations(page) == {}
    is_quiet(page)


def test_what_changed_is_told_without_colour(browser, pages):
    page = browser.open(pages["removed"])
    script = """[...document.querySelectorAll('.rows .row:not(.fold)')].map(
      e => [e.className.split(' ')[1], e.querySelector('.mark')?.textContent ?? '', e.querySelectorAll('rect.was').length > 0])"""
    for kind, mark, two in page.run(script):
        assert (kind == "alike") == (mark == "")
        assert two == (kind not in {"alike", "added"})
