"""Markdown for a comment on a pull request: the counts, then every finding folded, within what a comment holds."""

from __future__ import annotations

from collections import Counter

from kohort.diagnostics.finding import Severity
from kohort.diagnostics.places import Places
from kohort.diagnostics.render.full import describe
from kohort.diagnostics.render.located import Located, address, located
from kohort.diagnostics.render.markdown_text import fenced, inline
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.render.totals import verdict
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import without_leading_commands

LIMIT = 65_000  # characters; GitHub takes 65,536
_RESERVE = 1_000  # for blank lines and the last sentence
_WIDTH = 100
_MOST_LINES = 12  # of the summary, and of what was not checked
_MOST_OPEN = 3  # errors that are shown unfolded, when there are no more
_MOST_MISFITS = 20  # after that many findings that were too long, none is tried in full


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """A comment of at most 65,000 characters; beyond that findings become lines, and then only counts."""
    head = f"### Kohort: {verdict(report)}\n\n{_table(report)}"
    tail = _tail(report)
    room = LIMIT - _RESERVE - len(head) - len(tail)
    plain = RenderOptions(width=_WIDTH, version=options.version, show_help=options.show_help)
    body = without_leading_commands(_findings(report, places, plain, room))
    return "\n".join(part for part in (head, body, tail) if part)


def _table(report: Report) -> str:
    """Counts by code, so that even a cut comment names every code."""
    counts = Counter((f.severity.rank, f.severity, f.code, f.name) for f in report.findings)
    if not counts:
        return ""
    rows = [
        f"| {severity.value} | {inline(code)} | {inline(name)} | {number} |\n"
        for (_, severity, code, name), number in sorted(counts.items())
    ]
    return "".join(["| severity | code | rule | findings |\n", "| --- | --- | --- | ---: |\n", *rows])


def _tail(report: Report) -> str:
    lines = [f"- {inline(line)}" for line in report.summary[:_MOST_LINES]]
    gaps = report.unchecked[:_MOST_LINES]
    lines += [f"- not checked: {inline(f'{one.what}: {one.why}')}" for one in gaps]
    if len(report.unchecked) > len(gaps):
        lines.append(f"- not checked: {len(report.unchecked) - len(gaps)} more")
    return "".join(f"{line}\n" for line in lines)


def _findings(report: Report, places: Places, options: RenderOptions, room: int) -> str:
    """Folded findings, the heaviest first, while the others still fit in short, or have 3/4 of the room."""
    ordered = sorted(located(report, places), key=lambda one: one.finding.severity.rank)
    unfold = report.count(Severity.ERROR) <= _MOST_OPEN
    left = sum(len(_short(one)) for one in ordered)
    folded: list[str] = []
    brief: list[str] = []
    used = 0
    for one in ordered:
        details = _details(one, places, options, unfold=unfold) if len(brief) < _MOST_MISFITS else None
        others = left - len(_short(one))
        if details is not None and used + len(details) + min(others, room * 3 // 4) <= room:
            folded.append(details)
            used += len(details)
            left = others
        else:
            brief.append(_short(one))
    fitting = _fitting(brief, room - used)
    blocks = [*folded, "".join(brief[:fitting])] if fitting else folded
    if fitting < len(brief):
        blocks.append(f"… and {len(brief) - fitting} more findings; `kohort check` shows all.\n")
    return "\n".join(blocks)


def _fitting(lines: list[str], room: int) -> int:
    """How many of the first lines fit."""
    for number, line in enumerate(lines):
        room -= len(line)
        if room < 0:
            return number
    return len(lines)


def _details(one: Located, places: Places, options: RenderOptions, *, unfold: bool) -> str:
    opened = " open" if unfold and one.finding.severity is Severity.ERROR else ""
    block = fenced(describe(one, places, options))
    summary = f"{_head(one)} {inline(one.finding.message)}"
    return f"<details{opened}><summary>{summary}</summary>\n\n{block}\n</details>\n"


def _short(one: Located) -> str:
    place = inline(address(one.finding.primary.origin, one.span))
    return f"- {_head(one)} {f'{place}: ' if place else ''}{inline(one.finding.message)}\n"


def _head(one: Located) -> str:
    return f"<b>{one.finding.severity.value}</b> {inline(one.finding.code)}"
