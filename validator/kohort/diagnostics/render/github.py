"""GitHub workflow commands: annotations beside the changed lines of a pull request.

Foreign text is made visible first and then escaped as the runner expects, so no name can end a command or begin one.
"""

from __future__ import annotations

from kohort.diagnostics.finding import Severity
from kohort.diagnostics.identity import relative
from kohort.diagnostics.places import Places
from kohort.diagnostics.render.located import Located, located
from kohort.diagnostics.render.notes import notes
from kohort.diagnostics.render.options import RenderOptions
from kohort.diagnostics.report import Report
from kohort.diagnostics.visible import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, places: Places, options: RenderOptions) -> str:
    """One command per finding, and one notice for all that was not checked. GitHub shows ten of each kind."""
    lines = [_command(one, places, options) for one in located(report, places)]
    if report.unchecked:
        gaps = "\n".join(f"{visible(one.what)}: {visible(one.why)}" for one in report.unchecked)
        lines.append(f"::notice title=not checked::{_data(gaps)}")
    return "".join(f"{line}\n" for line in lines)


def _command(one: Located, places: Places, options: RenderOptions) -> str:
    finding = one.finding
    properties = []
    if one.file:
        properties.append(("file", relative(visible(one.file))))
    if one.span is not None:
        properties += [("line", str(one.span.line)), ("col", str(one.span.column))]
        properties += [("endLine", str(one.span.end_line)), ("endColumn", str(one.span.end_column))]
    properties.append(("title", f"{visible(finding.code)} {visible(finding.name)}"))
    text = [visible(finding.message)]
    text += [note.as_text() for note in notes(finding, places, show_help=options.show_help)]
    given = ",".join(f"{name}={_property(value)}" for name, value in properties)
    return f"::{_COMMANDS[finding.severity]} {given}::{_data(chr(10).join(text))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
