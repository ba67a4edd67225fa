"""What every page must bear: a quiet console, no request, the keyboard, a narrow screen, and the accessibility rules."""

from __future__ import annotations

import json
from typing import Any

from chromium import Page

LOOKS = [("light", 1000), ("dark", 1000), ("light", 400), ("dark", 400)]
_STOPS = (
    """[...document.querySelectorAll('summary, a[href], [tabindex="0"]')].filter(e => e.checkVisibility())"""
)
_AT = f"""(() => {{
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  const box_or_text = at.tagName === 'SUMMARY' ? at.textContent : at.getAttribute('aria-label');
  return [{_STOPS}.indexOf(at), at.matches(':focus-visible'), style.outlineStyle, parseFloat(style.outlineWidth),
          box.bottom > 0 && box.top < innerHeight, box_or_text];
}})()"""


def is_quiet(page: Page) -> None:
    """Nothing on the console, nothing asked for but the page itself."""
    assert page.messages == []
    assert page.requests == [page.uri]


def walk(page: Page) -> list[str]:
    """Go through the page with Tab: every stop once, in reading order, each with a focus that is seen. Their names."""
    count = page.run(f"{_STOPS}.length")
    names = []
    for number in range(count):
        page.press("Tab")
        index, marked, style, width, seen, name = page.run(_AT)
        assert index == number, f"Tab number {number + 1} stands on stop {index + 1}: {name}"
        assert (marked, seen) == (True, True), f"{name}: the focus is out of sight"
        assert style != "none", f"{name}: the focus has no outline"
        assert width >= 2, f"{name}: an outline of {width} px is hard to see"
        assert name, f"stop {number + 1} has no name"
        names.append(name.strip())
    return names


def operate(page: Page, most: int = 12) -> int:
    """Open and close the first folded parts by Enter and by Space; how many were tried."""
    tried: int = page.run("document.querySelectorAll('summary').length")
    for number in range(min(tried, most)):
        one = f"document.querySelectorAll('summary')[{number}]"
        page.run(f"for (let e = {one}.parentElement.parentElement; e; e = e.parentElement) e.open = true")
        page.run(f"{one}.focus()")
        before = page.run(f"{one}.parentElement.open")
        page.press("Enter")
        assert page.run(f"{one}.parentElement.open") is not before
        page.press(" ")
        assert page.run(f"{one}.parentElement.open") is before
    return min(tried, most)


def violations(page: Page) -> dict[str, list[str]]:
    """What axe objects to, folded and with everything open, light and dark, wide and narrow."""
    found: dict[str, list[str]] = {}
    for scheme, width in LOOKS:
        page.look(scheme=scheme, width=width)
        for open_ in ("false", "true"):
            page.run(f"document.querySelectorAll('details').forEach(e => e.open = {open_})")
            wrong = page.axe()
            if wrong:
                found[f"{scheme}, {width} px, {'open' if open_ == 'true' else 'folded'}"] = wrong
    return found


def overflow(page: Page, width: int) -> list[Any]:
    """Elements that make the page itself wider than the screen, with everything open."""
    page.look(width=width)
    page.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    script = f"""document.documentElement.scrollWidth <= {width} ? [] : [...document.querySelectorAll('body *')]
      .filter(e => e.getBoundingClientRect().right > {width}).slice(0, 5).map(e => e.outerHTML.slice(0, 120))"""
    found = page.run(script)
    assert isinstance(found, list), json.dumps(found)
    return found
