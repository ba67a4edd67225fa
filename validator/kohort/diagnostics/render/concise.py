"""One line per finding, as compilers print them: editors and people jump from it."""

from __future__ import annotations

from kohort.diagnostics.places import Places
from kohort.diagnostics.render.full import not_checked
from kohort.diagnostics.render.located import Located, address, located
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.render.palette import Palette
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible, without_leading_commands


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """`file:line:col: error[CODE] message (clusters)`, then what was not checked."""
    palette = Palette(options.color)
    lines = [line(one, palette) for one in located(report, places)]
    lines += not_checked(report.unchecked)
    return without_leading_commands("".join(f"{text}\n" for text in lines))


def line(one: Located, palette: Palette) -> str:
    """A finding in one line."""
    finding = one.finding
    place = address(finding.primary.origin, one.span)
    head = palette.severity(finding.severity, f"{finding.severity.value}[{visible(finding.code)}]")
    clusters = ", ".join(visible(name) for name in finding.clusters)
    return f"{f'{place}: ' if place else ''}{head} {visible(finding.message)}{f' ({clusters})' if clusters else ''}"
