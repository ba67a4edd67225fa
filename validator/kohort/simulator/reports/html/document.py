"""What every page has: head, landmarks, headings, tables that narrow screens scroll and that the keyboard reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kohort.simulator.reports.html.markup import Markup, element, text
from kohort.simulator.reports.html.style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def document(title: str, body: Iterable[Markup], foot: str) -> str:
    """The whole page, without script; what the policy forbids is fetching anything at all."""
    head = element(
        "head",
        Markup('<meta charset="utf-8"/>'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1"/>'),
        element("title", text(title)),
        Markup(f"<style>{STYLE}</style>"),
    )
    main = element("main", element("h1", text(title)), *body)
    whole = element("html", head, element("body", main, element("footer", text(foot))), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def section(title: str, words: str) -> Iterable[Markup]:
    """A heading and a sentence on what stands below it."""
    yield element("h2", text(title))
    yield element("p", text(words))


def cards(found: Iterable[tuple[str, str]]) -> Markup:
    """Numbers with their names, large."""
    made = (
        element("div", element("b", text(number)), element("span", text(name)), class_="card")
        for number, name in found
    )
    return element("div", *made, class_="cards")


def notes(found: Sequence[str]) -> Markup:
    """What a reader must know of a run; nothing without any."""
    if not found:
        return Markup("")
    return element("div", *(element("p", text(note)) for note in found), class_="notes")


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, words: bool = False) -> Markup:
    """A table; `name` is what a screen reader says of it, and of the part of the page that scrolls.

    Cells stand to the right, as numbers do, unless they are `words`.
    """
    top = element("thead", element("tr", *(element("th", text(cell), scope="col") for cell in head)))
    lines = (
        element(
            "tr", element("th", text(row[0]), scope="row"), *(element("td", text(cell)) for cell in row[1:])
        )
        for row in rows
    )
    return scrolling(name, element("table", top, element("tbody", *lines), class_="words" if words else None))


def scrolling(name: str, wide: Markup) -> Markup:
    """What is wider than a narrow screen scrolls by itself, by the keyboard too."""
    return element("div", wide, class_="wide", tabindex=0, role="region", aria_label=name)
