"""The last lines of a run, for stderr: what it was about and how it ended."""

from __future__ import annotations

from kohort.diagnostics.finding import Severity
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.render.palette import Palette
from kohort.diagnostics.render.words import counted
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible, without_leading_commands


def totals(report: Report, options: RenderOptions) -> str:
    """The report's summary lines and the counts by severity, each line ended."""
    lines = [*(visible(line) for line in report.summary), verdict(report, Palette(options.color))]
    return without_leading_commands("".join(f"{line}\n" for line in lines))


def verdict(report: Report, palette: Palette | None = None) -> str:
    """`2 errors, 1 warning in 14 files, 60 objects (3 suppressed)`; a clean run says so."""
    palette = palette or Palette(on=False)
    counts = [(severity, report.count(severity)) for severity in Severity]
    found = ", ".join(palette.severity(severity, counted(n, severity)) for severity, n in counts if n)
    files = f"{report.files} file{'' if report.files == 1 else 's'}"
    objects = f"{report.objects} object{'' if report.objects == 1 else 's'}"
    hidden = f" ({report.suppressed} suppressed)" if report.suppressed else ""
    return f"{found or 'no findings'} in {files}, {objects}{hidden}"
