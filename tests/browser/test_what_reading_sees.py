"""The checks of pages see what they are there to see: each fails on a page that is wrong in its way."""

from __future__ import annotations

import pytest
from chromium import needs_axe, needs_browser
from reading import is_quiet, operate, overflow, violations, walk

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]

WHOLE = '<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>t</h1>{}</main></body></html>'


@pytest.fixture
def show(browser, tmp_path):
    def shown(inside: str, whole: str = WHOLE):
        file = tmp_path / "page.html"
        file.write_text(whole.replace("{}", inside), "utf-8")
        return browser.open(file)

    return shown


@pytest.mark.parametrize(
    "inside",
    [
        "<script>console.log('hello')</script>",
        "<script>nothing.at.all()</script>",
        '<img alt="x" src="http://example.com/x.png">',
        '<link rel="stylesheet" href="other.css">',
        "<style>main { background: url(http://example.com/y.png) }</style>",
    ],
)
def test_messages_errors_and_requests_are_heard(show, inside):
    page = show(inside)
    with pytest.raises(AssertionError):
        is_quiet(page)
    is_quiet(show("<p>quiet</p>"))


SEEN = "<style>:focus-visible { outline: 3px solid blue }</style>"


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (
            "<style>summary:focus { outline: none }</style><details><summary>a</summary>b</details>",
            "has no outline",
        ),
        (
            "<style>summary:focus { outline: 1px solid }</style><details><summary>a</summary></details>",
            "an outline of 1 px",
        ),
        (
            f'{SEEN}<a href="#b" tabindex="2">b</a> <a href="#a" tabindex="1">a</a>',
            "Tab number 1 stands on stop 2",
        ),
        (f'{SEEN}<div tabindex="0" style="height: 10px"></div>', "stop 1 has no name"),
    ],
)
def test_focus_that_is_not_seen_in_the_wrong_order_or_without_a_name_is_told(show, inside, why):
    with pytest.raises(AssertionError, match=why):
        walk(show(inside))
    assert walk(show(f"{SEEN}<details><summary>a</summary>b</details>")) == ["a"]


def test_what_does_not_open_by_keys_is_told(show):
    stuck = "<details><summary onkeydown='event.preventDefault()' onkeyup='event.preventDefault()'>a</summary>b</details>"
    with pytest.raises(AssertionError):
        operate(show(stuck))
    assert operate(show("<details><summary>a</summary>b</details>")) == 1


def test_what_is_wider_than_the_screen_is_named(show):
    (wide,) = overflow(show('<div id="wide" style="width: 600px">a</div>'), 400)
    assert 'id="wide"' in wide


@needs_axe
@pytest.mark.parametrize(
    ("inside", "rule"),
    [
        ('<p style="color: #aaa; background: #fff">pale</p>', "color-contrast"),
        ("<table><tr><th></th></tr></table>", "empty-table-header"),
        ("<h3>too deep</h3>", "heading-order"),
        (
            "<style>@media (max-width: 500px) { p { color: #bbb } }</style><p>pale when narrow</p>",
            "color-contrast",
        ),
        (
            "<details><summary>a</summary><p style='color: #bbb'>pale when open</p></details>",
            "color-contrast",
        ),
    ],
)
def test_axe_objects_in_every_state(show, inside, rule):
    found = violations(show(inside))
    assert rule in str(found)
    assert violations(show("<p>fine</p>")) == {}
